package dataset

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
)

// An upcoming match says nothing that only a match that was played can (D50).
func TestAnUpcomingMatchHasNoResult(t *testing.T) {
	const message = "must be left out: the match is upcoming"
	at := `"kickoffAt":"2025-08-01T20:30:00Z",`
	testDefects(t, []defect{
		{"a score", "matches", []string{kickoff(at + `"score":{"home":7,"away":0}`)}, 1, "score", message},
		{"penalties", "matches", []string{kickoff(at + `"penalties":{"home":0,"away":0}`)}, 1, "penalties", message},
		{"events", "matches", []string{kickoff(at + `"events":[{"type":"period","detail":"start","minute":0}]`)}, 1, "events", message},
		{"a winner", "matches", []string{kickoff(at + `"winner":"draw"`)}, 1, "winner", message},
	})
	set := mustRead(t, map[string]string{"matches": kickoff(at + `"score":{"home":0,"away":0},"winner":"none","events":[]`)})
	if m := set.Matches.At(0).Value.Base; m.Score != nil || m.Winner != sport.WinnerNone {
		t.Errorf("an upcoming match has %v, %s", m.Score, m.Winner)
	}
	set = mustRead(t, map[string]string{"matches": strings.Replace(match(`"score":{"home":7,"away":0}`), "finished", "postponed", 1)})
	if m := set.Matches.At(0).Value.Base; m.Score == nil || m.Score.Home != 7 {
		t.Errorf("a postponed match keeps %v", m.Score)
	}
}

func TestGoalsThatDoNotAddUpAreOdd(t *testing.T) {
	goal := func(side, detail string) string {
		return fmt.Sprintf(`{"type":"goal","detail":%q,"minute":1,"side":%q}`, detail, side)
	}
	for name, c := range map[string]struct{ events, want string }{
		"they do":    {goal("home", "regular") + "," + goal("home", "ownGoal") + "," + goal("away", "penalty"), ""},
		"one short":  {goal("home", "regular"), "the goals add up to 1:0, but the score is 2:1"},
		"none given": {`{"type":"card","detail":"red","minute":1,"side":"home"}`, ""},
	} {
		files := map[string]string{"matches": lined("", match(`"events":[`+c.events+`]`))}
		set := mustRead(t, files)
		want := []Fault{{File: "matches.ndjson", Line: 2, Field: "events", Message: c.want}}
		if c.want == "" {
			want = nil
		}
		if diff := cmp.Diff(want, set.Warnings.List); diff != "" {
			t.Errorf("%s: warnings (-want +got):\n%s", name, diff)
		}
		if faults := set.Warnings.Faults(); (faults != nil) != (c.want != "") {
			t.Errorf("%s: strictly %v", name, faults)
		}
	}
}
