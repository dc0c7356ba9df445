package site

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/signing"
	"touchline/shared/signing/vectors"
)

// onNode calls a function of JavaScript on Node.js with a value, and gives what it returns.
func onNode(t *testing.T, function string, in, out any) {
	t.Helper()
	if _, err := exec.LookPath("node"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	text, err := json.Marshal(in)
	must(t, err)
	node := exec.CommandContext(t.Context(), "node", "-e", `let text = ''
process.stdin.on('data', (d) => { text += d }).on('end', () => console.log(JSON.stringify((`+function+`)(JSON.parse(text)))))`)
	node.Stdin = bytes.NewReader(text)
	said, err := node.Output()
	must(t, err)
	must(t, json.Unmarshal(said, out))
}

// known is a request of package signing's known answers.
type known struct {
	Secret    string `json:"secret"`
	Method    string `json:"method"`
	Target    string `json:"target"`
	Timestamp string `json:"timestamp"`
	Nonce     string `json:"nonce"`
	Canonical string `json:"canonical"`
	Signature string `json:"signature"`
}

func knownRequests(t *testing.T) []known {
	t.Helper()
	var file struct{ Requests []known }
	if err := json.Unmarshal(vectors.JSON(), &file); err != nil || len(file.Requests) == 0 {
		t.Fatalf("%d requests, %v", len(file.Requests), err)
	}
	return file.Requests
}

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
	type check struct {
		Text   string `json:"text"`
		Method string `json:"method"`
		Target string `json:"target"`
	}
	var in struct {
		Checks  []check `json:"checks"`
		Vectors []known `json:"vectors"`
	}
	var got struct {
		Verdicts  [][]string
		Canonical []string
	}
	wrong := mistakes(t)
	names := slices.Sorted(maps.Keys(wrong))
	for _, name := range names {
		in.Checks = append(in.Checks, check{wrong[name].give, "GET", checked})
	}
	in.Checks, in.Vectors = append(in.Checks, check{rightString(t), "GET", checked}), knownRequests(t)
	onNode(t, `({ checks, vectors }) => {
  const canonical = require('./assets/canonical.js')
  return {
    verdicts: checks.map((c) => canonical.check(c.text, c).map((l) => [l.word, l.says ?? l.field, l.hint ?? ''].join(' ').trim())),
    canonical: vectors.map((v) => {
      const [path, query] = canonical.split(v.target)
      return canonical.of({ ...v, path, query })
    })
  }
}`, in, &got)
	for i, name := range names {
		if said := strings.Join(got.Verdicts[i], "\n"); !strings.Contains(said, wrong[name].says) || !strings.Contains(said, "wrong") {
			t.Errorf("%s: no %q in\n%s", name, wrong[name].says, said)
		}
	}
	if diff := cmp.Diff([]string{"right this is the string that is signed"}, got.Verdicts[len(names)]); diff != "" {
		t.Error(diff)
	}
	for i, r := range in.Vectors {
		if got.Canonical[i] != r.Canonical {
			t.Errorf("%s: %q, want %q", r.Target, got.Canonical[i], r.Canonical)
		}
	}
}
