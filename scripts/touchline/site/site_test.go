package site

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"touchline/shared/openapi"
	"touchline/shared/problem"
)

// written is the site with two kits and, where it is installed, the renderer.
func written(t *testing.T) map[string][]byte {
	t.Helper()
	o := Options{Kits: []Kit{
		{ID: "python", Label: "Python", Lang: "python", File: "touchline.py", Text: "print(1 < 2)\n"},
		{ID: "postman", Label: "Postman", File: "touchline.json", Text: "{}", Collection: true},
	}}
	if renderer, err := Renderer(); err == nil {
		o.Renderer = renderer
	}
	made, err := Files(o)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// walk calls visit for each element of a page.
func walk(t *testing.T, page []byte, visit func(n *html.Node, attribute func(string) string)) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(string(page)))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		visit(n, func(name string) string {
			for _, a := range n.Attr {
				if a.Key == name {
					return a.Val
				}
			}
			return ""
		})
	}
}

// TestLinksLead: to a file of the site, and to an element of it. No page loads
// anything from elsewhere, or has script or style of its own.
func TestLinksLead(t *testing.T) {
	made := written(t)
	ids := map[string]map[string]bool{}
	for name, text := range made {
		if path.Ext(name) != ".html" {
			continue
		}
		ids[name] = map[string]bool{}
		walk(t, text, func(_ *html.Node, attribute func(string) string) {
			id := attribute("id")
			if id != "" && ids[name][id] {
				t.Errorf("%s: the id %s is there twice", name, id)
			}
			ids[name][id] = true
		})
	}
	if len(ids) < 12 {
		t.Fatalf("%d pages", len(ids))
	}
	for name := range ids {
		policy := false
		walk(t, made[name], func(n *html.Node, attribute func(string) string) {
			policy = policy || attribute("http-equiv") == "Content-Security-Policy" && strings.HasPrefix(attribute("content"), "default-src 'none'; script-src 'self';")
			if n.Data == "style" || n.Data == "script" && n.FirstChild != nil || attribute("style") != "" {
				t.Errorf("%s: the policy stops what is in %s", name, n.Data)
			}
			for _, a := range n.Attr {
				if strings.HasPrefix(a.Key, "on") {
					t.Errorf("%s: the policy stops %s", name, a.Key)
				}
			}
			for _, link := range []string{attribute("href"), attribute("src")} {
				if link == "" {
					continue
				}
				to, err := url.Parse(link)
				if err != nil || to.IsAbs() || to.Host != "" {
					t.Errorf("%s leads to %s", name, link)
					continue
				}
				target := to.Path
				if target == "" {
					target = name
				}
				if _, there := made[target]; !there {
					t.Errorf("%s: no file %s", name, link)
				}
				if to.Fragment != "" && !ids[target][to.Fragment] {
					t.Errorf("%s: no %s", name, link)
				}
			}
		})
		if !policy {
			t.Errorf("%s has no policy", name)
		}
	}
}

// TestTheExamplesAreAmongTheVectors, which another program made.
func TestTheExamplesAreAmongTheVectors(t *testing.T) {
	text, err := os.ReadFile("../../../shared/signing/testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var known struct {
		Requests []struct{ Secret, Method, Target, Timestamp, Nonce, Canonical, Signature string }
	}
	if err := json.Unmarshal(text, &known); err != nil {
		t.Fatal(err)
	}
	page := string(written(t)["signing.html"])
	for _, r := range workedRequests() {
		v, err := work(r)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, k := range known.Requests {
			if k.Secret == v.Secret && k.Method == v.Method && k.Target == v.Target && k.Timestamp == v.Timestamp && k.Nonce == v.Nonce {
				found = k.Canonical == v.Canonical && k.Signature == v.Signature
			}
		}
		if !found {
			t.Errorf("%s is no vector", r.target)
		}
		if len(v.Sorted) > 0 && strings.Join(v.Sorted, "&") != v.Fields[2] {
			t.Errorf("sorted to %s, signed %s", v.Sorted, v.Fields[2])
		}
		for _, shown := range append([]string{v.Signature, v.SHA256, strings.TrimSpace(v.Hex)}, v.Fields...) {
			if !strings.Contains(page, html.EscapeString(shown)) {
				t.Errorf("%q is not on the page", shown)
			}
		}
	}
}

