package integrity_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/dataset/format"
	"touchline/shared/loader"
	"touchline/shared/loader/history"
	"touchline/shared/loader/integrity"
	"touchline/shared/simulation"
	"touchline/shared/sport"
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

func (d lines) load(t *testing.T, client *simulation.Database, opts loader.Options) error {
	t.Helper()
	folder := fstest.MapFS{}
	for name, lines := range d {
		folder[name+".ndjson"] = &fstest.MapFile{Data: []byte(strings.Join(lines, "\n"))}
	}
	l := &loader.Loader{Table: &store.Table{DB: client, Name: "sports"}, Lease: &store.Lease{
		DB: client, Table: "sports", Key: records.LockKey(), Holder: "a test", Now: time.Now,
	}}
	_, err := l.Load(t.Context(), folder, opts)
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
		{"rules that get sets", "competitions", `{"id":"c","season":2025,"patch":true,"rules":{"sets":5}}`,
			`rules.sets: is 5, but stored matches ended otherwise: match "m" (0:1)`},
		{"rules that get sets that fit", "competitions", `{"id":"c","season":2025,"patch":true,"rules":{"sets":1}}`, ``},
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
			if err := stored.load(t, client, loader.Options{}); err != nil {
				t.Fatal(err)
			}
			err := lines{tt.file: {tt.line}}.load(t, client, loader.Options{})
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

// cup adds to stored the knockouts u, which a has won against b by 1:0 and 0:0, and v, which
// it has won three times, three matches of the league and one of a season that is completed.
var cup = lines{
	"competitions": {
		`{"id":"u","season":2025,"name":"U","organizationId":"o","parentId":"c","stage":"playoff","format":"knockout"}`,
		`{"id":"v","season":2025,"name":"V","organizationId":"o","parentId":"c","stage":"playoff","format":"knockout"}`,
		`{"id":"w","season":2024,"name":"W","organizationId":"o","completed":true}`, `{"id":"w","season":2025,"name":"W","organizationId":"o"}`,
	},
	"teams": {
		`{"id":"ua","name":"A","shortName":"A","competitionId":"u"}`, `{"id":"ub","name":"B","shortName":"B","competitionId":"u"}`,
		`{"id":"va","name":"A","shortName":"A","competitionId":"v"}`, `{"id":"vb","name":"B","shortName":"B","competitionId":"v"}`,
	},
	"matches": {
		finished("u1", "u", "ua", "ub", 1, 0), finished("u2", "u", "ub", "ua", 0, 0),
		finished("v1", "v", "va", "vb", 1, 0), finished("v2", "v", "vb", "va", 0, 1), finished("v3", "v", "va", "vb", 1, 0),
		strings.Replace(finished("w1", "w", "a", "b", 1, 0), "2025", "2024", 1),
		finished("n1", "c", "a", "b", 3, 0), finished("n2", "c", "b", "a", 2, 0), finished("n3", "c", "a", "b", 3, 0),
	},
}

func finished(id, competition, home, away string, goals, against int) string {
	return fmt.Sprintf(`{"id":"%s","competitionId":"%s","season":2025,"status":"finished","kickoffAt":"2026-03-0%sT15:00:00Z","homeTeamId":"%s","awayTeamId":"%s","score":{"home":%d,"away":%d}}`,
		id, competition, id[1:], home, away, goals, against)
}

// Each line is possible and strange, by what is stored.
func TestWhatIsStrangeIsAWarning(t *testing.T) {
	client := simulation.NewDatabase()
	for _, d := range []lines{stored, cup} {
		if err := d.load(t, client, loader.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ name, file, line, want string }{
		{"a deletion of nothing", "teams", `{"id":"none","deleted":true}`, `teams.ndjson:1: id: deletes what is not stored`},
		{"a deletion of nobody", "players", `{"id":"none","deleted":true}`, `players.ndjson:1: id: deletes what is not stored`},
		{"a tie that nobody wins", "matches", finished("u2", "u", "ub", "ua", 1, 0),
			`matches.ndjson:1: tieWinner: nobody has won the tie, though its matches are finished: give tieWinner, or the match that decides it`},
		{"a tie with another winner", "matches", finished("u2", "u", "ub", "ua", 2, 0), ``},
		{"a rule of a tie", "competitions", `{"id":"v","patch":true,"season":2025,"rules":{"ties":{"bestOf":3}}}`,
			`competitions.ndjson:1: rules.ties: match ` + string(dataset.ID(sport.KindMatch, "v3")) + ` (A - B, 2026-03-03): is a match of a series that was decided before, best of 3`},
		{"a match of a tie that was strange before", "matches", finished("v1", "v", "va", "vb", 2, 0), ``},
		{"another name of a cup", "competitions", `{"id":"v","patch":true,"season":2025,"name":"W"}`, ``},
		{"a first match that leaves a tie level", "matches", finished("u1", "u", "ua", "ub", 0, 0),
			`matches.ndjson:1: id: match ` + string(dataset.ID(sport.KindMatch, "u2")) + ` (B - A, 2026-03-02): nobody has won the tie, though its matches are finished: give tieWinner, or the match that decides it`},
		{"a match that leaves the table of a season that is completed", "matches", `{"id":"w1","deleted":true}`, `matches.ndjson:1: id: leaves season 2024 of competition "w", which is completed`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := lines{tt.file: {tt.line}}.load(t, client, loader.Options{Strict: true, DryRun: true})
			got := ""
			if faults, ok := errors.AsType[*dataset.Faults](err); ok {
				got = faults.Error()
			} else if err != nil {
				t.Fatal(err)
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

// Deletions that are likely an accident are refused (D52).
func TestDeletionsAreGuarded(t *testing.T) {
	number := func(n int) *int { return &n }
	for _, tt := range []struct {
		name               string
		deleted, unchanged int
		given              int // records of the dataset that stay
		allowed            *int
		refused            bool
	}{
		{"few", 10, 5, 5, nil, false},
		{"more", 11, 5, 5, nil, true},
		{"more, of many", 11, 44, 44, nil, false},
		{"just too many of many", 11, 43, 43, nil, true},
		{"all", 1, 0, 0, nil, true},
		{"none", 0, 0, 0, nil, false},
		{"as many as are allowed", 30, 5, 5, number(30), false},
		{"more than are allowed", 30, 5, 5, number(29), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var team strings.Builder
			for i := range tt.given {
				fmt.Fprintf(&team, `{"id":"t%d","name":"T","shortName":"T"}`+"\n", i)
			}
			team.WriteString(`{"id":"gone","deleted":true}`)
			set, err := format.Read(t.Context(), fstest.MapFS{"teams.ndjson": {Data: []byte(team.String())}}, format.Options{})
			if err != nil {
				t.Fatal(err)
			}
			report := &history.Report{Teams: history.Counts{Deleted: tt.deleted, Unchanged: tt.unchanged}}
			if err := integrity.Guard(set, report, true, tt.allowed); (err != nil) != tt.refused {
				t.Errorf("%v", err)
			}
		})
	}
}
