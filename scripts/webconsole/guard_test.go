package webconsole

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"touchline/shared/simulation"
	"touchline/shared/sport"
	"touchline/shared/store/records/recordstest"
)

const testAddr = "127.0.0.1:8090"

// testTime is the clock of every test.
var testTime = time.Date(2026, time.March, 14, 15, 0, 0, 0, time.UTC)

// browser is a browser of a test: it keeps cookies and says where it is.
type browser struct {
	*Server
	cookies   []*http.Cookie
	announced []string
}

func newBrowser(t testing.TB, o Options) *browser {
	t.Helper()
	b := &browser{}
	o.Addr, o.Place = testAddr, "a test"
	o.Now = func() time.Time { return testTime }
	o.Announce = func(address string) { b.announced = append(b.announced, address) }
	if o.Report == nil {
		o.Report = func(err error) { t.Errorf("reported: %v", err) }
	}
	if o.Keys == nil {
		o.Keys = simulation.NewDatabase().Keys()
	}
	if o.Usage == nil {
		o.Usage = func(context.Context, time.Time) (map[sport.ID]int, error) { return map[sport.ID]int{}, nil }
	}
	b.Server = New(o)
	return b
}

// send sends a request as a browser does from a page of the console; change
// makes it another.
func (b *browser) send(method, target, body string, change func(*http.Request)) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, b.root+strings.TrimPrefix(target, b.root), strings.NewReader(body))
	r.Host = testAddr
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	if method == http.MethodPost {
		r.Header.Set("Origin", "http://"+testAddr)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for _, c := range b.cookies {
		r.AddCookie(c)
	}
	if change != nil {
		change(r)
	}
	w := httptest.NewRecorder()
	b.ServeHTTP(w, r)
	b.cookies = append(b.cookies, w.Result().Cookies()...)
	w.Header().Set("Location", strings.TrimPrefix(w.Header().Get("Location"), b.root))
	w.Body = bytes.NewBuffer(bytes.ReplaceAll(w.Body.Bytes(), []byte(`="`+b.root+"/"), []byte(`="/`)))
	return w
}

// open logs in with a first address.
func (b *browser) open(t testing.TB, address string) *httptest.ResponseRecorder {
	t.Helper()
	u, err := url.Parse(address)
	must(t, err)
	return b.send(http.MethodGet, u.RequestURI(), "", func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "none") })
}

// loggedInBrowser is a browser that has opened the first address.
func loggedInBrowser(t testing.TB, o Options) *browser {
	t.Helper()
	if o.Sports == nil {
		o.Sports = recordstest.New(t).Table
	}
	b := newBrowser(t, o)
	if w := b.open(t, b.Address()); w.Code != http.StatusSeeOther {
		t.Fatalf("login: %d %s", w.Code, w.Body)
	}
	return b
}

// post sends a form.
func (b *browser) post(target string, fields url.Values) *httptest.ResponseRecorder {
	return b.send(http.MethodPost, target, fields.Encode(), nil)
}

// holds fails where a page lacks a part, or has one that it must not have.
func holds(t *testing.T, page string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		text, not := strings.CutPrefix(part, no(""))
		if strings.Contains(page, text) == not {
			t.Errorf("%q is in the page: %t: %s", text, not, page)
		}
	}
}

// no is a part that a page must not have.
func no(part string) string { return "\x00" + part }

func TestAnAddressLogsInOnce(t *testing.T) {
	b := newBrowser(t, Options{})
	if w := b.send(http.MethodGet, "/nowhere", "", nil); w.Code != http.StatusForbidden {
		t.Errorf("without a login: %d", w.Code)
	}
	first := b.Address()
	_, target, _ := strings.Cut(first, testAddr)
	if w := b.send(http.MethodHead, target, "", nil); len(w.Result().Cookies()) != 0 {
		t.Error("a HEAD logs in")
	}
	w := b.open(t, first)
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/" {
		t.Fatalf("login: %d %v", w.Code, w.Header())
	}
	cookie := w.Result().Cookies()[0]
	if !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode || cookie.Path != b.root+"/" || cookie.MaxAge != 0 || cookie.Name != "touchline-console-8090" {
		t.Errorf("cookie: %+v", cookie)
	}
	if strings.Contains(first, cookie.Value) {
		t.Error("the cookie is the token")
	}
	if w := b.send(http.MethodGet, "/nowhere", "", nil); w.Code != http.StatusNotFound {
		t.Errorf("after the login: %d", w.Code)
	}
	if len(b.announced) != 1 || b.announced[0] == first {
		t.Fatalf("the next address: %q", b.announced)
	}
	another := &browser{Server: b.Server}
	for name, address := range map[string]string{
		"a used address":  first,
		"without a token": "http://" + testAddr + b.root + "/login",
		"a cut-off token": b.announced[0][:len(b.announced[0])-1],
	} {
		if w := another.open(t, address); w.Code != http.StatusForbidden || len(w.Result().Cookies()) != 0 {
			t.Errorf("%s: %d", name, w.Code)
		}
	}
	if w := another.open(t, b.announced[0]); w.Code != http.StatusSeeOther {
		t.Errorf("the next address: %d", w.Code)
	}
}

