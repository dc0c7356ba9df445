package main

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/signing"
)

func TestDocsWritesASiteForAnAddress(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	newTerminal(nil).succeed(t, "docs", "--output", dir, "--base-url", "https://league.example/api")
	for name, has := range map[string]string{
		"index.html": "https://league.example/api", "start.html": "league.rb", "reference-teams.html": "https://league.example/api",
		"openapi.json": "https://league.example/api", "kits/Touchline.java": "class Touchline",
	} {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil || !strings.Contains(string(text), has) {
			t.Errorf("%s has no %q: %v", name, has, err)
		}
	}
	term := newTerminal(nil)
	term.fails(t, exitUsage, "", "docs", "--output", dir, "--base-url", "league")
}

func TestServeShowsThePagesOnAnAddressOfTheirOwn(t *testing.T) {
	dir := small(t)
	s := startServe(t, newTerminal(nil), "--data="+dir, "--data-dir="+t.TempDir(), "--docs-addr=127.0.0.1:0")
	if s.Docs == "" || s.Docs == s.BaseURL {
		t.Fatalf("the pages are at %q", s.Docs)
	}
	ask := func(path, host string) (int, string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.Docs+path, nil)
		must(t, err)
		r.Host = host
		response, err := http.DefaultClient.Do(r)
		must(t, err)
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		must(t, err)
		return response.StatusCode, string(text)
	}
	if status, text := ask("/", ""); status != http.StatusOK || !strings.Contains(text, s.BaseURL) {
		t.Errorf("%d: %.200s", status, text)
	}
	if status, _ := ask("/v1/ping", ""); status != http.StatusNotFound {
		t.Errorf("the pages' address has the API: %d", status)
	}
	if status, _ := ask("/", "rebound.example"); status != http.StatusForbidden {
		t.Errorf("a page led here gets %d", status)
	}
}

// checkerDriver runs the checker of the site over requests with canonical strings,
// and prints its verdicts.
const checkerDriver = `
const canonical = require(process.argv[1])
let text = ''
process.stdin.on('data', (d) => { text += d }).on('end', () => {
  const { checks, vectors } = JSON.parse(text)
  console.log(JSON.stringify({
    verdicts: checks.map((c) => canonical.check(c.text, c).map((l) => [l.word, l.says ?? l.field, l.hint ?? ''].join(' ').trim())),
    canonical: vectors.map((v) => {
      const [path, query] = canonical.split(v.target)
      return canonical.of({ ...v, path, query })
    })
  }))
})`

const checked = "/v1/teams/a%2fb?b=2&a=x%20y&a=1"

func rightString(t *testing.T) string {
	t.Helper()
	path, query, _ := strings.Cut(checked, "?")
	text, err := signing.Message{Method: "GET", Path: path, Query: query, Timestamp: "1700000000", Nonce: "n"}.Canonical()
	must(t, err)
	return text
}

// mistakes are wrong strings, with what is to be said of them.
func mistakes(t *testing.T) map[string]struct{ give, says string } {
	t.Helper()
	right := rightString(t)
	swap := func(old, new string) string { return strings.Replace(right, old, new, 1) }
	query, hash := "a=1&a=x%20y&b=2", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	return map[string]struct{ give, says string }{
		"a line feed at the end":   {right + "\n", "line feed at the end"},
		"CR LF":                    {strings.ReplaceAll(right, "\n", "\r\n"), "CR LF"},
		"backslash n":              {strings.ReplaceAll(right, "\n", `\n`), "a backslash and an n"},
		"no body hash":             {strings.TrimSuffix(right, "\n"+hash), "it has 5 fields, not 6"},
		"an empty body hash":       {strings.TrimSuffix(right, hash), "it has 5 fields"},
		"a hash in capitals":       {swap(hash, strings.ToUpper(hash)), "the hash is written in lower case"},
		"the method in lower case": {swap("GET", "get"), "written in capitals"},
		"HEAD for GET":             {swap("GET", "HEAD"), "sign the method that is sent"},
		"no /v1":                   {swap("/v1/", "/"), "begins at /v1"},
		"a slash at the end":       {swap("b\n", "b/\n"), "slash at the end"},
		"a URL":                    {swap("/v1", "https://api.example/v1"), "scheme and host"},
		"escapes as sent":          {swap("%2F", "%2f"), "upper-case"},
		"the query as sent":        {swap(query, "b=2&a=x%20y&a=1"), "not signed as it is sent"},
		"unsorted":                 {swap(query, "a=x%20y&a=1&b=2"), "sorted by key"},
		"with ?":                   {swap(query, "?"+query), "the question mark"},
		"without the query":        {swap(query, ""), "the query is signed, too"},
		"a plus for a space":       {swap("x%20y", "x+y"), "a space is written %20"},
		"nothing":                  {"", "it has 1 field, not 6"},
	}
}

// TestTheCheckerNamesTheUsualMistakes, and makes the canonical strings of the
// vectors.
func TestTheCheckerNamesTheUsualMistakes(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		need(t, err)
	}
	type check struct {
		Text   string `json:"text"`
		Method string `json:"method"`
		Target string `json:"target"`
	}
	type vector struct {
		Method    string `json:"method"`
		Target    string `json:"target"`
		Timestamp string `json:"timestamp"`
		Nonce     string `json:"nonce"`
	}
	var in struct {
		Checks  []check  `json:"checks"`
		Vectors []vector `json:"vectors"`
	}
	var got struct {
		Verdicts  [][]string `json:"verdicts"`
		Canonical []string   `json:"canonical"`
	}
	wrong := mistakes(t)
	names := slices.Sorted(maps.Keys(wrong))
	for _, name := range names {
		in.Checks = append(in.Checks, check{wrong[name].give, "GET", checked})
	}
	in.Checks = append(in.Checks, check{rightString(t), "GET", checked})
	requests := knownRequests(t)
	for _, r := range requests {
		in.Vectors = append(in.Vectors, vector{r.Method, r.Target, r.Timestamp, r.Nonce})
	}
	text, err := json.Marshal(in)
	must(t, err)
	node := exec.CommandContext(t.Context(), "node", "-e", checkerDriver, "./site/assets/canonical.js")
	node.Stdin = strings.NewReader(string(text))
	out, err := node.Output()
	must(t, err)
	if err := json.Unmarshal(out, &got); err != nil || len(got.Verdicts) != len(in.Checks) || len(got.Canonical) != len(requests) {
		t.Fatalf("%v: %s", err, out)
	}
	for i, name := range names {
		if said := strings.Join(got.Verdicts[i], "\n"); !strings.Contains(said, wrong[name].says) || !strings.Contains(said, "wrong") {
			t.Errorf("%s: no %q in\n%s", name, wrong[name].says, said)
		}
	}
	if diff := cmp.Diff([]string{"right this is the string that is signed"}, got.Verdicts[len(names)]); diff != "" {
		t.Error(diff)
	}
	for i, r := range requests {
		if got.Canonical[i] != r.Canonical {
			t.Errorf("%s: %q, want %q", r.Target, got.Canonical[i], r.Canonical)
		}
	}
}
