package pipeline_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"touchline/shared/pipeline/pipelinetest"
)

// A pipeline is a handler for the server of the standard library.
func TestAPipelineServesHTTP(t *testing.T) {
	const valid, target = 200, listPath + "?so%72t=name&&limit=%31"
	tests := []struct {
		name, method, target, more, body string // body is in chunks
		status                           int
		withType                         bool
	}{
		{name: "as it was signed", method: "GET", target: target, status: valid, withType: true},
		{name: "HEAD", method: "HEAD", target: target, status: valid, withType: true},
		{name: "an escape in the path", method: "GET", target: "/v1/clubs/a%2Fb/players", status: valid, withType: true},
		{name: "OPTIONS", method: "OPTIONS", target: target, status: 204},
		{name: "a length", method: "GET", target: target, more: "Content-Length: 1\r\n", body: "x", status: 400, withType: true},
		{name: "chunks", method: "GET", target: target, more: "Transfer-Encoding: chunked\r\n", body: "1\r\nx\r\n0\r\n\r\n", status: 400, withType: true},
		{name: "an empty chunk", method: "GET", target: target, more: "Transfer-Encoding: chunked\r\n", body: "0\r\n\r\n", status: valid, withType: true},
		{name: "a broken chunk", method: "GET", target: target, more: "Transfer-Encoding: chunked\r\n", body: "x\r\n\r\n", status: 400, withType: true},
		{name: "a repeated header", method: "GET", target: target, more: "X-Service-Nonce: n\r\n", status: 401, withType: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			server := httptest.NewServer(w.Pipeline)
			defer server.Close()
			c, err := net.Dial("tcp", server.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			path, query, _ := strings.Cut(tt.target, "?")
			head := tt.method + " " + tt.target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + tt.more
			for name, values := range pipelinetest.Sign(w.Time, tt.method, path, query, "n") {
				head += fmt.Sprintf("%s: %s\r\n", name, values[0])
			}
			if _, err := io.WriteString(c, head+"\r\n"+tt.body); err != nil {
				t.Fatal(err)
			}
			raw, err := io.ReadAll(c)
			if err != nil {
				t.Fatal(err)
			}
			r, err := http.ReadResponse(bufio.NewReader(strings.NewReader(string(raw))), &http.Request{Method: tt.method})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Body.Close()
			if r.StatusCode != tt.status || (r.Header.Get("Content-Type") != "") != tt.withType {
				t.Errorf("%s", raw)
			}
			if hasRate := strings.Contains(string(raw), "\r\nX-RateLimit-Limit: 60\r\n"); hasRate != (tt.status == valid) {
				t.Errorf("the header of the rate as the contract writes it: %t\n%s", hasRate, raw)
			}
		})
	}
}

func TestTheCallerIsTheAddressOfARequest(t *testing.T) {
	for address, caller := range map[string]string{
		"192.0.2.7:443": "192.0.2.7", "192.0.2.7": "192.0.2.7", "[2001:db8::7]:443": "2001:db8::7", "2001:db8::7": "2001:db8::7",
	} {
		w := newWorld(t)
		w.block(caller)
		r := httptest.NewRequest(http.MethodGet, listPath, nil)
		r.RemoteAddr = address
		answer := httptest.NewRecorder()
		w.ServeHTTP(answer, r)
		if answer.Code != http.StatusTooManyRequests {
			t.Errorf("%s: %d %s", address, answer.Code, answer.Body)
		}
	}
}
