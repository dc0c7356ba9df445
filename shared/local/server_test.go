package local_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/local"
	"touchline/shared/pipeline/pipelinetest"
	"touchline/shared/route"
)

// service is a server on a free port, and the requests that it passed on.
type service struct {
	*pipelinetest.Service
	*local.Server
	address string
	served  chan error
	asked   chan *http.Request
	hold    chan struct{} // while set and open, /v1/teams/hold waits
}

func newService(t *testing.T) *service {
	t.Helper()
	s := &service{served: make(chan error, 1), asked: make(chan *http.Request, 100), hold: make(chan struct{})}
	s.Service = pipelinetest.New(t, route.Define(route.Row{Group: route.GroupTeams, Path: "/v1/teams/{id}"},
		func(_ context.Context, c route.Call, _ route.Paging) (route.Data[string], error) {
			if c.ID == "hold" {
				s.hold <- struct{}{}
				<-s.hold
			}
			return route.Data[string]{Data: c.ID}, nil
		}))
	s.Server = &local.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked <- r
		s.ServeHTTP(w, r)
	})}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s.address = l.Addr().String()
	go func() { s.served <- s.Serve(l) }()
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel() // do not wait for anybody
		_ = s.Shutdown(ctx)
	})
	return s
}

// caller is one connection.
type caller struct {
	net.Conn
	t *testing.T
	r *bufio.Reader
}

func (s *service) dial(t *testing.T) *caller {
	t.Helper()
	c, err := net.Dial("tcp", s.address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return &caller{c, t, bufio.NewReader(c)}
}

func (c *caller) send(raw string) {
	c.t.Helper()
	if _, err := io.WriteString(c, raw); err != nil {
		c.t.Fatal(err)
	}
}

// answer is a response.
type answer struct {
	status int
	header http.Header
	body   string
	close  bool
}

// read reads a response and checks what all of them have in common.
func (c *caller) read(method string) answer {
	c.t.Helper()
	r, err := http.ReadResponse(c.r, &http.Request{Method: method})
	if err != nil {
		c.t.Fatal(err)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		c.t.Fatal(err)
	}
	for _, name := range []string{"X-Service-Api-Version", "X-Request-Id", "Cache-Control", "Date"} {
		if len(r.Header.Values(name)) != 1 {
			c.t.Errorf("%s: %q", name, r.Header.Values(name))
		}
	}
	if _, err := http.ParseTime(r.Header.Get("Date")); err != nil {
		c.t.Error(err)
	}
	return answer{r.StatusCode, r.Header, string(body), r.Close}
}

// closed reports whether the server has closed the connection and sent nothing
// more.
func (c *caller) closed() bool {
	n, err := c.r.Read(make([]byte, 1))
	return n == 0 && err == io.EOF
}

// signed returns the lines of the four headers.
func (s *service) signed(method, target, nonce string) string {
	path, query, _ := strings.Cut(target, "?")
	var lines strings.Builder
	for name, values := range pipelinetest.Sign(s.Time, method, path, query, nonce) {
		fmt.Fprintf(&lines, "%s: %s\r\n", name, values[0])
	}
	return lines.String()
}

// request is a whole signed request.
func (s *service) request(method, target, nonce string) string {
	return method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n" + s.signed(method, target, nonce) + "\r\n"
}

const badRequest = `{"error":{"code":"badRequest","message":"Invalid request"}}`

func TestASignedRequestIsAnswered(t *testing.T) {
	s := newService(t)
	c := s.dial(t)
	c.send(s.request("GET", "/v1/teams/a%2fb?pa%67e=2&limit=10", "n"))
	got := c.read("GET")
	if got.status != 200 || got.body != `{"data":"a%2fb"}` || got.close {
		t.Errorf("%+v", got)
	}
	got.header.Del("Date")
	want := http.Header{
		"X-Service-Api-Version": {"1"}, "X-Request-Id": {"request-1"}, "Cache-Control": {"no-store"},
		"Content-Type": {"application/json; charset=utf-8"}, "Content-Length": {"16"}, "Vary": {"Accept-Encoding"},
		"X-Ratelimit-Limit": {"60"}, "X-Ratelimit-Remaining": {"59"}, "X-Ratelimit-Reset": {"1773501027"},
	}
	if diff := cmp.Diff(want, got.header); diff != "" {
		t.Error(diff)
	}
}

func TestHeaderNamesAreWrittenAsInTheContract(t *testing.T) {
	s := newService(t)
	c := s.dial(t)
	c.send(strings.Replace(s.request("GET", "/v1/teams/x", "n"), "\r\n", "\r\nConnection: close\r\n", 1))
	raw, err := io.ReadAll(c.r)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"HTTP/1.1 200 OK\r\n", "\r\nX-RateLimit-Limit: 60\r\n", "\r\nX-Service-Api-Version: 1\r\n", "\r\nX-Request-Id: request-1\r\n"} {
		if !bytes.Contains(raw, []byte(line)) {
			t.Errorf("%q is not in\n%s", line, raw)
		}
	}
	if bytes.Contains(raw, []byte("\r\nServer:")) {
		t.Errorf("a server is named:\n%s", raw)
	}
}

