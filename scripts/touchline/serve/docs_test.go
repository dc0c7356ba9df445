package serve

import "testing"

func TestThePagesAreForThisMachine(t *testing.T) {
	for _, addr := range []string{":8081", "0.0.0.0:8081", "192.0.2.1:8081", "docs.example:80"} {
		s := Command{DocsAddr: addr}
		if p, err := s.docs("http://127.0.0.1:8080"); err == nil {
			p.end(t.Context())
			t.Errorf("served on %s", addr)
		}
	}
	s := Command{Demo: true, DocsAddr: "off"}
	if p, err := s.docs(""); p != nil || err != nil {
		t.Errorf("%v, %v", p, err)
	}
}
