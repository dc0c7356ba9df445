package client_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/client"
	"touchline/shared/problem"
)

func ping(w http.ResponseWriter) { _, _ = io.WriteString(w, `{"data":{"apiVersion":1,"new":{}}}`) }

func TestOnlyWhatMayHelpIsRepeated(t *testing.T) {
	for _, c := range []struct {
		status   int
		code     problem.Code
		requests int
	}{
		{400, problem.BadRequest, 1},
		{403, problem.Forbidden, 1},
		{403, problem.ScopeMissing, 1},
		{403, problem.ProRequired, 1},
		{404, problem.NotFound, 1},
		{405, problem.MethodNotAllowed, 1},
		{422, problem.ScopeTooLarge, 1},
		{401, problem.Unauthorized, 1}, // the clock was right
		{429, problem.RateLimited, 4},
		{429, problem.QuotaExceeded, 4},
		{500, problem.InternalError, 4},
		{503, problem.IntegrationsUnavailable, 4},
		{503, problem.ServiceUnavailable, 4},
	} {
		t.Run(string(c.code), func(t *testing.T) {
			f := newFake(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
				refuse(w, c.status, fmt.Sprintf(`"code":%q,"message":%q`, c.code, c.code.Message()))
			})
			_, err := f.client().Ping(t.Context())
			if len(f.sent()) != c.requests {
				t.Errorf("%d requests, want %d", len(f.sent()), c.requests)
			}
			var refusal *client.Error
			if !errors.As(err, &refusal) || !errors.Is(err, client.Code(c.code)) || errors.Is(err, client.Code("other")) {
				t.Fatalf("error %v", err)
			}
			want := &client.Error{Status: c.status, Code: client.Code(c.code), Message: c.code.Message(), RequestID: fmt.Sprint("request-", c.requests)}
			if d := cmp.Diff(want, refusal); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestEveryCodeOfTheServiceHasAConstant(t *testing.T) {
	constants := map[client.Code]bool{
		client.BadRequest: true, client.Unauthorized: true, client.Forbidden: true, client.ScopeMissing: true,
		client.ProRequired: true, client.NotFound: true, client.MethodNotAllowed: true, client.ScopeTooLarge: true,
		client.RateLimited: true, client.QuotaExceeded: true, client.InternalError: true,
		client.IntegrationsUnavailable: true, client.ServiceUnavailable: true,
	}
	for _, code := range problem.Codes() {
		if !constants[client.Code(code)] {
			t.Errorf("no constant for %s", code)
		}
		delete(constants, client.Code(code))
	}
	if len(constants) > 0 {
		t.Errorf("no code of the service: %v", constants)
	}
}

func TestARepetitionIsAnsweredLikeAFirstAttempt(t *testing.T) {
	f := newFake(t, func(n int, w http.ResponseWriter, _ *http.Request) {
		if n < 4 {
			w.WriteHeader([]int{0, 502, 503, 504}[n]) // a gateway's own response, without our body
			return
		}
		ping(w)
	})
	got, err := f.client().Ping(t.Context())
	if err != nil || got.APIVersion != 1 {
		t.Fatalf("%+v, %v", got, err)
	}
	for i, full := range []time.Duration{250 * time.Millisecond, 500 * time.Millisecond, time.Second} {
		if p := f.pauses[i]; p < full/2 || p > full {
			t.Errorf("pause %d is %v, want %v to %v", i, p, full/2, full)
		}
	}
}

func TestRetryAfterIsHonouredWithinWhatIsAllowed(t *testing.T) {
	for _, c := range []struct {
		name     string
		header   string
		inner    string // rest of the body, after the code
		deadline time.Duration
		maxWait  time.Duration
		want     time.Duration // 0: no pause
		after    time.Duration // Error.RetryAfter
	}{
		{name: "of the header", header: "7", want: 7 * time.Second},
		{name: "of the body where there is no header", inner: `,"retryAfter":9`, want: 9 * time.Second},
		{name: "of the header before the body", header: "7", inner: `,"retryAfter":9`, want: 7 * time.Second},
		{name: "before the deadline", header: "7", deadline: 8 * time.Second, want: 7 * time.Second},
		{name: "at the deadline", header: "7", deadline: 7 * time.Second, after: 7 * time.Second},
		{name: "beyond the deadline", header: "7", deadline: 6 * time.Second, after: 7 * time.Second},
		{name: "a month's quota without a deadline", header: "1209600", after: 1209600 * time.Second},
		{name: "up to the longest pause", header: "30", maxWait: 30 * time.Second, want: 30 * time.Second},
		{name: "beyond the longest pause", header: "31", maxWait: 30 * time.Second, after: 31 * time.Second},
		{name: "a number too large", header: "99999999999999999999999", after: 999_999_999 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFake(t, func(n int, w http.ResponseWriter, _ *http.Request) {
				if n > 1 {
					ping(w)
					return
				}
				if c.header != "" {
					w.Header().Set("Retry-After", c.header)
				}
				refuse(w, 429, `"code":"rateLimited","message":"Rate limit exceeded"`+c.inner)
			})
			ctx := t.Context()
			if c.deadline != 0 {
				var cancel func()
				ctx, cancel = context.WithDeadline(ctx, noon().Add(c.deadline))
				defer cancel()
			}
			_, err := f.client(func(o *client.Config) { o.MaxWait = c.maxWait }).Ping(ctx)
			if c.want != 0 {
				if err != nil || !cmp.Equal(f.pauses, []time.Duration{c.want}) {
					t.Fatalf("paused %v, %v; want %v", f.pauses, err, c.want)
				}
				return
			}
			refusal, ok := errors.AsType[*client.Error](err)
			if !ok || len(f.pauses) > 0 || refusal.RetryAfter != c.after {
				t.Errorf("paused %v, %v; want the refusal with %v", f.pauses, err, c.after)
			}
		})
	}
}

func TestARetryAfterThatIsNoneLeavesTheUsualPause(t *testing.T) {
	for _, header := range []string{"-5", "soon", "1.5", "0", "Sat, 14 Mar 2099 12:00:30 GMT"} {
		f := newFake(t, func(n int, w http.ResponseWriter, _ *http.Request) {
			if n == 1 {
				w.Header().Set("Retry-After", header)
				w.WriteHeader(429)
				return
			}
			ping(w)
		})
		if _, err := f.client().Ping(t.Context()); err != nil || f.pauses[0] > 250*time.Millisecond {
			t.Errorf("%s: paused %v, %v", header, f.pauses, err)
		}
	}
}

func TestAContextThatEndsInAPauseReportsTheRefusalToo(t *testing.T) {
	f := newFake(t, func(_ int, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) })
	ctx, cancel := context.WithCancel(t.Context())
	c := f.client(func(o *client.Config) {
		o.Wait = func(ctx context.Context, _ time.Duration) error { cancel(); return ctx.Err() }
	})
	_, err := c.Ping(ctx)
	refusal, ok := errors.AsType[*client.Error](err)
	if !errors.Is(err, context.Canceled) || !ok || refusal.Status != 503 || len(f.sent()) != 1 {
		t.Errorf("%d requests, %v", len(f.sent()), err)
	}
}

func TestTheClockIsCorrectedOnceByTheServers(t *testing.T) {
	for _, c := range []struct {
		name     string
		ahead    time.Duration // the server's clock
		requests int           // of two pings
		err      bool
	}{
		{"it runs behind", time.Hour, 3, false},
		{"it runs ahead", -time.Hour, 3, false},
		{"just out of the window", 301 * time.Second, 3, false},
		{"within the window", 300 * time.Second, 2, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFake(t, func(_ int, w http.ResponseWriter, _ *http.Request) { ping(w) })
			f.clock = noon().Add(c.ahead)
			cl := f.client(func(o *client.Config) { o.Attempts = 1 })
			for range 2 {
				if _, err := cl.Ping(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if len(f.sent()) != c.requests || len(f.pauses) > 0 {
				t.Errorf("%d requests, want %d; paused %v", len(f.sent()), c.requests, f.pauses)
			}
			if want := c.ahead; c.requests == 3 && cl.Offset() != want {
				t.Errorf("offset %v, want %v", cl.Offset(), want)
			}
		})
	}
}

func TestA401AfterTheCorrectionIsFinal(t *testing.T) {
	requests := 0
	f := newFake(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		requests++
		w.Header().Set("Date", noon().Add(time.Duration(requests)*time.Hour).Format(http.TimeFormat))
		refuse(w, 401, `"code":"unauthorized","message":"Invalid credentials"`)
	})
	f.clock = noon()
	if _, err := f.client().Ping(t.Context()); !errors.Is(err, client.Unauthorized) || len(f.sent()) != 2 {
		t.Errorf("%d requests, %v", len(f.sent()), err)
	}
}

func TestADateThatIsNoneCorrectsNothing(t *testing.T) {
	f := newFake(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Date", "tomorrow")
		refuse(w, 401, `"code":"unauthorized","message":"Invalid credentials"`)
	})
	c := f.client()
	if _, err := c.Ping(t.Context()); !errors.Is(err, client.Unauthorized) || len(f.sent()) != 1 || c.Offset() != 0 {
		t.Errorf("%d requests, offset %v, %v", len(f.sent()), c.Offset(), err)
	}
}

