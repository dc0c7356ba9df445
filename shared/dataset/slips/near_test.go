package slips

import "testing"

func TestTheNearestWordIsWhatAMisspeltWordStandsFor(t *testing.T) {
	fields := []string{"id", "name", "shortName", "homeTeamId", "awayTeamId", "kickoffAt", "kickoffLocal"}
	for word, want := range map[string]string{
		"naem":        "name",       // swapped
		"shortname":   "shortName",  // other case
		"hometeam_id": "homeTeamId", // inserted
		"awayTeamID":  "awayTeamId",
		"kickofAt":    "kickoffAt", // deleted
		"Id":          "id",
		"town":        "",
		"nbmx":        "", // two of four letters
		"":            "",
		"x":           "",
		"kickoff":     "kickoffAt",
	} {
		if got := Near(word, fields); got != want {
			t.Errorf("nearest to %q is %q, want %q", word, got, want)
		}
	}
	if got := DidYouMean("blue", []string{"yellow", "secondYellow", "red"}); got != ": a blue card comes after the red one, so enter that" {
		t.Errorf("of a card of handball got %q", got)
	}
	if got := Near("Zürch", []string{"Zürich", "Zurich"}); got != "Zürich" {
		t.Errorf("got %q", got)
	}
	if got := Near("ab1", []string{"ab2", "ab3"}); got != "ab2" {
		t.Errorf("of two that are equally near got %q", got)
	}
}
