package format

import (
	"context"
	"errors"
	"testing"
	"testing/fstest"

	"touchline/shared/dataset"
	"touchline/shared/sport"
)

// A patch is the stored record with its fields.
func TestAPatchIsCheckedOverTheStoredRecord(t *testing.T) {
	const is = `{"id":"l6","status":"upcoming","kickoffAt":"2026-03-01T15:00:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":0,"away":0}}`
	for line, field := range map[string]string{
		`{"id":"l6","patch":true,"status":"live","score":{"home":1,"away":1}}`:                      "",
		`{"id":"l6","patch":true,"status":"finished"}`:                                              "",
		`{"id":"l6","patch":true,"status":"upcoming","kickoffLocal":"2026-03-01","timezone":"UTC"}`: "",
		`{"id":"l6","patch":true,"status":"live","events":[{"type":"timeout","minute":3}]}`:         "",
		`{"id":"l6","patch":true,"status":"live","appendEvents":[{"type":"timeout","minute":3}]}`:   "",
		`{"id":"l6","patch":true,"appendEvents":[{"type":"goal","minute":3}]}`:                      "events[0].side",
		`{"id":"l6","patch":true,"appendEvents":{}}`:                                                "appendEvents",
		`{"id":"l6","patch":true,"appendEvents":[],"events":[]}`:                                    "appendEvents",
		`{"id":"l6","status":"live","appendEvents":[]}`:                                             "appendEvents",
		`{"id":"l6","patch":true,"score":{"home":1,"away":-1}}`:                                     "score.away",
		`{"id":"l6","patch":true,"skore":{"home":1,"away":1}}`:                                      "skore",
		`{"id":"l7","patch":true,"status":"live"}`:                                                  "id", // which is not stored
		`{"patch":true,"status":"live"}`:                                                            "id",
		`{"id":"l6","patch":true,"lineups":{"patch":true}}`:                                         "lineups.patch",
		`{"id":"l6","status":"live","kickoffAt":"2026-03-01","homeTeamId":"a","awayTeamId":"b" }`:   "kickoffAt",
	} {
		set, err := Read(t.Context(), fstest.MapFS{"matches.ndjson": &fstest.MapFile{Data: []byte(line)}}, Options{Stored: stored(is)})
		var faults *dataset.Faults
		switch {
		case field == "" && err != nil, field != "" && !errors.As(err, &faults):
			t.Errorf("%s: %v", line, err)
		case field != "" && faults.List[0].Field != field:
			t.Errorf("%s: %v", line, faults.List)
		case field == "" && (set.Matches.Len() != 1 || set.Warnings.Count() > 0):
			t.Errorf("%s: %d matches, warnings: %v", line, set.Matches.Len(), set.Warnings)
		}
	}
}

// An error of the table is no fault of the dataset.
func TestAPatchNeedsTheTable(t *testing.T) {
	down := errors.New("down")
	unread := func(context.Context, sport.Kind, []Wanted) ([][]byte, error) { return nil, down }
	for name, line := range map[string]string{"matches.ndjson": `{"id":"l6","patch":true,"round":2}`, "players.csv": "id,name\np1,Ann\n"} {
		_, err := Read(t.Context(), fstest.MapFS{name: &fstest.MapFile{Data: []byte(line)}}, Options{Stored: unread})
		if !errors.Is(err, down) || errors.As(err, new(*dataset.Faults)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A winner that a record gives stays as long as the result names the same: a corrected
// score has a winner of its own, and a ruling holds (D59, D79).
func TestACorrectedScoreTakesItsWinner(t *testing.T) {
	for name, tt := range map[string]struct{ stored, patch, want string }{
		"not given":                     {`"score":{"home":3,"away":0}`, `"round":2`, "home"},
		"given":                         {`"score":{"home":3,"away":0},"winner":"home"`, `"round":2`, "home given"},
		"the same score again":          {`"score":{"home":3,"away":0},"winner":"home"`, `"score":{"away":0,"home":3}`, "home given"},
		"won higher":                    {`"score":{"home":3,"away":0},"winner":"home"`, `"score":{"home":4,"away":0}`, "home given"},
		"won by the other side":         {`"score":{"home":3,"away":0},"winner":"home"`, `"score":{"home":0,"away":3}`, "away"},
		"by the other one's shoot-out":  {`"score":{"home":1,"away":1},"penalties":{"home":3,"away":1},"winner":"home"`, `"penalties":{"home":1,"away":3}`, "away"},
		"a winner of its own":           {`"score":{"home":3,"away":0},"winner":"home"`, `"score":{"home":0,"away":3},"winner":"home"`, "home"},
		"a ruling holds":                {`"score":{"home":3,"away":0},"winner":"away"`, `"score":{"home":2,"away":0}`, "away"},
		"and is none where both say it": {`"score":{"home":3,"away":0},"winner":"away"`, `"score":{"home":0,"away":3}`, "away given"},
	} {
		is := `{"id":"m","status":"finished","kickoffAt":"2026-03-01T15:00:00Z","homeTeamId":"a","awayTeamId":"b",` + tt.stored + `}`
		set, err := Read(t.Context(), fstest.MapFS{"matches.ndjson": &fstest.MapFile{Data: []byte(`{"id":"m","patch":true,` + tt.patch + `}`)}}, Options{Stored: stored(is)})
		if err != nil {
			t.Fatal(name, err)
		}
		for _, m := range set.Matches.All() {
			got := string(m.Value.Base.Winner)
			if m.Value.Base.WinnerGiven {
				got += " given"
			}
			if got != tt.want {
				t.Errorf("%s: %s, want %s", name, got, tt.want)
			}
		}
	}
}