func TestAClickFromAPageElsewhereLogsIn(t *testing.T) {
	b := newBrowser(t, Options{})
	target := strings.TrimPrefix(b.Address(), "http://"+testAddr)
	click := func(r *http.Request) {
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		r.Header.Set("Sec-Fetch-Mode", "navigate")
		r.Header.Set("Sec-Fetch-Dest", "document")
	}
	w := b.send(http.MethodGet, target, "", click)
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `http-equiv="refresh"`) || len(b.cookies) != 1 {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	if w := b.send(http.MethodGet, "/nowhere", "", click); w.Code != http.StatusForbidden {
		t.Errorf("a click to another page: %d", w.Code)
	}
}

func TestOnlyRequestsOfItsOwnPagesAreServed(t *testing.T) {
	header := func(pairs ...string) func(*http.Request) {
		return func(r *http.Request) {
			for i := 0; i < len(pairs); i += 2 {
				r.Header.Del(pairs[i])
				if pairs[i+1] != "" {
					r.Header.Set(pairs[i], pairs[i+1])
				}
			}
		}
	}
	host := func(host string) func(*http.Request) { return func(r *http.Request) { r.Host = host } }
	get, post := http.MethodGet, http.MethodPost
	tests := []struct {
		name   string
		method string
		change func(*http.Request)
		want   int
	}{
		{"a page of its own", get, nil, 404},
		{"a typed address", get, header("Sec-Fetch-Site", "none"), 404},
		{"an old browser", get, header("Sec-Fetch-Site", ""), 404},
		{"a form of its own", post, nil, 404},
		{"localhost", get, host("localhost:8090"), 404},
		{"another host", get, host("example.org"), 403},
		{"another port", get, host("127.0.0.1:8091"), 403},
		{"another site", get, header("Sec-Fetch-Site", "cross-site"), 403},
		{"another port's page", get, header("Sec-Fetch-Site", "same-site"), 403},
		{"a form of another port", post, header("Sec-Fetch-Site", "", "Origin", "http://127.0.0.1:8091"), 403},
		{"a form of a hidden origin", post, header("Sec-Fetch-Site", "", "Origin", "null"), 403},
		{"a form of its own, which says no origin", post, header("Origin", "null"), 404},
		{"a form without an origin", post, header("Origin", ""), 403},
		{"a read with a foreign origin", get, header("Origin", "https://example.org"), 403},
		{"no cookie", get, header("Cookie", ""), 403},
		{"another cookie", get, header("Cookie", "touchline-console-8090=x"), 403},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := loggedInBrowser(t, Options{})
			if w := b.send(test.method, "/nowhere", "", test.change); w.Code != test.want {
				t.Errorf("status %d, want %d: %s", w.Code, test.want, w.Body)
			}
		})
	}
}

func TestEveryResponseIsBound(t *testing.T) {
	b := loggedInBrowser(t, Options{})
	for _, target := range []string{"/", "/nowhere", "/login?token=x", "/assets/app.css", "/assets/app.js", "/assets/icon.svg"} {
		h := b.send(http.MethodGet, target, "", nil).Header()
		for name, want := range map[string]string{
			"Content-Security-Policy": policy, "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
			"Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
		} {
			if got := h.Get(name); got != want {
				t.Errorf("%s: %s is %q", target, name, got)
			}
		}
		if len(h["Access-Control-Allow-Origin"]) > 0 {
			t.Errorf("%s may be read elsewhere", target)
		}
	}
	if strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") {
		t.Error(policy)
	}
}

func TestAFormHasABound(t *testing.T) {
	b := loggedInBrowser(t, Options{})
	for path, form := range map[string]url.Values{"/nowhere": {"x": {strings.Repeat("x", maxForm)}}, uploadPath: {}} {
		if w := b.post(path, form); w.Code != http.StatusBadRequest {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

func TestTheOldestSessionEnds(t *testing.T) {
	b := loggedInBrowser(t, Options{})
	for range maxSessions {
		(&browser{Server: b.Server}).open(t, b.announced[len(b.announced)-1])
	}
	if w := b.send(http.MethodGet, "/nowhere", "", nil); w.Code != http.StatusForbidden {
		t.Errorf("the first of %d sessions: %d", maxSessions+1, w.Code)
	}
}

// A session ends after half a day, and its upload with it.
func TestASessionEnds(t *testing.T) {
	now := time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC)
	d := &doorman{now: func() time.Time { return now }}
	s := d.exchange(d.newToken())
	now = now.Add(sessionTerm - time.Second)
	if d.find(s.id) != s {
		t.Error("it has ended early")
	}
	now = now.Add(time.Second)
	if d.find(s.id) != nil || len(d.sessions) != 0 {
		t.Error("it has not ended")
	}
}

// Every path that takes a POST is refused where nothing may be changed.
func TestAConsoleThatReadsChangesNothing(t *testing.T) {
	b := loaded(t, league(), Options{ReadOnly: true})
	for _, path := range []string{
		"/loads/upload", "/loads/apply", "/loads/drop", "/loads/1/undo",
		"/fixtures/" + idAt(sport.KindCompetition, "cup"),
	} {
		if w := b.post(path, nil); w.Code != http.StatusForbidden {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	if w := b.send(http.MethodGet, "/loads", "", nil); w.Code != http.StatusOK {
		t.Error(w.Code)
	}
}

// must ends a test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
