package main

import (
	"encoding/json"
	"strings"
	"testing"

	"touchline/shared/regulations"
)

func TestRegulationsAreListed(t *testing.T) {
	out := newTerminal(nil).succeed(t, "regulations")
	if lines := strings.Count(out, "\n"); lines != 1+len(regulations.All())+1+len(regulations.LeftOut()) {
		t.Errorf("%d lines:\n%s", lines, out)
	}
	for _, want := range []string{
		"\nla-liga  ", "\nNHL (ice hockey) is left out: wins in regulation time come right behind the points\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("not in it: %q\n%s", want, out)
		}
	}
	var entry regulations.Regulation
	must(t, json.Unmarshal([]byte(newTerminal(nil).succeed(t, "regulations", "La-Liga")), &entry))
	if want, _ := regulations.Find("la-liga"); entry.Name != want.Name || string(entry.Rules) != string(want.Rules) {
		t.Errorf("%+v", entry)
	}
	for name, want := range map[string]string{
		"la-lega":    "did you mean la-liga?",
		"calvinball": "without a name all are listed",
	} {
		newTerminal(nil).fails(t, exitUsage, want, "regulations", name)
	}
}