func TestTheHandlerGetsTheRequestAsSent(t *testing.T) {
	tests := []struct {
		name, head             string
		method, path, query    string
		headerName, headerWant string
	}{
		{name: "a target of escapes", head: "GET /v1/te%61ms/%2F%25%zz?a=%41&&b=+%20 HTTP/1.1\r\nHost: x\r\n", method: "GET", path: "/v1/te%61ms/%2F%25%zz", query: "a=%41&&b=+%20"},
		{name: "per cents in headers", head: "GET /% HTTP/1.1\r\nHost: x\r\nX-Service-Key: a %zz %25\r\n", method: "GET", path: "/%", headerName: "X-Service-Key", headerWant: "a %zz %25"},
		{name: "dots and slashes", head: "GET //v1/../x/./ HTTP/1.1\r\nHost: x\r\n", method: "GET", path: "//v1/../x/./"},
		{name: "a second question mark", head: "GET /v1/ping?a?b HTTP/1.1\r\nHost: x\r\n", method: "GET", path: "/v1/ping", query: "a?b"},
		{name: "a fragment", head: "GET /v1/ping#a?b HTTP/1.1\r\nHost: x\r\n", method: "GET", path: "/v1/ping#a", query: "b"},
		{name: "a URL in the query", head: "GET /v1/ping?u=http://x/y HTTP/1.1\r\nHost: x\r\n", method: "GET", path: "/v1/ping", query: "u=http://x/y"},
		{name: "a URL in the path", head: "GET /v1/http://x/y HTTP/1.1\r\nHost: x\r\n", method: "GET", path: "/v1/http://x/y"},
		{name: "bytes above ASCII", head: "GET /v1/\xc3\xa9?\xff HTTP/1.1\r\nHost: x\r\n", method: "GET", path: "/v1/\xc3\xa9", query: "\xff"},
		{name: "absolute form", head: "GET http://example.org:80/v1/ping?a=1 HTTP/1.1\r\nHost: x\r\n", method: "GET", path: "/v1/ping", query: "a=1"},
		{name: "absolute form without path", head: "GET http://example.org HTTP/1.1\r\nHost: x\r\n", method: "GET", path: "/"},
		{name: "absolute form with a query alone", head: "GET http://example.org?a=1 HTTP/1.1\r\nHost: x\r\n", method: "GET", path: "/", query: "a=1"},
		{name: "asterisk", head: "OPTIONS * HTTP/1.1\r\nHost: x\r\n", method: "OPTIONS", path: "*"},
		{name: "authority", head: "CONNECT example.org:443 HTTP/1.1\r\nHost: x\r\n", method: "CONNECT", path: "example.org:443"},
		{name: "a method in lower case", head: "get / HTTP/1.1\r\nHost: x\r\n", method: "get", path: "/"},
		{name: "a method of any token", head: "M-SEARCH!#$%&'*+.^_`|~ / HTTP/1.1\r\nHost: x\r\n", method: "M-SEARCH!#$%&'*+.^_`|~", path: "/"},
		{name: "a repeated header", head: "GET / HTTP/1.1\r\nHost: x\r\nX-Service-Key: a\r\nx-service-key:  b \r\n", method: "GET", path: "/", headerName: "X-Service-Key", headerWant: "a,b"},
		{name: "a repeated header, once empty", head: "GET / HTTP/1.1\r\nHost: x\r\nX-Service-Key: a\r\nX-Service-Key:\r\n", method: "GET", path: "/", headerName: "X-Service-Key", headerWant: "a,"},
		{name: "an empty header", head: "GET / HTTP/1.1\r\nHost: x\r\nX-Service-Key:\r\n", method: "GET", path: "/", headerName: "X-Service-Key", headerWant: ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newService(t)
			c := s.dial(t)
			c.send(tt.head + "X-Forwarded-For: 203.0.113.9\r\n\r\n")
			c.read(tt.method)
			r := <-s.asked
			if r.Method != tt.method || r.URL.RawPath != tt.path || r.URL.RawQuery != tt.query || r.ContentLength != 0 {
				t.Errorf("%+v", r)
			}
			if r.RemoteAddr != "127.0.0.1" {
				t.Errorf("from %s", r.RemoteAddr)
			}
			sent := r.Header.Clone()
			sent["Host"] = []string{r.Host}
			if values, ok := sent[tt.headerName]; tt.headerName != "" && (!ok || strings.Join(values, ",") != tt.headerWant) {
				t.Errorf("%s: %q", tt.headerName, values)
			}
		})
	}
}

