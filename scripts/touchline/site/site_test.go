package site

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/openapi"
	"touchline/shared/problem"
	"touchline/shared/route"
)

func made() (map[string][]byte, error) { return Files("") }

var madeOnce = sync.OnceValues(made)

// must ends a test that cannot go on.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// written is made, once for all tests, which only read it.
func written(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := madeOnce()
	must(t, err)
	return files
}

// walk calls visit for each element of a page.
func walk(t *testing.T, page []byte, visit func(n *html.Node, attribute func(string) string)) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(string(page)))
	must(t, err)
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
	page := string(written(t)["signing.html"])
	for _, r := range workedRequests() {
		v, err := work(r)
		must(t, err)
		found := false
		for _, k := range knownRequests(t) {
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
		_, advice, found := strings.Cut(page, fmt.Sprintf(`<h2 id="%s">%[1]s <small>%d</small>`, code, code.Status()))
		advice, _, _ = strings.Cut(advice, "<h2")
		if !found || !strings.Contains(advice, "<p>") || !strings.Contains(advice, "<strong>To do:</strong>") {
			t.Errorf("%s has no advice", code)
		}
	}
}

// TestEveryParameterIsOnThePageOfErrors, with all that each route takes.
func TestEveryParameterIsOnThePageOfErrors(t *testing.T) {
	_, table, found := strings.Cut(string(written(t)["errors.html"]), `id="parameters"`)
	if !found {
		t.Fatal("there is no table of parameters")
	}
	rows := strings.Split(table, "<tr")
	for o := range groups.Table(endpoints.Deps{}).All() {
		for _, p := range o.Params {
			parts := append([]string{"<code>" + p.Name + "</code>"}, p.Enum...)
			if p.Form == route.FormInteger {
				parts = append(parts, p.Takes())
			}
			if p.Name == "status" {
				parts = append(parts, "<code>"+o.Path+"</code>") // it differs by route
			}
			if !slices.ContainsFunc(rows, func(row string) bool {
				return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(row, part) })
			}) {
				t.Errorf("%s: no row has %q", o.Path, parts)
			}
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
	found := regexp.MustCompile(`<h2[^>]*>(\S+) \([^<]*<a`).FindSubmatch(written(t)["changes.html"])
	if found == nil || string(found[1]) != openapi.Version {
		t.Errorf("%s", found)
	}
}

// TestTheReferenceShowsTheWholeDocument: every parameter and field of a route, and once
// the headers that all have.
func TestTheReferenceShowsTheWholeDocument(t *testing.T) {
	made := written(t)
	page := string(made["reference-tournaments.html"])
	at := 0
	for _, shown := range []string{
		`<h2 id="listTournamentMatches">The matches of a competition<a class="anchor"`, "/v1/tournaments/{id}/matches", "matches:read",
		"One of upcoming, live, finished, postponed.", "From 1 to 100. Default: 25.", "<code>GET /v1/tournaments/", "kickoffAt",
		`<code>data</code> <span class="kind">list of Match</span>`, "Fields of home", `<a href="errors.html">`, `reference.html#headers-of-a-response`,
	} {
		next := strings.Index(page[at:], shown)
		if next < 0 {
			t.Fatalf("%q is not there, or not in its place", shown)
		}
		at += next
	}
	if !strings.Contains(string(made["reference.html"]), "X-Service-Data-Version") {
		t.Error("the headers are not shown")
	}
	if tree := string(made["reference-organizations.html"]); !strings.Contains(tree, "list of TreeNode") {
		t.Error("a schema that holds itself is not shown")
	}
	for _, g := range route.Groups() {
		page := string(made[groupPageName(string(g))+".html"])
		for o := range groups.Table(endpoints.Deps{}).All() {
			if o.Group == g && !strings.Contains(page, o.Path) {
				t.Errorf("%s is missing", o.Path)
			}
		}
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
		{"GET", "/vectors.json", 200, "application/json"},
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
		if tt.status == http.StatusOK && (!strings.Contains(policy, "frame-ancestors 'none'") || strings.Contains(policy, "unsafe")) {
			t.Errorf("%s: %s", tt.path, policy)
		}
	}
}

// TestEachKitHasItsPanel, where a reader chooses a language.
func TestEachKitHasItsPanel(t *testing.T) {
	made := written(t)
	style := string(made["assets/style.css"])
	for _, k := range Kits() {
		if shown := fmt.Sprintf(".tabs:has(input[value=%[1]s]:checked) [data-language=%[1]s]", k.ID); k.Program != "" && !strings.Contains(style, shown) {
			t.Errorf("the panel of %s is never shown", k.ID)
		}
	}
}

func TestTheSameOptionsGiveTheSameBytes(t *testing.T) {
	second, err := made()
	must(t, err)
	first := written(t)
	for name := range first {
		if !slices.Equal(first[name], second[name]) {
			t.Errorf("%s differs", name)
		}
	}
}
