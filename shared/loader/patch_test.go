package loader_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"touchline/shared/dataset"
	"touchline/shared/loader"
	"touchline/shared/sport"
)

// A record with "patch" changes the fields that it gives and no others: what
// comes out is what the whole record would make.
func TestAPatchChangesOnlyTheFieldsGiven(t *testing.T) {
	base := map[string]string{
		"organizations.ndjson": `{"id":"liga","type":"federation","name":"Liga"}`,
		"competitions.ndjson":  `{"id":"cup","season":2025,"name":"Cup","organizationId":"liga","timezone":"Europe/Vienna","rules":{"win":2}}`,
		"teams.ndjson":         `{"id":"a","name":"A","shortName":"A","competitionId":"cup"}` + "\n" + `{"id":"b","name":"B","shortName":"B","competitionId":"cup"}`,
		"players.ndjson":       `{"id":"p","name":"P","teamId":"a","number":9}`,
		"matches.ndjson": `{"id":"l6","competitionId":"cup","status":"live","round":3,"kickoffAt":"2026-03-01T15:00:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":1,"away":0},` +
			`"events":[{"type":"goal","minute":12,"side":"home","playerId":"p"}]}`,
	}
	finished := `{"id":"l6","competitionId":"cup","status":"finished","round":3,"kickoffAt":"2026-03-01T15:00:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":1,"away":1},` +
		`"events":[{"type":"goal","minute":12,"side":"home","playerId":"p"}]}`
	const second, third = `{"id":"second","type":"goal","minute":80,"side":"away"}`, `{"type":"goal","minute":12,"side":"home","playerId":"p"}`
	appended := strings.Replace(strings.Replace(finished, `]}`, `,`+second+`,`+third+`]}`, 1), `"finished"`, `"live"`, 1)
	appended = strings.Replace(appended, `"away":1}`, `"away":0}`, 1)
	id := string(sport.IDFor(sport.KindMatch, "l6"))
	dated := strings.Replace(base["matches.ndjson"], `"kickoffAt":"2026-03-01T15:00:00Z"`, `"kickoffAt":"2026-03-01T23:00:00Z","kickoffTimeOpen":true`, 1)
	timed := strings.Replace(dated, `,"kickoffTimeOpen":true`, "", 1)
	for _, tt := range []struct {
		name        string
		file        string
		patch, like []string // loaded one after the other, and once in their place
	}{
		{"a match", "matches.ndjson", []string{`{"id":"l6","patch":true,"status":"finished","score":{"home":1,"away":1}}`}, []string{finished}},
		{"by its id", "matches.ndjson", []string{`{"id":"` + id + `","patch":true,"status":"finished","score":{"home":1,"away":1}}`}, []string{finished}},
		{"a winner that followed from the score", "matches.ndjson",
			[]string{`{"id":"l6","patch":true,"status":"finished","score":{"home":1,"away":0}}`, `{"patch":true,"id":"l6","score":{"home":1,"away":1}}`}, []string{finished}},
		{"events after those stored", "matches.ndjson",
			[]string{`{"id":"l6","patch":true,"appendEvents":[` + second + `,` + third + `]}`, `{"id":"l6","patch":true,"appendEvents":[` + second + `]}`},
			[]string{appended}},
		{"null for the default", "matches.ndjson", []string{`{"id":"l6","patch":true,"round":null,"events":null}`},
			[]string{`{"id":"l6","competitionId":"cup","status":"live","kickoffAt":"2026-03-01T15:00:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":1,"away":0}}`}},
		{"a local kick-off", "matches.ndjson", []string{`{"id":"l6","patch":true,"status":"upcoming","score":null,"events":null,"kickoffLocal":"2026-03-02T15:00"}`},
			[]string{`{"id":"l6","competitionId":"cup","status":"upcoming","round":3,"kickoffAt":"2026-03-02T14:00:00Z","homeTeamId":"a","awayTeamId":"b"}`}},
		{"a date alone", "matches.ndjson", []string{`{"id":"l6","patch":true,"kickoffLocal":"02.03.2026"}`, `{"id":"l6","patch":true,"round":4}`},
			[]string{strings.Replace(dated, `"round":3`, `"round":4`, 1)}},
		{"midnight as the hour that was open", "matches.ndjson", []string{dated, `{"id":"l6","patch":true,"kickoffLocal":"2026-03-02 00:00"}`}, []string{timed}},
		{"an instant as the hour that was open", "matches.ndjson", []string{dated, `{"id":"l6","patch":true,"kickoffAt":"2026-03-01T23:00:00Z"}`}, []string{timed}},
		{"a season", "competitions.ndjson", []string{`{"id":"cup","season":2025,"patch":true,"completed":true}`},
			[]string{`{"id":"cup","season":2025,"name":"Cup","organizationId":"liga","timezone":"Europe/Vienna","rules":{"win":2},"completed":true}`}},
		{"a team", "teams.ndjson", []string{`{"id":"a","patch":true,"seed":3}`}, []string{`{"id":"a","name":"A","shortName":"A","competitionId":"cup","seed":3}`}},
		{"not a patch", "organizations.ndjson", []string{`{"id":"liga","patch":false,"type":"federation","name":"L"}`}, []string{`{"id":"liga","type":"federation","name":"L"}`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tables := [2]*sports{newSports(t), newSports(t)}
			for i, lines := range [][]string{tt.patch, tt.like} {
				load(t, tables[i], filesOf(base), loader.Options{})
				for _, line := range lines {
					load(t, tables[i], filesOf(map[string]string{tt.file: line}), loader.Options{})
				}
			}
			if diff := difference(tables[1].dump(t), tables[0].dump(t)); diff != "" {
				t.Errorf("whole (-) and patched (+):\n%s", diff)
			}
		})
	}
}

func TestAPatchOfWhatIsNotStoredIsAFault(t *testing.T) {
	s := newSports(t)
	for _, tt := range []struct{ file, line, field string }{
		{"matches.ndjson", `{"id":"l7","patch":true,"score":{"home":1,"away":1}}`, "id"},
		{"competitions.ndjson", `{"id":"cup","season":2020,"patch":true,"name":"Cup"}`, "id"},
		{"players.ndjson", `{"id":"p","patch":true,"deleted":true}`, "patch"},
		{"players.ndjson", `{"id":"p","patch":1,"name":"P"}`, "patch"},
		{"players.ndjson", `{"patch":true,"name":"P"}`, "id"},
		{"standings.ndjson", `{"competitionId":"cup","season":2020,"table":"regular","rows":[],"patch":true}`, "patch"},
	} {
		_, err := s.loader().Load(t.Context(), fstest.MapFS{tt.file: &fstest.MapFile{Data: []byte(tt.line)}}, loader.Options{})
		var faults *dataset.Faults
		if !errors.As(err, &faults) || faults.List[0].Field != tt.field || faults.List[0].Line != 1 {
			t.Errorf("%s: %v", tt.line, err)
		}
	}
}