func TestHEADHasTheLengthOfGETAndNoBody(t *testing.T) {
	s := newService(t)
	for target, length := range map[string]string{"/v1/teams/x": "12", "/v1/unknown": "51", "/v1/%": "59", "/v1/ping?http://": "51"} {
		c := s.dial(t)
		c.send(s.request("HEAD", target, "n"+length))
		if got := c.read("HEAD"); got.header.Get("Content-Length") != length || got.header.Get("Content-Type") == "" {
			t.Errorf("%s: %+v", target, got)
		}
		if c.r.Buffered() > 0 {
			rest, _ := c.r.Peek(c.r.Buffered())
			t.Errorf("%s: a body: %q", target, rest)
		}
	}
}

func TestPipelinedRequestsAreAnsweredInOrder(t *testing.T) {
	s := newService(t)
	c := s.dial(t)
	var raw strings.Builder
	for i := range 5 {
		raw.WriteString(s.request("GET", fmt.Sprintf("/v1/teams/%d", i), fmt.Sprint(i)))
		raw.WriteString("GET /v1/%zz HTTP/1.1\r\nHost: x\r\n\r\n")
	}
	c.send(raw.String())
	for i := range 5 {
		if got := c.read("GET"); got.body != fmt.Sprintf(`{"data":"%d"}`, i) {
			t.Errorf("%d: %+v", i, got)
		}
		if got := c.read("GET"); got.status != 400 {
			t.Errorf("%d: %+v", i, got)
		}
	}
}

func TestConnectionsByProtocol(t *testing.T) {
	tests := []struct {
		name, version, more string
		close               bool
	}{
		{"1.1", "HTTP/1.1", "", false},
		{"1.1 and close", "HTTP/1.1", "Connection: close\r\n", true},
		{"1.0", "HTTP/1.0", "", true},
		{"1.0 and keep-alive", "HTTP/1.0", "Connection: keep-alive\r\n", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newService(t)
			c := s.dial(t)
			c.send("GET /v1/teams/x " + tt.version + "\r\nHost: x\r\n" + s.signed("GET", "/v1/teams/x", "n") + tt.more + "\r\n")
			got := c.read("GET")
			if got.status != 200 || got.close != tt.close {
				t.Errorf("%+v", got)
			}
			if tt.close && !c.closed() {
				t.Error("not closed")
			}
		})
	}
}

func TestShutdownLetsARequestFinish(t *testing.T) {
	s := newService(t)
	c := s.dial(t)
	c.send(s.request("GET", "/v1/teams/hold", "n"))
	<-s.hold // it is being answered
	down := make(chan error)
	go func() { down <- s.Shutdown(t.Context()) }()
	if err := <-s.served; err != nil {
		t.Errorf("Serve: %v", err)
	}
	if late, err := net.Dial("tcp", s.address); err == nil {
		_ = late.Close()
		t.Error("connections are still taken")
	}
	close(s.hold)
	if got := c.read("GET"); got.status != 200 || !got.close {
		t.Errorf("%+v", got)
	}
	if err := <-down; err != nil {
		t.Errorf("Shutdown: %v", err)
	}
}

func TestShutdownClosesConnectionsOnWhichNothingWasAsked(t *testing.T) {
	tests := []struct {
		name string
		ask  bool // once, and nothing more
	}{
		{"nothing was ever sent", false},
		{"an answer was given", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newService(t)
			idle := s.dial(t)
			if tt.ask {
				idle.send(s.request("GET", "/v1/teams/x", "first"))
				idle.read("GET")
			}
			busy := s.dial(t) // accepted after the other one
			busy.send(s.request("GET", "/v1/teams/hold", "n"))
			<-s.hold
			asked := len(s.asked)
			down := make(chan error)
			go func() { down <- s.Shutdown(t.Context()) }()
			// It is Shutdown that has closed it: the timeouts of the server are
			// longer.
			if err := idle.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
				t.Fatal(err)
			}
			if !idle.closed() {
				t.Error("the connection is still open")
			}
			if len(s.asked) != asked {
				t.Error("the handler was asked about a connection that was closed")
			}
			close(s.hold)
			if got := busy.read("GET"); got.status != 200 {
				t.Errorf("%+v", got)
			}
			if err := <-down; err != nil {
				t.Errorf("Shutdown: %v", err)
			}
		})
	}
}

