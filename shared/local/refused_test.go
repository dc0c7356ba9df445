package local_test

import (
	"io"
	"strings"
	"testing"
)

func TestRefusalsOfTheRequestAsItIs(t *testing.T) {
	long := func(n int) string { return "/" + strings.Repeat("x", n-1) }
	tests := []struct {
		name, method, target string
		want                 int
	}{
		{"2048 bytes", "GET", long(2048), 404},
		{"2049 bytes", "GET", long(2049), 400},
		{"2048 bytes with a query", "GET", "/v1/ping?" + strings.Repeat("q", 2039), 404},
		{"2049 bytes with a query", "GET", "/v1/ping?" + strings.Repeat("q", 2040), 400},
		{"many bytes", "GET", long(20000), 400},
		{"many bytes and another method", "POST", long(20000), 405},
		{"a malformed escape", "GET", "/v1/teams/%", 400},
		{"a malformed escape in the query", "GET", "/v1/teams/x?a=%2", 400},
		{"another method", "DELETE", "/", 405},
		{"lower case", "get", "/v1/teams/x", 405},
		{"unknown", "GET", "/", 404},
		{"unsigned", "GET", "/v1/teams/x", 401},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newService(t).dial(t)
			for range 2 { // the connection is kept
				c.send(tt.method + " " + tt.target + " HTTP/1.1\r\nHost: x\r\n\r\n")
				got := c.read(tt.method)
				if got.status != tt.want || got.header.Get("Content-Type") != "application/json; charset=utf-8" || got.close {
					t.Errorf("%+v", got)
				}
				if tt.want == 405 && got.header.Get("Allow") != "GET, HEAD" {
					t.Errorf("%v", got.header)
				}
			}
		})
	}
}

func TestWhatIsNoRequestIsABadRequest(t *testing.T) {
	tests := map[string]string{
		"a space in the target":           "GET /v1/te ams HTTP/1.1\r\nHost: x\r\n\r\n",
		"no version":                      "GET /v1/ping\r\nHost: x\r\n\r\n",
		"no target":                       "GET  HTTP/1.1\r\nHost: x\r\n\r\n",
		"no host":                         "GET / HTTP/1.1\r\n\r\n",
		"two hosts":                       "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
		"a control character":             "GET /\x01 HTTP/1.1\r\nHost: x\r\n\r\n",
		"a NUL":                           "GET /\x00 HTTP/1.1\r\nHost: x\r\n\r\n",
		"a relative target":               "GET v1/ping HTTP/1.1\r\nHost: x\r\n\r\n",
		"another protocol":                "GET / FTP/1.1\r\nHost: x\r\n\r\n",
		"TLS":                             "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
		"a header without a colon":        "GET / HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n",
		"a header without a name":         "GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n",
		"a space before the colon":        "GET / HTTP/1.1\r\nHost: x\r\nX-Service-Key : a\r\n\r\n",
		"a control character in a header": "GET / HTTP/1.1\r\nHost: x\r\nX-Service-Key: a\x01b\r\n\r\n",
		"two lengths":                     "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: 1\r\n\r\n",
		"a length that is no number":      "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n",
		"a host that is none":             "GET / HTTP/1.1\r\nHost: a[b]@:x\r\n\r\n",
		"an unknown expectation":          "GET / HTTP/1.1\r\nHost: x\r\nExpect: x\r\n\r\n",
		"HTTP/2":                          "GET / HTTP/2.0\r\nHost: x\r\n\r\n",
		"an unknown coding":               "GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n",
		"headers of 40,000 bytes":         "GET / HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("x", 40000) + "\r\n\r\n",
		"a line of 40,000 bytes":          "GET /" + strings.Repeat("x", 40000) + " HTTP/1.1\r\nHost: x\r\n\r\n",
		"a line of 2 MB":                  "GET /" + strings.Repeat("x", 2<<20),
	}
	for name, raw := range tests {
		t.Run(name, func(t *testing.T) {
			s := newService(t)
			c := s.dial(t)
			go func() { _, _ = io.WriteString(c, raw) }() // the server may not read all of it
			got := c.read("GET")
			if got.status != 400 || got.body != badRequest || !got.close {
				t.Errorf("%+v", got)
			}
			if <-s.asked; len(s.asked) > 0 {
				t.Error("answered more than once")
			}
		})
	}
}

func TestBodiesAreRefusedUnread(t *testing.T) {
	large := strings.Repeat("x", 1<<20)
	tests := []struct {
		name, raw string
		want      int
	}{
		{"a length", "GET /v1/teams/x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello", 400},
		{"a length, nothing sent", "GET /v1/teams/x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n", 400},
		{"a method with a body", "POST /v1/teams/x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello", 405},
		{"a method with a body, nothing sent", "POST /v1/teams/x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n", 405},
		{"a megabyte", "PUT /v1/teams/x HTTP/1.1\r\nHost: x\r\nContent-Length: 1048576\r\n\r\n" + large, 405},
		{"a terabyte announced", "GET /v1/teams/x HTTP/1.1\r\nHost: x\r\nContent-Length: 1099511627776\r\n\r\nx", 400},
		{"a multipart form", "POST /v1/teams/x HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 9\r\n\r\n--x--\r\n\r\n", 405},
		{"chunks", "GET /v1/teams/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", 400},
		{"not chunks", "GET /v1/teams/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nhello\r\n\r\n", 400},
		{"chunks of a megabyte", "POST /v1/teams/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n100000\r\n" + large, 405},
		{"a body that waits for leave", "GET /v1/teams/x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n", 400},
		{"chunks that wait for leave", "GET /v1/teams/x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n", 400},
		{"a method with a body that waits", "POST /v1/teams/x HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nexpect: 100-continue\r\n\r\n", 405},
		{"a request in a body", "GET /v1/teams/x HTTP/1.1\r\nHost: x\r\nContent-Length: 36\r\n\r\nGET /v1/smuggled HTTP/1.1\r\nHost: x\r\n\r\n", 400},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newService(t)
			c := s.dial(t)
			go func() { _, _ = io.WriteString(c, tt.raw) }()
			got := c.read("GET")
			if got.status != tt.want || !got.close || !c.closed() {
				t.Errorf("%+v", got)
			}
			if <-s.asked; len(s.asked) > 0 {
				t.Error("the body was taken for a request")
			}
		})
	}
}

func TestEmptyBodiesAreNone(t *testing.T) {
	for name, tt := range map[string]struct {
		version, more, body string
		close               bool
	}{
		"no length":          {version: "1.1"},
		"length 0":           {version: "1.1", more: "Content-Length: 0\r\n"},
		"an expected length": {version: "1.1", more: "Content-Length: 0\r\nExpect: 100-continue\r\n"},
		// Closed, so that no proxy in front takes something else for the next request.
		"an empty chunk":              {"1.1", "Transfer-Encoding: chunked\r\n", "0\r\n\r\n", true},
		"an empty chunk and a length": {"1.1", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\nGET /v1/smuggled HTTP/1.1\r\nHost: x\r\n\r\n", true},
		"chunks of HTTP/1.0":          {"1.0", "Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n", true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService(t)
			c := s.dial(t)
			c.send("GET /v1/teams/x HTTP/" + tt.version + "\r\nHost: x\r\n" + s.signed("GET", "/v1/teams/x", "n") + tt.more + "\r\n" + tt.body)
			if got := c.read("GET"); got.status != 200 || got.close != tt.close || tt.close && !c.closed() || len(s.asked) != 1 {
				t.Errorf("%+v", got)
			}
		})
	}
}
