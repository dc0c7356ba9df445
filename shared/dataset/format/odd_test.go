package format

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
		{"points", "matches", []string{kickoff(at + `"points":{"home":4,"away":1}`)}, 1, "points", message},
		{"points of sets", "matches", []string{kickoff(at + `"setPoints":{"home":4,"away":1}`)}, 1, "setPoints", message},
		{"a winner of the tie", "matches", []string{kickoff(at + `"tieWinner":"home"`)}, 1, "tieWinner", message},
	})
	set := mustRead(t, map[string]string{"matches": kickoff(at + `"score":{"home":0,"away":0},"winner":"none","events":[]`)})
	if m := set.Matches.At(0).Value.Base; m.Score != nil || m.Winner != sport.WinnerNone {
		t.Errorf("an upcoming match has %v, %s", m.Score, m.Winner)
	}
	set = mustRead(t, map[string]string{"matches": strings.Replace(match(`"score":{"home":7,"away":0}`), "finished", "postponed", 1)})
	if m := set.Matches.At(0).Value.Base; m.Score == nil || m.Score.Home != 7 {
		t.Errorf("a postponed match keeps %v", m.Score)
	}
	if want := "matches.ndjson:1: score: is 7:0, which counts nowhere while the match is postponed"; set.Warnings.String() != want {
		t.Errorf("warnings %q, want %q", set.Warnings, want)
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
		want := ""
		if c.want != "" {
			want = "matches.ndjson:2: events: " + c.want
		}
		if diff := cmp.Diff(want, set.Warnings.String()); diff != "" {
			t.Errorf("%s: warnings (-want +got):\n%s", name, diff)
		}
		if faults := set.Warnings.Faults(); (faults != nil) != (c.want != "") {
			t.Errorf("%s: strictly %v", name, faults)
		}
	}
}

func TestAWinnerThatScoreAndPointsContradictIsWarnedOf(t *testing.T) {
	for fields, want := range map[string]string{
		`"score":{"home":2,"away":1},"winner":"away"`:                                              "winner: is away, but the score is 2:1: it counts as a ruling",
		`"score":{"home":1,"away":1},"winner":"home"`:                                              "winner: is home, but the score is 1:1: it counts as a ruling",
		`"score":{"home":0,"away":0},"winner":"home"`:                                              "",
		`"score":{"home":0,"away":0},"winner":"none"`:                                              "",
		`"score":{"home":3,"away":0},"winner":"home"`:                                              "",
		`"score":{"home":1,"away":1},"penalties":{"home":4,"away":2},"winner":"home"`:              "",
		`"score":{"home":1,"away":1},"penalties":{"home":4,"away":2},"winner":"draw"`:              "winner: is draw, but the score is 1:1: it counts as a ruling",
		`"score":{"home":1,"away":1},"penalties":{"home":18,"away":12}`:                            "penalties: are 18:12: a shoot-out ends with a lead of one after 5 each, and penalty minutes have no field",
		`"score":{"home":1,"away":1},"penalties":{"home":22,"away":23}`:                            "",
		`"score":{"home":1,"away":1},"penalties":{"home":2,"away":5}`:                              "",
		`"score":{"home":0,"away":0},"points":{"home":0,"away":2}`:                                 "points: are 0:2, but the match counts as drawn: a winner says who won by a ruling",
		`"score":{"home":0,"away":0},"points":{"home":0,"away":2},"winner":"away"`:                 "",
		`"score":{"home":0,"away":0},"points":{"home":0,"away":2},"winner":"home"`:                 "points: are 0:2, but the match counts as won by the home team: a winner says who won by a ruling",
		`"score":{"home":0,"away":0},"points":{"home":1,"away":0},"winner":"none"`:                 "points: are 1:0, but the match counts as lost by both: a winner says who won by a ruling",
		`"score":{"home":20,"away":20},"points":{"home":3,"away":2}`:                               "", // a bonus point
		`"score":{"home":24,"away":31},"points":{"home":1,"away":4}`:                               "",
		`"score":{"home":1,"away":1},"points":{"home":0,"away":2},"penalties":{"home":2,"away":4}`: "",
	} {
		set := mustRead(t, map[string]string{"matches": match(fields)})
		if got := strings.TrimPrefix(set.Warnings.String(), "matches.ndjson:1: "); got != want {
			t.Errorf("%s: got %q, want %q", fields, got, want)
		}
	}
}

func TestEqualEventsOfALiveMatchAreOdd(t *testing.T) {
	const plain, named = `{"type":"card","detail":"red","minute":7,"side":"home"}`, `{"id":"e","type":"card","detail":"red","minute":7,"side":"home"}`
	for name, c := range map[string]struct {
		status, events string
		odd            bool
	}{
		"equal":                {"live", `{"type":"period","detail":"start","minute":0},` + plain + "," + plain, true},
		"one has an id":        {"live", plain + "," + named, false},
		"they differ":          {"live", plain + "," + strings.Replace(plain, "7", "8", 1), false},
		"the match is decided": {"finished", plain + "," + plain, false},
	} {
		want := ""
		if c.odd {
			want = "matches.ndjson:1: events: events[1] and events[2] say the same and have no id: give them ids, so that each keeps its own"
		}
		set := mustRead(t, map[string]string{"matches": strings.Replace(match(`"events":[`+c.events+`]`), "finished", c.status, 1)})
		if diff := cmp.Diff(want, set.Warnings.String()); diff != "" {
			t.Errorf("%s: warnings (-want +got):\n%s", name, diff)
		}
	}
}
