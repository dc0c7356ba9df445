package spreadsheet_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/scripts/spreadsheet"
	"touchline/shared/dataset"
	"touchline/shared/dataset/relations"
	"touchline/shared/outside"
)

// None of the real seasons is odd in itself: warnings about them would be noise.
func TestRealDataIsNotOdd(t *testing.T) {
	for _, folder := range []string{"austria", "worldcup", "belgium", "greece", "romania", "scotland"} {
		t.Run(folder, func(t *testing.T) {
			set, err := dataset.Read(t.Context(), os.DirFS(outside.Path(t, "data/"+folder)), dataset.Options{})
			if err != nil {
				t.Fatal(err)
			}
			resolve, faults, warnings := set.Settle()
			warnings = append(warnings, set.Warnings.List...)
			for _, w := range append(relations.Warnings(set, time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC), relations.Stored{}, resolve), spreadsheet.Lint(set, resolve)...) {
				if w.Field != "status" { // which depends on the day
					warnings = append(warnings, w)
				}
			}
			if len(faults) > 0 || len(warnings) > 0 {
				t.Errorf("faults %v, warnings %v", faults, warnings)
			}
		})
	}
}

func TestALeagueIsComparedWithItself(t *testing.T) {
	match := func(id, kickoff, round, home, away string) string {
		return fmt.Sprintf(`{"id":%q,"competitionId":"c","status":"finished","kickoffAt":%q,"round":%s,"homeTeamId":%q,"awayTeamId":%q,"score":{"home":0,"away":0}}`,
			id, kickoff, round, home, away)
	}
	set, err := dataset.Read(t.Context(), folder(map[string]string{
		"organizations": lined(`{"id":"o","type":"federation","name":"O"}`, `{"id":"k","type":"club","name":"K"}`, `{"id":"owner","type":"club","name":"L"}`),
		"competitions": lined(`{"id":"c","name":"C","organizationId":"o","season":2025,"timezone":"Europe/Vienna","completed":true}`,
			`{"id":"d","name":"D","organizationId":"owner","season":2025}`),
		"teams": lined(
			`{"id":"a","name":"SC Alpha","shortName":"A","competitionId":"c"}`,
			`{"id":"b","name":"B","shortName":"B","competitionId":"c"}`,
			`{"id":"d","name":"sc  älpha","shortName":"D","competitionId":"c"}`,
			`{"id":"A","name":"Total","shortName":"T"}`),
		"players": lined(
			`{"id":"p7","name":"Ann Lee","teamId":"a","number":9}`,
			`{"id":"p007","name":"LEE, Ann","teamId":"a","number":9}`,
			`{"id":"p70","name":"R","teamId":"b","number":9}`,
			`{"id":"p–7","name":"S","teamId":"a","number":9,"status":"inactive"}`),
		"matches": lined(
			match("1", "2025-09-06T15:00Z", "1", "a", "b"),
			match("2", "2025-09-13T15:00Z", "2", "b", "d"),
			match("3", "2025-09-20T15:00Z", "3", "d", "a"),
			match("4", "2026-03-07T15:00Z", "4", "b", "a"),
			match("5", "2026-03-14T15:00Z", "5", "d", "b"),
			match("6", "2026-03-21T15:00Z", "5", "d", "a"), // round 5 again, and d at home again
			match("7", "2026-03-14T15:00Z", "7", "a", "b"), // b plays then
			match("8", "2026-03-30T03:00Z", "8", "a", "d"),
			match("9", "2027-01-30T15:00Z", "9", "a", "d"),
			`{"id":"10","competitionId":"c","status":"upcoming","kickoffLocal":"2026-05-01","homeTeamId":"a","awayTeamId":"b"}`,
			`{"id":"11","competitionId":"d","status":"upcoming","kickoffLocal":"2026-05-01T18:00","homeTeamId":"a","awayTeamId":"b"}`),
	}), dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	resolve, _, _ := set.Settle()
	all := &dataset.Warnings{}
	for _, w := range spreadsheet.Lint(set, resolve) {
		all.Add(w)
	}
	want := strings.Join([]string{
		`organizations.ndjson:2: parentId: is missing: the club belongs to no federation or association`,
		`competitions.ndjson:1: completed: is true, but match "10" is still to be played`,
		`teams.ndjson:3: name: is also the name of team "a" in the competition`,
		`teams.ndjson:4: id: is almost that of team "a": they differ in case, width, a dash or zeros in front`,
		`teams.ndjson:4: name: is "Total", which is no team: one that rests has no match, and a sum is no row`,
		`players.ndjson:2: id: is almost that of player "p7": they differ in case, width, a dash or zeros in front`,
		`players.ndjson:2: number: 9 is also the number of player "p7" in the team`,
		`players.ndjson:2: name: is also the name of player "p7" in the team`,
		`matches.ndjson:6: round: team "d" plays twice in this round, also in match "5"`,
		`matches.ndjson:7: awayTeamId: team "b" plays at the same time in match "5"`,
		`matches.ndjson:8: kickoffAt: is at 05:00 in the time zone of the competition, Europe/Vienna: is it meant for the afternoon, or is the time zone another?`,
		`matches.ndjson:9: kickoffAt: is 274 days from all other matches of the season: are year, month and day right?`,
		`matches.ndjson:11: kickoffLocal: is taken as UTC, because competition "d" gives no time zone: if that is meant, give UTC as its timezone`,
	}, "\n")
	if diff := cmp.Diff(want, all.String()); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

// The competition of a file of matches, or of teams, may be stored alone.
func TestALeagueThatIsStoredIsComparedWithItself(t *testing.T) {
	var matches, teams []string
	for i, p := range [][2]string{{"a", "b"}, {"c", "d"}, {"a", "c"}, {"b", "d"}, {"a", "d"}, {"b", "c"}} {
		home, away := p[1], p[0]
		if i == 5 {
			home, away = p[0], p[1]
		}
		const line = `{"id":"%s%d","competitionId":"l","season":2025,"status":"finished","kickoffAt":"2025-%02d-%02dT15:00Z","homeTeamId":%q,"awayTeamId":%q,"score":{"home":1,"away":0}}`
		matches = append(matches, fmt.Sprintf(line, "first", i, 9, i+1, p[0], p[1]), fmt.Sprintf(line, "back", i, 11, i+1, home, away))
	}
	for i, name := range []string{"A", "B", "C", "D", "Összesen"} {
		teams = append(teams, fmt.Sprintf(`{"id":"t%d","name":%q,"shortName":"S","competitionId":"l","season":2025,"startingPoints":%d}`, i, name, 2*(i%4/3)))
	}
	set, err := dataset.Read(t.Context(), folder(map[string]string{"matches": lined(matches...), "teams": lined(teams...)}), dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := &dataset.Warnings{}
	for _, w := range spreadsheet.Lint(set, nil) {
		all.Add(w)
	}
	want := strings.Join([]string{
		`teams.ndjson:4: startingPoints: is 2, with which the team begins: a deduction is negative, -2`,
		`teams.ndjson:5: name: is "Összesen", which is no team: one that rests has no match, and a sum is no row`,
		`matches.ndjson:12: homeTeamId: team "b" is host of both matches against team "c": are home and away the other way round in one of them?`,
	}, "\n")
	if diff := cmp.Diff(want, all.String()); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

// folder is a dataset folder: the lines of organizations.ndjson and so on.
func folder(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name+".ndjson"] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func lined(lines ...string) string { return strings.Join(lines, "\n") }
