package dataset_test

import (
	"errors"
	"testing"
	"testing/fstest"

	"touchline/shared/dataset"
)

// Without a table a patch is checked by its own fields, and is no record.
func TestAPatchIsCheckedWithoutATable(t *testing.T) {
	for line, field := range map[string]string{
		`{"id":"l6","patch":true,"score":{"home":1,"away":1}}`:                                    "",
		`{"id":"l6","patch":true,"status":"finished"}`:                                            "",
		`{"id":"l6","patch":true,"status":"upcoming","kickoffLocal":"2026-03-01"}`:                "",
		`{"id":"l6","patch":true,"events":[{"type":"goal","minute":3,"side":"home"}]}`:            "",
		`{"id":"l6","patch":true,"appendEvents":[{"type":"goal","minute":3,"side":"home"}]}`:      "",
		`{"id":"l6","patch":true,"appendEvents":[{"type":"goal","minute":3}]}`:                    "events[0].side",
		`{"id":"l6","patch":true,"appendEvents":{}}`:                                              "appendEvents",
		`{"id":"l6","patch":true,"appendEvents":[],"events":[]}`:                                  "appendEvents",
		`{"id":"l6","status":"live","appendEvents":[]}`:                                           "appendEvents",
		`{"id":"l6","patch":true,"score":{"home":1,"away":-1}}`:                                   "score.away",
		`{"id":"l6","patch":true,"skore":{"home":1,"away":1}}`:                                    "skore",
		`{"patch":true,"status":"live"}`:                                                          "id",
		`{"id":"l6","patch":true,"lineups":{"patch":true}}`:                                       "lineups.patch",
		`{"id":"l6","status":"live","kickoffAt":"2026-03-01","homeTeamId":"a","awayTeamId":"b" }`: "kickoffAt",
	} {
		set, err := dataset.Read(t.Context(), fstest.MapFS{"matches.ndjson": &fstest.MapFile{Data: []byte(line)}}, dataset.Options{})
		var faults *dataset.Faults
		switch {
		case field == "" && err != nil, field != "" && !errors.As(err, &faults):
			t.Errorf("%s: %v", line, err)
		case field != "" && faults.List[0].Field != field:
			t.Errorf("%s: %v", line, faults.List)
		case field == "" && (set.Matches.Len() > 0 || !set.Partial || set.Warnings.Count() > 0):
			t.Errorf("%s: %d matches, partial: %v, warnings: %v", line, set.Matches.Len(), set.Partial, set.Warnings)
		}
	}
}
