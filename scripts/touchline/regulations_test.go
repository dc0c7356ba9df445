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
	var entries []regulations.Regulation
	if err := json.Unmarshal([]byte(newTerminal(nil).succeed(t, "regulations", "--json")), &entries); err != nil || len(entries) != len(regulations.All()) {
		t.Errorf("%d entries, %v", len(entries), err)
	}
}

func TestRegulationsOfACompetition(t *testing.T) {
	out := newTerminal(nil).succeed(t, "regulations", "Austria-Bundesliga-2021-final-rounds")
	for _, want := range []string{
		"Bundesliga (Austria), championship and relegation rounds from 2021-22 (football)\n",
		"  points   3-1-0\n",
		"  order    points, rounding of the half point, head to head (",
		"  carried  half of the points, rounded down, the record and the matches\n",
		"  source   Bestimmungen der Österreichischen Fußball-Bundesliga, 2021-22, ",
		"  note     Head to head and goals are those of both stages.\n",
		`"rules": {"like": "austria-bundesliga-2021-final-rounds"}`,
		`      "points": "halfDown",`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("not in it: %q\n%s", want, out)
		}
	}
	var entry regulations.Regulation
	must(t, json.Unmarshal([]byte(newTerminal(nil).succeed(t, "regulations", "--json", "la-liga")), &entry))
	if want, _ := regulations.Find("la-liga"); entry.Name != want.Name || string(entry.Rules) != string(want.Rules) {
		t.Errorf("%+v", entry)
	}
}

func TestRegulationsThatAreNotThere(t *testing.T) {
	for name, want := range map[string]string{
		"la-lega":    "did you mean la-liga?",
		"calvinball": "without a name all are listed",
	} {
		term := newTerminal(nil)
		term.fails(t, exitUsage, want, "regulations", name)
	}
}
