package integrity_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/loader"
	"touchline/shared/simulation"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// stored is a federation o with the clubs k and l. Their teams a and b play in the league
// c, whose playoff is d. The last season of the league e has a given table, and the one
// before a group and a team w that has withdrawn. The teams x, y and z are of no club.
var stored = lines{
	"organizations": {`{"id":"o","type":"federation","name":"O"}`, `{"id":"k","type":"club","name":"K","parentId":"o"}`, `{"id":"l","type":"club","name":"L","parentId":"o"}`},
	"competitions": {
		`{"id":"c","season":2025,"name":"C","organizationId":"o","groups":[{"id":"g","name":"G","order":1}]}`,
		`{"id":"d","season":2025,"name":"D","organizationId":"o","parentId":"c","stage":"playoff"}`,
		`{"id":"e","season":2024,"name":"E","organizationId":"k","groups":[{"id":"h","name":"H","order":1}],"withdrawals":[{"teamId":"w","matches":"annulled"}]}`,
		`{"id":"e","season":2025,"name":"E","organizationId":"k"}`,
	},
	"teams": {
		`{"id":"a","name":"A","shortName":"A","organizationId":"k","competitionId":"c","season":2025,"group":"g"}`,
		`{"id":"b","name":"B","shortName":"B","organizationId":"l","competitionId":"c","season":2025}`,
		`{"id":"x","name":"X","shortName":"X"}`, `{"id":"y","name":"Y","shortName":"Y"}`, `{"id":"z","name":"Z","shortName":"Z"}`,
		`{"id":"w","name":"W","shortName":"W","competitionId":"e","season":2024}`,
	},
	"players": {`{"id":"p","name":"P","teamId":"x"}`, `{"id":"q","name":"Q","teamId":"b"}`},
	"matches": {
		`{"id":"m","competitionId":"c","season":2025,"group":"g","status":"finished","kickoffAt":"2026-03-01T15:00:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":0,"away":1},"events":[{"type":"goal","minute":9,"side":"away","playerId":"q"}]}`,
		`{"id":"f","status":"upcoming","kickoffAt":"2026-05-01T15:00:00Z","homeTeamId":"y","awayTeamId":"b"}`,
	},
	"standings": {`{"competitionId":"e","season":2025,"table":"regular","rows":[{"rank":1,"teamId":"z","played":1,"won":1,"drawn":0,"lost":0,"goalsFor":1,"goalsAgainst":0,"points":3}]}`},
}

// lines are a dataset: its lines by file.
type lines map[string][]string

func (d lines) load(t *testing.T, client *simulation.Database) error {
	t.Helper()
	folder := fstest.MapFS{}
	for name, lines := range d {
		folder[name+".ndjson"] = &fstest.MapFile{Data: []byte(strings.Join(lines, "\n"))}
	}
	l := &loader.Loader{Table: &store.Table{DB: client, Name: "sports"}, Lease: &store.Lease{
		DB: client, Table: "sports", Key: records.LockKey(), Holder: "a test", Now: time.Now,
	}}
	_, err := l.Load(t.Context(), folder, loader.Options{})
	return err
}

// Each line does not fit together with what is stored, and the fault says with what.
func TestWhatDoesNotFitIsAFault(t *testing.T) {
	for _, tt := range []struct {
		name, file, line string
		want             string // the faults; empty: it fits
	}{
		{"an organization below itself", "organizations", `{"id":"o","type":"federation","name":"O","parentId":"k"}`,
			`parentId: makes the organization lie below itself`},
		{"a parent that stays named", "organizations", `{"id":"o","deleted":true}`,
			`id: is a parent of organization "k", and 1 more, which stay; id: owns competition "c", and 1 more, which stay`},
		{"the owner of a team", "organizations", `{"id":"l","deleted":true}`,
			`id: owns team "b", which stays`},
		{"the owner of a competition", "organizations", `{"id":"k","deleted":true}`,
			`id: owns competition "e", which stays; id: owns team "a", which stays`},
		{"a season with teams and a match", "competitions", `{"id":"c","season":2025,"deleted":true}`,
			`id: season 2025 is that of team "b", and 1 more, which stay; id: season 2025 is that of match "m", which stays; ` +
				`id: is the parent of competition "d", which stays`},
		{"a season with a given table", "competitions", `{"id":"e","season":2025,"deleted":true}`,
			`id: has a regular table given for season 2025, which stays`},
		{"a season that loses a group", "competitions", `{"id":"c","season":2025,"name":"C","organizationId":"o"}`,
			`groups: does not have the group of team "a", which stays; groups: does not have the group of match "m", which stays`},
		{"a withdrawal of a team that is not entered", "competitions", `{"id":"d","season":2025,"name":"D","organizationId":"o","parentId":"c","stage":"playoff","withdrawals":[{"teamId":"a","matches":"annulled"}]}`,
			`withdrawals[0].teamId: team "a" is not entered in season 2025 of the competition`},
		{"a team with a player", "teams", `{"id":"x","deleted":true}`,
			`id: is the team of player "p", which stays`},
		{"a team with a match", "teams", `{"id":"y","deleted":true}`,
			`id: plays in match "f", which stays`},
		{"a team of a given table", "teams", `{"id":"z","deleted":true}`,
			`id: has a row in the regular table given for season 2025 of competition "e", which stays`},
		{"a player who has scored", "players", `{"id":"q","deleted":true}`,
			`id: is named in match "m", which stays`},
		{"a player who is named nowhere", "players", `{"id":"p","deleted":true}`, ""},
		{"a match that nothing refers to", "matches", `{"id":"f","deleted":true}`, ""},
		{"a team of a group that the competition has", "teams", `{"id":"b","name":"B","shortName":"B","organizationId":"l","competitionId":"c","group":"g"}`, ""},
		{"a team of a group of another season", "teams", `{"id":"b","name":"B","shortName":"B","organizationId":"l","competitionId":"e","group":"h"}`,
			`group: is not a group of season 2025 of competition "e"`},
		{"a match of a group of another season", "matches", `{"id":"m2","competitionId":"e","group":"h","status":"upcoming","kickoffAt":"2026-05-01T15:00:00Z","homeTeamId":"a","awayTeamId":"b"}`,
			`group: is not a group of season 2025 of competition "e"`},
		{"a team that leaves the season it has withdrawn from", "teams", `{"id":"w","name":"W","shortName":"W"}`,
			`id: is in the withdrawals of season 2024 of competition "e", which stays`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			client := simulation.NewDatabase()
			if err := stored.load(t, client); err != nil {
				t.Fatal(err)
			}
			err := lines{tt.file: {tt.line}}.load(t, client)
			var got []string
			if faults, ok := errors.AsType[*dataset.Faults](err); ok {
				for _, f := range faults.List {
					got = append(got, f.Field+": "+f.Message)
				}
			} else if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(got, "; "); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}