func TestShutdownEndsWithItsContext(t *testing.T) {
	s := newService(t)
	c := s.dial(t)
	c.send(s.request("GET", "/v1/teams/hold", "n"))
	<-s.hold
	ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if err := s.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v", err)
	}
	close(s.hold)
}

func TestARequestForAnotherHostIsRefused(t *testing.T) {
	s := newService(t)
	s.ServesHost = func(host string) bool { return host == "localhost:80" }
	for _, tt := range []struct {
		name, method, host string
		status             int
	}{
		{"served", "GET", "Host: localhost:80\r\n", 200},
		{"another name", "GET", "Host: page.example\r\n", 403},
		{"another name, HEAD", "HEAD", "Host: page.example\r\n", 403},
		{"a preflight", "OPTIONS", "Host: page.example\r\nOrigin: http://page.example\r\n", 403},
		{"another name with a body", "GET", "Host: page.example\r\nContent-Length: 1\r\n", 403},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := s.dial(t)
			c.send(tt.method + " /v1/teams/x HTTP/1.1\r\n" + tt.host + s.signed(tt.method, "/v1/teams/x", strings.ReplaceAll(tt.name, " ", "")[:4]) + "\r\n")
			got := c.read(tt.method)
			if got.status != tt.status {
				t.Errorf("%+v", got)
			}
			if tt.status == 403 && len(s.asked) > 0 {
				t.Error("it reached the handler")
			}
			for len(s.asked) > 0 {
				<-s.asked
			}
		})
	}
}

func TestTheCallerBehindAProxyIsTheLastThatIsNotTrusted(t *testing.T) {
	const v4, v6 = "127.0.0.0/8", "2001:db8::/32"
	for _, tt := range []struct {
		name      string
		trusted   []string
		forwarded []string
		want      string
	}{
		{"nobody is trusted", nil, []string{"203.0.113.9"}, "127.0.0.1"},
		{"another is trusted", []string{"10.0.0.0/8"}, []string{"203.0.113.9"}, "127.0.0.1"},
		{"a proxy", []string{v4}, []string{"203.0.113.9"}, "203.0.113.9"},
		{"a proxy that sends no header", []string{v4}, nil, "127.0.0.1"},
		{"a caller that claims another address", []string{v4}, []string{"198.51.100.1, 203.0.113.9"}, "203.0.113.9"},
		{"a caller that claims a proxy's address", []string{v4}, []string{"203.0.113.9, 127.0.0.9, 198.51.100.1"}, "198.51.100.1"},
		{"two proxies", []string{v4, v6}, []string{"203.0.113.9,2001:db8::1"}, "203.0.113.9"},
		{"a header for each proxy", []string{v4, v6}, []string{"203.0.113.9", "2001:db8::1"}, "203.0.113.9"},
		{"proxies alone", []string{v4}, []string{"127.0.0.3, 127.0.0.2"}, "127.0.0.3"},
		{"what is no address", []string{v4}, []string{"203.0.113.9, x, 127.0.0.2"}, "127.0.0.2"},
		{"an empty header", []string{v4}, []string{""}, "127.0.0.1"},
		{"a mapped address", []string{v4}, []string{"::ffff:203.0.113.9"}, "203.0.113.9"},
		{"a zone", []string{v4}, []string{"fe80::1%eth0"}, "fe80::1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := newService(t)
			for _, text := range tt.trusted {
				s.Trusts = append(s.Trusts, netip.MustParsePrefix(text))
			}
			c := s.dial(t)
			lines := ""
			for _, value := range tt.forwarded {
				lines += "X-Forwarded-For: " + value + "\r\n"
			}
			c.send("GET /v1/ping HTTP/1.1\r\nHost: x\r\n" + lines + "\r\n")
			c.read("GET")
			if r := <-s.asked; r.RemoteAddr != tt.want {
				t.Errorf("from %s, want %s", r.RemoteAddr, tt.want)
			}
		})
	}
}