func TestEveryCodeHasAdvice(t *testing.T) {
	page := string(written(t)["errors.html"])
	for _, code := range problem.Codes() {
		if when, todo := advice(code); when == "" || todo == "" {
			t.Errorf("%s: %q, %q", code, when, todo)
		}
		if !strings.Contains(page, fmt.Sprintf("%s <small>%d</small>", code, code.Status())) {
			t.Errorf("%s is not on the page", code)
		}
	}
}

func TestEveryRouteIsOnTheOverview(t *testing.T) {
	page := string(written(t)["index.html"])
	for path := range openapi.Examples() {
		if !strings.Contains(page, "<code>"+path+"</code>") {
			t.Errorf("%s is not on the page", path)
		}
	}
}

func TestTheChangesBeginWithTheVersion(t *testing.T) {
	found := regexp.MustCompile(`<h2[^>]*>([^<]*)</h2>`).FindSubmatch(written(t)["changes.html"])
	if found == nil || string(found[1]) != openapi.Version {
		t.Errorf("%s", found)
	}
}

// TestTheRendererAsksNobody: with its telemetry off by an option and without the
// image of its maker there is nothing that it would load.
func TestTheRendererAsksNobody(t *testing.T) {
	made := written(t)
	bundle, there := made["assets/redoc.js"]
	if !there {
		t.Skip("Redoc is not installed: make test-all runs it")
	}
	for _, gone := range []string{"cdn.redoc.ly", "import.meta", "export{"} {
		if strings.Contains(string(bundle), gone) {
			t.Errorf("%s is in it", gone)
		}
	}
	if !strings.Contains(string(made["assets/reference.js"]), "disableTelemetry: true") {
		t.Error("its telemetry is on")
	}
	if !strings.Contains(string(made["assets/document.js"]), `"/v1/ping"`) {
		t.Error("the document is missing")
	}
}

func TestWithoutTheRendererThePageSaysSo(t *testing.T) {
	made, err := Files(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(made["reference.html"]), "openapi.json") || made["assets/redoc.js"] != nil {
		t.Errorf("%s", made["reference.html"])
	}
}

func TestTheHandlerHoldsToThePolicy(t *testing.T) {
	h := Handler(written(t))
	for _, tt := range []struct {
		method, path string
		status       int
		kind         string
	}{
		{"GET", "/", 200, "text/html"},
		{"HEAD", "/index.html", 200, "text/html"},
		{"GET", "/reference.html", 200, "text/html"},
		{"GET", "/assets/style.css", 200, "text/css"},
		{"GET", "/assets/canonical.js", 200, "text/javascript"},
		{"GET", "/openapi.json", 200, "application/json"},
		{"GET", "/kits/touchline.py", 200, "text/plain"},
		{"GET", "/../site.go", 404, ""},
		{"GET", "/none", 404, ""},
		{"POST", "/", 405, ""},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(tt.method, "http://127.0.0.1"+tt.path, nil))
		if w.Code != tt.status || !strings.HasPrefix(w.Header().Get("Content-Type"), tt.kind) {
			t.Errorf("%s %s: %d, %s", tt.method, tt.path, w.Code, w.Header().Get("Content-Type"))
		}
		policy := w.Header().Get("Content-Security-Policy")
		if tt.status == http.StatusOK && (!strings.Contains(policy, "frame-ancestors 'none'") || strings.Contains(policy, "unsafe") != (tt.path == "/reference.html")) {
			t.Errorf("%s: %s", tt.path, policy)
		}
	}
}

// TestEachKitHasItsTextAndItsPanel: on a page of its own, and where a reader
// chooses a language.
func TestEachKitHasItsTextAndItsPanel(t *testing.T) {
	made := written(t)
	if page := string(made["kit-python.html"]); !strings.Contains(page, "print") || !strings.Contains(page, "touchline kit python") {
		t.Errorf("%s", page)
	}
	style := string(made["assets/style.css"])
	for _, e := range examples() {
		if shown := fmt.Sprintf(".tabs:has(input[value=%[1]s]:checked) [data-language=%[1]s]", e.kit); !strings.Contains(style, shown) {
			t.Errorf("the panel of %s is never shown", e.kit)
		}
	}
}

func TestTheSameOptionsGiveTheSameBytes(t *testing.T) {
	first, second := written(t), written(t)
	for name := range first {
		if !slices.Equal(first[name], second[name]) {
			t.Errorf("%s differs", name)
		}
	}
}
