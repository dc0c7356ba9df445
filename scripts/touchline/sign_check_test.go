package main

import (
	"strings"
	"testing"

	"touchline/shared/signing"
)

const checked = "/v1/teams/a%2fb?b=2&a=x%20y&a=1"

func rightString(t *testing.T) string {
	t.Helper()
	path, query, _ := strings.Cut(checked, "?")
	text, err := signing.Message{Method: "GET", Path: path, Query: query, Timestamp: "1700000000", Nonce: "n"}.Canonical()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestCheckAcceptsTheRightString(t *testing.T) {
	term := newTerminal(nil)
	term.In = strings.NewReader(rightString(t))
	if out := term.succeed(t, "sign", "--check", "GET", checked); !strings.HasPrefix(out, "right") {
		t.Error(out)
	}
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

func TestCheckNamesTheUsualMistakes(t *testing.T) {
	for name, tt := range mistakes(t) {
		t.Run(name, func(t *testing.T) {
			term := newTerminal(nil)
			term.In = strings.NewReader(tt.give)
			code := term.run("sign", "--check", "GET", checked)
			if code != exitFailed || !strings.Contains(term.Output.String(), tt.says) || !strings.Contains(term.Output.String(), "wrong") {
				t.Errorf("exit %d, no %q in\n%s%s", code, tt.says, term.Output.String(), term.Errors.String())
			}
			if strings.Contains(term.Output.String(), "\x1b") {
				t.Error("coloured, and nobody reads it")
			}
		})
	}
}

func TestCheckIsColouredForAPerson(t *testing.T) {
	for env, want := range map[string]bool{"": true, "NO_COLOR": false} {
		term := newTerminal(map[string]string{env: "1"})
		term.OutTerminal = true
		term.In = strings.NewReader("GET\x1b[2J\n")
		term.run("sign", "--check", "GET", checked)
		if got := strings.Contains(term.Output.String(), "\x1b[31m"); got != want {
			t.Errorf("%s: %q", env, term.Output.String())
		}
		if strings.Contains(term.Output.String(), "\x1b[2J") {
			t.Error("what was given reaches the terminal as it is")
		}
	}
}
