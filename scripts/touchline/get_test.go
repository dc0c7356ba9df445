package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"touchline/scripts/touchline/protocol"
	"touchline/shared/signing"
	"touchline/shared/sport"
)

// signedAs reports whether a request is signed with the word secret, for a path.
func signedAs(r *http.Request, path string) (signing.Headers, bool) {
	h, err := signing.ParseHeaders(func(name string) (string, bool) { return r.Header.Get(name), r.Header.Get(name) != "" })
	canonical, wrong := signing.Message{Method: r.Method, Path: path, Query: r.URL.RawQuery, Timestamp: h.Timestamp, Nonce: h.Nonce}.Canonical()
	return h, err == nil && wrong == nil && signing.Verify([]string{"secret"}, canonical, h.Signature)
}

// fake is a service that checks the signature of the request line as it came
// and responds as the test says.
type fake struct {
	status  int
	header  map[string]string
	body    string
	targets []string
}

func (f *fake) start(t *testing.T) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		target := strings.TrimPrefix(r.RequestURI, "/stage")
		path, _, _ := strings.Cut(target, "?")
		if _, ok := signedAs(r, path); !ok {
			http.Error(w, "signature", http.StatusTeapot)
			return
		}
		f.targets = append(f.targets, r.RequestURI)
		for k, v := range f.header {
			w.Header().Set(k, v)
		}
		w.WriteHeader(f.status)
		_, _ = io.WriteString(w, f.body)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func caller() *screen { return newTerminal(map[string]string{protocol.SecretVariable: "secret"}) }

func TestGetPrints(t *testing.T) {
	f := &fake{status: 200, header: map[string]string{"X-Service-Api-Version": "1"}, body: `{"a":1}`}
	base := f.start(t)
	tests := []struct {
		name     string
		terminal bool
		flag     string
		contains []string
		lacks    string
	}{
		{"the body as it came", false, "", []string{`{"a":1}`}, "HTTP"},
		{"it indented for a person", true, "", []string{"{\n  \"a\": 1\n}\n"}, "HTTP"},
		{"status and headers with -i", false, "-i", []string{"HTTP/1.1 200 OK\n", "X-Service-Api-Version: 1\n", "\n\n{\"a\":1}"}, "\r"},
		{"status and headers of HEAD", false, "--head", []string{"200 OK", "Content-Length: 7"}, `"a"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			term := caller()
			term.OutTerminal = tt.terminal
			args := []string{"get", "--key-id=k", "--base-url=" + base, "/v1/ping"}
			if tt.flag != "" {
				args = append(args, tt.flag)
			}
			out := term.succeed(t, args...)
			for _, part := range tt.contains {
				if !strings.Contains(out, part) {
					t.Errorf("no %q in %q", part, out)
				}
			}
			if strings.Contains(out, tt.lacks) {
				t.Errorf("%q in %q", tt.lacks, out)
			}
		})
	}
}

func TestARefusalEndsWithOneAndIsExplained(t *testing.T) {
	f := &fake{status: 429, header: map[string]string{"Retry-After": "7", "X-Request-Id": "id-1"}, body: `{"error":{"code":"rateLimited","message":"Rate limit exceeded"}}`}
	base := f.start(t)
	for flag, says := range map[string]string{
		"--include": "429 rateLimited: Rate limit exceeded, try again in 7 s (request id-1)",
		"--head":    "429 Too Many Requests, try again in 7 s (request id-1)",
	} {
		term := caller()
		if code := term.run("get", "--key-id=k", "--base-url="+base, "/v1/ping", flag); code != exitFailed || !strings.Contains(term.Errors.String(), says) || !strings.Contains(term.Output.String(), "429") {
			t.Errorf("%s: exit %d, %s%s", flag, code, term.Output.String(), term.Errors.String())
		}
	}
}

// Whatever is no answer of the service is no success.
func TestOnlyAnAnswerOfTheServiceIsASuccess(t *testing.T) {
	for name, tt := range map[string]struct {
		f    fake
		says string
	}{
		"a redirect":      {fake{status: 302, header: map[string]string{"Location": "https://login.example/"}}, "302 Found, to https://login.example/: "},
		"a foreign page":  {fake{status: 200, body: "<html>"}, "200, but the answer is not the service's"},
		"another version": {fake{status: 200, header: map[string]string{"X-Service-Api-Version": "2"}}, "version 2 of the API"},
	} {
		for _, flag := range []string{"--include", "--head"} {
			term := caller()
			if code := term.run("get", "--key-id=k", "--base-url="+tt.f.start(t), "/v1/ping", flag); code != exitFailed || !strings.Contains(term.Errors.String(), tt.says) {
				t.Errorf("%s, %s: exit %d, %s", name, flag, code, term.Errors.String())
			}
		}
	}
}

func TestGetSaysThatNothingAnswers(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	must(t, closed.Close())
	for name, tt := range map[string]struct{ addr, flag, says string }{
		"nothing listens": {closed.Addr().String(), "--timeout=30s", "is the service running there?"},
		"never answered":  {l.Addr().String(), "--timeout=20ms", "does not answer in time"},
	} {
		t.Run(name, func(t *testing.T) {
			term := caller()
			term.fails(t, exitFailed, tt.says, "get", "--key-id=k", fmt.Sprintf("--base-url=http://%s", tt.addr), tt.flag, "/v1/ping")
		})
	}
}

func TestIDsOfOnesOwnKeys(t *testing.T) {
	liga := string(sport.IDFor(sport.KindCompetition, "liga"))
	f := &fake{status: 200, header: map[string]string{"X-Service-Api-Version": "1"}, body: `{}`}
	base := f.start(t)
	caller().succeed(t, "get", "--key-id=k", "--base-url="+base, "/v1/tournaments/{competition:liga}/standings?teamId={team:a b/c}")
	want := "/v1/tournaments/" + liga + "/standings?teamId=" + string(sport.IDFor(sport.KindTeam, "a b/c"))
	if f.targets[0] != want {
		t.Errorf("sent %s, want %s", f.targets[0], want)
	}
	if out := caller().succeed(t, "get", "--key-id=k", "--explain", "/v1/tournaments/{competition:liga}"); !strings.Contains(out, liga) {
		t.Error(out)
	}
}

func TestWhatIsNoKeyOfOnesOwnIsUsage(t *testing.T) {
	for _, target := range []string{"/v1/clubs/{club:x}", "/v1/clubs/{organization:}", "/v1/clubs/{x", "/v1/clubs/{{organization:x}}", "/v1/clubs/{}"} {
		if code := caller().run("get", "--key-id=k", target); code != exitUsage {
			t.Errorf("%s: exit %d", target, code)
		}
	}
}
