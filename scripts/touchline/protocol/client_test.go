package protocol

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/problem"
	"touchline/shared/signing"
)

func ping(w http.ResponseWriter) { _, _ = io.WriteString(w, `{"data":{"apiVersion":1,"new":{}}}`) }

func TestARefusalIsReturnedAtOnce(t *testing.T) {
	for _, code := range problem.Codes() {
		f := newFake(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
			refuse(w, code.Status(), fmt.Sprintf(`"code":%q,"message":%q`, code, code.Message()))
		})
		r := f.send(t)
		want := fmt.Sprintf("%d %s: %s (request request-1)", code.Status(), code, code.Message())
		if len(f.sent()) != 1 || r.status != code.Status() || r.err() == nil || r.err().Error() != want {
			t.Errorf("%s: %d requests, %v, want %s", code, len(f.sent()), r.err(), want)
		}
	}
}

// A 401 by a service whose clock is elsewhere says so, and nothing is sent again.
func TestARefusalSaysThatTheClockIsOff(t *testing.T) {
	for date, says := range map[string]string{
		noon().Add(time.Hour).Format(http.TimeFormat):          "differs from the service's by 1h0m0s: set it",
		noon().Add(-301 * time.Second).Format(http.TimeFormat): "by 5m1s",
		noon().Add(149 * time.Second).Format(http.TimeFormat):  "",
		"tomorrow": "",
	} {
		f := newFake(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Date", date)
			refuse(w, 401, `"code":"unauthorized","message":"Invalid credentials"`)
		})
		f.clock = noon()
		r := f.send(t)
		if said := r.err().Error(); len(f.sent()) != 1 || !strings.Contains(said, says) || strings.Contains(said, "clock") != (says != "") {
			t.Errorf("%s: %d requests, %s", date, len(f.sent()), said)
		}
	}
}

func hangUp(w http.ResponseWriter) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		_ = conn.Close()
	}
}

// net/http would repeat a GET by itself if it loses a connection that was used
// before.
func TestALostConnectionIsAnErrorAndNoRepetition(t *testing.T) {
	for name, answer := range map[string]func(http.ResponseWriter){
		"no response": hangUp,
		"half a response": func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "1000")
			ping(w)
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t, func(n int, w http.ResponseWriter, _ *http.Request) {
				if n == 1 {
					ping(w)
					return
				}
				answer(w)
			})
			c := f.client()
			for n := 1; n <= 2; n++ {
				if _, err := c.send(t.Context(), signing.Message{Method: http.MethodGet}, "/v1/ping"); (err == nil) != (n == 1) || len(f.sent()) != n {
					t.Errorf("request %d: %d sent, %v", n, len(f.sent()), err)
				}
			}
		})
	}
}

func TestWhatIsSignedIsWhatIsSent(t *testing.T) {
	targets := []string{
		"/v1/ping", "/v1/ping?", "/v1/clubs/a%2fb/../x//?b=2&a=%7e&&a", "/v1/%41?q='()*!+", "/v1/a;b|c?{x}#y", "/v1/%c3%28",
	}
	for _, prefix := range []string{"", "/stage", "/stage/", "/a%2Fb"} {
		f := newFake(t, func(_ int, w http.ResponseWriter, _ *http.Request) { ping(w) })
		c := f.client()
		c.base += prefix
		for i, target := range targets {
			r, err := c.send(t.Context(), signing.Message{Method: http.MethodGet}, target)
			if err != nil || r.status != 200 {
				t.Fatalf("%s%s: %v, %v", prefix, target, r, err)
			}
			if want := strings.TrimSuffix(prefix, "/") + target; f.sent()[i] != want {
				t.Errorf("sent %s, want %s", f.sent()[i], want)
			}
		}
	}
}

func TestATargetThatWouldArriveOtherwiseIsRefused(t *testing.T) {
	f := newFake(t, func(_ int, w http.ResponseWriter, _ *http.Request) { ping(w) })
	for _, target := range []string{"", "v1/ping", "//evil.example/v1/ping", "/v1/ä", "/v1/ping?a=b c", "/v1/\r\nX: y", "/v1/%zz"} {
		if _, err := f.client().send(t.Context(), signing.Message{Method: http.MethodGet}, target); !errors.As(err, new(terminal.UsageError)) || len(f.sent()) > 0 {
			t.Errorf("%q: %v", target, err)
		}
	}
}

func TestNoRedirectIsFollowed(t *testing.T) {
	f := newFake(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/v1/other", http.StatusFound)
	})
	if r := f.send(t); r.status != 302 || len(f.sent()) != 1 {
		t.Errorf("%d requests, %v", len(f.sent()), r.err())
	}
}