func hangUp(w http.ResponseWriter) {
	conn, _, err := w.(http.Hijacker).Hijack()
	if err == nil {
		_ = conn.Close()
	}
}

// net/http would repeat a GET by itself if it loses a connection that was used
// before. The fake fails the test if that sends a nonce twice.
func TestALostConnectionIsAnsweredWithANewNonce(t *testing.T) {
	for _, c := range []struct {
		name string
		lost func(n int) bool
	}{
		{"a new one", func(n int) bool { return n == 1 }},
		{"one used before", func(n int) bool { return n == 2 }},
		{"several used before", func(n int) bool { return n == 2 || n == 3 || n == 5 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFake(t, func(n int, w http.ResponseWriter, _ *http.Request) {
				if c.lost(n) {
					hangUp(w)
					return
				}
				ping(w)
			})
			cl := f.client()
			for range 3 {
				if _, err := cl.Ping(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func TestWithoutAnAnswerTheAttemptsAreBounded(t *testing.T) {
	for name, answer := range map[string]func(http.ResponseWriter){
		"no answer": hangUp,
		"half an answer": func(w http.ResponseWriter) {
			w.Header().Set("Content-Length", "1000")
			ping(w)
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake(t, func(_ int, w http.ResponseWriter, _ *http.Request) { answer(w) })
			_, err := f.client(func(o *client.Config) { o.Attempts = 3 }).Ping(t.Context())
			if _, ok := errors.AsType[*client.Error](err); err == nil || ok || len(f.sent()) != 3 || len(f.pauses) != 2 {
				t.Errorf("%d requests, paused %v, %v", len(f.sent()), f.pauses, err)
			}
		})
	}
}

func TestAnEndedContextSendsNothing(t *testing.T) {
	f := newFake(t, func(_ int, w http.ResponseWriter, _ *http.Request) { ping(w) })
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.client().Ping(ctx); !errors.Is(err, context.Canceled) || len(f.sent())+len(f.pauses) > 0 {
		t.Errorf("%d requests, paused %v, %v", len(f.sent()), f.pauses, err)
	}
}

func TestWhatIsSignedIsWhatIsSent(t *testing.T) {
	targets := []string{
		"/v1/ping", "/v1/ping?", "/v1/clubs/a%2fb/../x//?b=2&a=%7e&&a", "/v1/%41?q='()*!+", "/v1/a;b|c?{x}#y", "/v1/%c3%28",
	}
	for _, prefix := range []string{"", "/stage", "/stage/", "/a%2Fb"} {
		f := newFake(t, func(_ int, w http.ResponseWriter, _ *http.Request) { ping(w) })
		c := f.client(func(o *client.Config) { o.BaseURL += prefix })
		for i, target := range targets {
			r, err := c.Raw(t.Context(), http.MethodGet, target)
			if err != nil || r.Status != 200 {
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
		if _, err := f.client().Raw(t.Context(), http.MethodGet, target); !errors.Is(err, client.ErrTarget) || len(f.sent()) > 0 {
			t.Errorf("%q: %v", target, err)
		}
	}
	if _, err := f.client().Raw(t.Context(), http.MethodPost, "/v1/ping"); err == nil {
		t.Error("POST was sent")
	}
}

func TestNoRedirectIsFollowed(t *testing.T) {
	f := newFake(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/v1/other", http.StatusFound)
	})
	_, err := f.client().Ping(t.Context())
	if refusal, ok := errors.AsType[*client.Error](err); !ok || refusal.Status != 302 || refusal.Code != "" || len(f.sent()) != 1 {
		t.Errorf("%d requests, %v", len(f.sent()), err)
	}
}
