package dataset_test

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
	const stored = `{"id":"l6","status":"upcoming","kickoffAt":"2026-03-01T15:00:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":0,"away":0}}`
	lookup := func(_ context.Context, kind sport.Kind, wanted []dataset.Wanted) ([][]byte, error) {
		lines := make([][]byte, len(wanted))
		for i, w := range wanted {
			if kind == sport.KindMatch && w.Key == "l6" {
				lines[i] = []byte(stored)
			}
		}
		return lines, nil
	}
	for line, field := range map[string]string{
		`{"id":"l6","patch":true,"status":"live","score":{"home":1,"away":1}}`:                    "",
		`{"id":"l6","patch":true,"status":"finished"}`:                                            "",
		`{"id":"l6","patch":true,"status":"upcoming","kickoffLocal":"2026-03-01"}`:                "",
		`{"id":"l6","patch":true,"status":"live","events":[{"type":"timeout","minute":3}]}`:       "",
		`{"id":"l6","patch":true,"status":"live","appendEvents":[{"type":"timeout","minute":3}]}`: "",
		`{"id":"l6","patch":true,"appendEvents":[{"type":"goal","minute":3}]}`:                    "events[0].side",
		`{"id":"l6","patch":true,"appendEvents":{}}`:                                              "appendEvents",
		`{"id":"l6","patch":true,"appendEvents":[],"events":[]}`:                                  "appendEvents",
		`{"id":"l6","status":"live","appendEvents":[]}`:                                           "appendEvents",
		`{"id":"l6","patch":true,"score":{"home":1,"away":-1}}`:                                   "score.away",
		`{"id":"l6","patch":true,"skore":{"home":1,"away":1}}`:                                    "skore",
		`{"id":"l7","patch":true,"status":"live"}`:                                                "id", // which is not stored
		`{"patch":true,"status":"live"}`:                                                          "id",
		`{"id":"l6","patch":true,"lineups":{"patch":true}}`:                                       "lineups.patch",
		`{"id":"l6","status":"live","kickoffAt":"2026-03-01","homeTeamId":"a","awayTeamId":"b" }`: "kickoffAt",
	} {
		set, err := dataset.Read(t.Context(), fstest.MapFS{"matches.ndjson": &fstest.MapFile{Data: []byte(line)}}, dataset.Options{Stored: lookup})
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
