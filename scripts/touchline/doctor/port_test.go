package doctor

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"touchline/scripts/touchline/terminal"
)

// Whoever has the default port is no fault of this machine, whatever time it says.
func TestThePortIsFreeOrSomebodys(t *testing.T) {
	for name, c := range map[string]struct {
		status int // of what answers; 0: nobody listens
		want   State
		says   string
	}{
		"nobody's":           {0, OK, "is free"},
		"a serve's":          {http.StatusUnauthorized, OK, "answers"},
		"another program's":  {http.StatusOK, Warning, "in use by another program"},
		"a serve that fails": {http.StatusInternalServerError, Warning, "in use by another program"},
	} {
		t.Run(name, func(t *testing.T) {
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Date", "Thu, 01 Jan 1970 00:00:00 GMT")
				w.WriteHeader(c.status)
			}))
			defer s.Close()
			addr := strings.TrimPrefix(s.URL, "http://")
			if c.status == 0 {
				addr = "127.0.0.1:0"
			}
			x := &examination{terminal: &terminal.Terminal{Now: time.Now}}
			x.port(t.Context(), addr)
			if len(x.findings) != 1 || x.findings[0].State != c.want || !strings.Contains(x.findings[0].Message, c.says) {
				t.Errorf("%+v, want %s: %s", x.findings, c.want, c.says)
			}
		})
	}
}
