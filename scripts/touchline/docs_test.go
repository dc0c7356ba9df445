package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/scripts/touchline/kits"
	"touchline/scripts/touchline/site"
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
	if code := term.run("docs", "--output", dir, "--base-url", "league"); code != exitUsage {
		t.Errorf("exit %d: %s", code, term.Errors.String())
	}
}

func TestTheSiteHasEveryKitAndAnExampleOfEach(t *testing.T) {
	var have []string
	for _, k := range kits.ForSite("") {
		if have = append(have, k.ID); k.Text == "" || k.File == "" {
			t.Errorf("%s is empty", k.ID)
		}
		if name, text := site.ExampleFile(k.ID); (name == "" || text == "") && k.ID != "types" && !k.Collection {
			t.Errorf("%s has no example", k.ID)
		}
	}
	for id := range kits.Names() {
		if !slices.Contains(have, id) {
			t.Errorf("%s is not on the site", id)
		}
	}
}

func TestServeShowsThePagesOnAnAddressOfTheirOwn(t *testing.T) {
	dir := small(t)
	s := startServe(t, newTerminal(nil), "--data="+dir, "--data-dir="+t.TempDir(), "--docs-addr=127.0.0.1:0")
	if s.Docs == "" || s.Docs == s.BaseURL {
		t.Fatalf("the pages are at %q", s.Docs)
	}
	ask := func(path, host string) (int, string) {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.Docs+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = host
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
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

// TestTheCheckerSaysWhatTheCommandSays, and makes the canonical strings of the
// vectors.
func TestTheCheckerSaysWhatTheCommandSays(t *testing.T) {
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
	var want, got struct {
		Verdicts  [][]string `json:"verdicts"`
		Canonical []string   `json:"canonical"`
	}
	texts := []string{rightString(t)}
	for _, m := range mistakes(t) {
		texts = append(texts, m.give)
	}
	for _, text := range texts {
		in.Checks = append(in.Checks, check{text, "GET", checked})
		term := newTerminal(nil)
		term.In = strings.NewReader(text)
		term.run("sign", "--check", "GET", checked)
		want.Verdicts = append(want.Verdicts, verdicts(term.Output.String()))
	}
	for _, r := range knownRequests(t) {
		in.Vectors = append(in.Vectors, vector{r.Method, r.Target, r.Timestamp, r.Nonce})
		want.Canonical = append(want.Canonical, r.Canonical)
	}
	text, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	node := exec.CommandContext(t.Context(), "node", "-e", checkerDriver, "./site/assets/canonical.js")
	node.Stdin = strings.NewReader(string(text))
	out, err := node.Output()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// verdicts takes what `sign --check` prints for a person apart: word, what is
// right or wrong, and the hint.
func verdicts(out string) []string {
	var all []string
	for line := range strings.Lines(out) {
		word, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		switch {
		case strings.HasPrefix(line, "right: "):
			all = append(all, "right "+rest)
		case word == "right" || word == "wrong":
			if name, _, _ := strings.Cut(rest, " "); name == strings.ToUpper(name) {
				rest = name
			}
			all = append(all, word+" "+rest)
		case !strings.Contains(line, "should be"):
			all[len(all)-1] += " " + strings.TrimSpace(line)
		}
	}
	return all
}
