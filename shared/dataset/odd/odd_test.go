package odd_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/dataset"
	"touchline/shared/dataset/datasettest"
	"touchline/shared/dataset/odd"
	"touchline/shared/outside"
	"touchline/shared/sport"
)

func read(t *testing.T, files map[string]string) *dataset.Set {
	t.Helper()
	set, err := dataset.Read(t.Context(), datasettest.Folder(files), dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// oddSet has what is odd in each line that says so.
func oddSet(t *testing.T) *dataset.Set {
	match := func(id, status, kickoff, home, away string) string {
		return fmt.Sprintf(`{"id":%q,"competitionId":"c","season":2025,"status":%q,%s,"homeTeamId":%q,"awayTeamId":%q,"score":{"home":0,"away":0}}`,
			id, status, kickoff, home, away)
	}
	at := func(time string) string { return `"kickoffAt":"` + time + `"` }
	local := func(time string) string { return `"kickoffLocal":"` + time + `"` }
	return read(t, map[string]string{
		"competitions": `{"id":"c","name":"C","organizationId":"o","season":2025,"timezone":"Europe/Vienna"}`,
		"teams": datasettest.Lined(
			`{"id":"a","name":"A","shortName":"A","competitionId":"c"}`,
			`{"id":"b","name":"B","shortName":"B","competitionId":"c","season":2025}`,
			`{"id":"d","name":"D","shortName":"D","competitionId":"c","season":2024}`),
		"players": datasettest.Lined(
			`{"id":"p","name":"P","teamId":"a","number":9}`,
			`{"id":"q","name":"Q","teamId":"a","number":9}`,
			`{"id":"r","name":"R","teamId":"b","number":9}`,
			`{"id":"s","name":"S","teamId":"a","number":9,"status":"inactive"}`,
			`{"id":"u","name":"U","teamId":"a"}`, `{"id":"v","name":"V","teamId":"a"}`),
		"matches": datasettest.Lined(
			match("1", "finished", at("2026-03-01T15:00Z"), "a", "b"),
			match("2", "finished", at("2026-03-01T15:30Z"), "a", "b"), // the same fixture
			match("3", "finished", at("2026-03-03T15:00Z"), "a", "b"),
			match("4", "finished", at("2026-03-01T15:00Z"), "b", "a"),
			match("5", "finished", at("2026-03-02T15:00Z"), "a", "d"), // d is of another season
			match("6", "finished", at("2026-03-14T15:00Z"), "b", "a"), // to come
			match("7", "upcoming", at("2026-03-08T12:00Z"), "b", "a"), // past
			match("8", "upcoming", at("2026-03-10T10:00Z"), "b", "a"), // late
			match("9", "upcoming", local("2026-03-10"), "a", "b"),     // some time that day
			match("10", "live", at("2026-03-10T05:00Z"), "a", "b"),    // too long, and the fixture of 9
			match("11", "finished", local("2025-10-26T02:30"), "a", "b"),
			match("12", "finished", local("2025-03-30T02:30"), "a", "b"),
			match("13", "finished", local("2025-03-20"), "a", "b")),
	})
}

func TestWhatIsOddIsWarnedOf(t *testing.T) {
	now := time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)
	set := oddSet(t)
	resolve, faults, warnings := set.Settle()
	if faults != nil {
		t.Fatal(faults)
	}
	all := &dataset.Warnings{}
	for _, w := range slices.Concat(warnings, odd.Find(set, now, odd.Stored{}, resolve)) {
		all.Add(w)
	}
	want := strings.Join([]string{
		`players.ndjson:2: number: 9 is also the number of P in the team`,
		`matches.ndjson:1: score: is 0:0, as in all 9 finished matches of the competition: was it copied down?`,
		`matches.ndjson:2: id: is the same fixture as match "1": the same teams within a day`,
		`matches.ndjson:3: id: is the same fixture as match "2": the same teams within a week`,
		`matches.ndjson:4: homeTeamId: team "b" plays at the same time in match "1"`,
		`matches.ndjson:4: awayTeamId: team "a" plays at the same time in match "1"`,
		`matches.ndjson:5: awayTeamId: team "d" is not entered in season 2025 of competition "c"`,
		`matches.ndjson:6: status: is finished, but the kick-off, 2026-03-14 16:00 (Europe/Vienna), is still to come`,
		`matches.ndjson:7: status: is upcoming, but the kick-off was at 2026-03-08 13:00 (Europe/Vienna)`,
		`matches.ndjson:7: id: is the same fixture as match "4": the same teams within a week`,
		`matches.ndjson:8: id: is the same fixture as match "7": the same teams within a week`,
		`matches.ndjson:8: id: is the same fixture as match "6": the same teams within a week`,
		`matches.ndjson:9: id: is the same fixture as match "3": the same teams within a week`,
		`matches.ndjson:10: status: is live for more than 6 hours: the kick-off was at 2026-03-10 06:00 (Europe/Vienna)`,
		`matches.ndjson:10: kickoffAt: is at 06:00 in the time zone of the competition, Europe/Vienna: is it meant for the afternoon, or is the time zone another?`,
		`matches.ndjson:10: id: is the same fixture as match "9": the same teams within a day`,
		`matches.ndjson:11: kickoffLocal: is shown twice by the clocks of the time zone: taken for the first time`,
		`matches.ndjson:11: kickoffAt: is at 02:30 in the time zone of the competition, Europe/Vienna: is it meant for the afternoon, or is the time zone another?`,
		`matches.ndjson:12: kickoffLocal: is skipped by the clocks of the time zone: taken for as much later`,
		`matches.ndjson:12: kickoffAt: is at 03:30 in the time zone of the competition, Europe/Vienna: is it meant for the afternoon, or is the time zone another?`,
	}, "\n")
	if diff := cmp.Diff(want, all.String()); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

// What is stored counts as well, and is not warned of itself.
func TestWhatIsOddBesideWhatIsStored(t *testing.T) {
	set := read(t, map[string]string{
		"players": `{"id":"p","name":"P","teamId":"a","number":9}`,
		"matches": `{"id":"m","competitionId":"c","season":2025,"status":"finished","kickoffAt":"2026-03-01T15:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":0,"away":0}}`,
	})
	kickoff := set.Matches.At(0).Value.Base.Kickoff
	home, away := sport.IDFor(sport.KindTeam, "a"), sport.IDFor(sport.KindTeam, "b")
	stored := sport.Match{ID: sport.IDFor(sport.KindMatch, "x"), HomeTeamID: home, AwayTeamID: away, Kickoff: kickoff.Add(time.Hour)}
	twin := stored
	twin.ID = sport.IDFor(sport.KindMatch, "y")
	player := sport.Player{ID: sport.IDFor(sport.KindPlayer, "x"), Name: "p", TeamID: home, Number: 9, Status: sport.Active}
	found := odd.Find(set, kickoff.Add(time.Hour), odd.Stored{
		Team: func(id sport.ID) *sport.Team {
			return &sport.Team{ID: id, CompetitionID: sport.IDFor(sport.KindCompetition, "c"), Season: map[sport.ID]int{home: 2025, away: 2024}[id]}
		},
		Players: []sport.Player{player},
		Matches: []sport.Match{stored, twin},
	}, nil)
	want := []dataset.Fault{
		{File: "matches.ndjson", Line: 1, Field: "awayTeamId", Message: `team "b" is not entered in season 2025 of competition "c"`},
		{File: "matches.ndjson", Line: 1, Field: "id", Message: `is the same fixture as match "` + string(stored.ID) + `": the same teams within a day`},
		{File: "players.ndjson", Line: 1, Field: "number", Message: "9 is also the number of p in the team"},
		{File: "players.ndjson", Line: 1, Field: "name", Message: "is also the name of another player in the team"},
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

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
			for _, w := range odd.Find(set, time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC), odd.Stored{}, resolve) {
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

// What people make of a spreadsheet that reads well, line by line.
func TestWhatSpreadsheetsMakeOddIsWarnedOf(t *testing.T) {
	match := func(id, status, kickoff, home, away string) string {
		return fmt.Sprintf(`{"id":%q,"competitionId":"c","season":2026,"status":%q,"kickoffAt":%q,"homeTeamId":%q,"awayTeamId":%q,"score":{"home":0,"away":0}}`,
			id, status, kickoff, home, away)
	}
	set := read(t, map[string]string{
		"organizations": datasettest.Lined(
			`{"id":"o","type":"federation","name":"O"}`, `{"id":"x","type":"club","name":"X"}`, `{"id":"y","type":"club","name":"Y","parentId":"o"}`),
		"competitions": datasettest.Lined(
			`{"id":"c","name":"C","organizationId":"o","season":2026,"completed":true}`, `{"id":"cup","name":"Cup","organizationId":"o","season":2026,"type":"cup"}`),
		"teams": datasettest.Lined(
			`{"id":"a","name":"SC Alpha","shortName":"A","competitionId":"c","season":2026}`,
			`{"id":"b","name":"B","shortName":"B","competitionId":"c","season":2026}`,
			`{"id":"d","name":"sc  alpha","shortName":"D","competitionId":"c","season":2026}`,
			`{"id":"e","name":"SC Alpha","shortName":"E","competitionId":"cup","season":2026}`),
		"matches": datasettest.Lined(
			match("1", "finished", "1926-09-12T15:00Z", "a", "b"),
			match("2", "upcoming", "2062-09-12T15:00Z", "a", "b"),
			match("3", "finished", "2026-09-12T15:00Z", "a", "b"),
			match("4", "finished", "2026-09-12T15:00Z", "d", "a"),
			match("5", "postponed", "2026-09-19T15:00Z", "a", "d"),
			match("6", "upcoming", "2026-09-24T15:00Z", "a", "d")),
	})
	resolve, _, _ := set.Settle()
	all := &dataset.Warnings{}
	for _, w := range odd.Find(set, time.Date(2026, 9, 20, 12, 0, 0, 0, time.UTC), odd.Stored{}, resolve) {
		all.Add(w)
	}
	want := strings.Join([]string{
		`organizations.ndjson:2: parentId: is missing: the club belongs to no federation or association`,
		`competitions.ndjson:1: completed: is true, but 2 matches are still to be played, such as match "2"`,
		`teams.ndjson:3: name: is also the name of team "a" in the competition`,
		`matches.ndjson:1: kickoffAt: is in 1926, but the season is 2026`,
		`matches.ndjson:2: kickoffAt: is in 2062, but the season is 2026`,
		`matches.ndjson:4: awayTeamId: team "a" plays at the same time in match "3"`,
	}, "\n")
	if diff := cmp.Diff(want, all.String()); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

// What people mistype, and reads well.
func TestWhatPeopleMistypeIsWarnedOf(t *testing.T) {
	const (
		team   = `{"id":%q,"name":%q,"shortName":%q,"organizationId":"o","competitionId":"c","season":2026}`
		player = `{"id":%q,"name":%q,"teamId":%q,"number":%d}`
	)
	teams := func(rows ...[3]any) string {
		text := ""
		for _, r := range rows {
			text += fmt.Sprintf(team, r[:]...) + "\n"
		}
		return text
	}
	players := func(rows ...[4]any) string {
		text := ""
		for _, r := range rows {
			text += fmt.Sprintf(player, r[:]...) + "\n"
		}
		return text
	}
	goals := func(home ...int) string {
		text := ""
		for i, n := range home {
			text += fmt.Sprintf(`{"id":"m%d","competitionId":"c","season":2026,"status":"finished","kickoffAt":"2026-0%d-12T15:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":%d,"away":20}}`+"\n", i, i+1, n)
		}
		return text
	}
	for name, c := range map[string]struct{ file, text, want string }{
		"a key in capitals":             {"players", players([4]any{"p1", "A", "a", 1}, [4]any{"P1", "B", "a", 2}), `players.ndjson:2: id: is almost that of player "p1"`},
		"a wide key":                    {"teams", teams([3]any{"a1", "A", "A"}, [3]any{"ａ1", "B", "B"}), `teams.ndjson:2: id: is almost that of team "a1"`},
		"zeros in front":                {"players", players([4]any{"p7", "A", "a", 1}, [4]any{"p007", "B", "a", 2}), `players.ndjson:2: id: is almost that of player "p7"`},
		"another dash":                  {"players", players([4]any{"p-7", "A", "a", 1}, [4]any{"p–7", "B", "a", 2}), `players.ndjson:2: id: is almost that of player "p-7"`},
		"zeros that count":              {"players", players([4]any{"p7", "A", "a", 1}, [4]any{"p70", "B", "a", 2}, [4]any{"p0", "C", "a", 3}, [4]any{"p", "D", "a", 4}), ""},
		"one player twice":              {"players", players([4]any{"p1", "Ann Lee", "a", 1}, [4]any{"p2", "ann  LEE", "a", 2}, [4]any{"p3", "Ann Lee", "b", 2}), `players.ndjson:2: name: is also the name of player "p1" in the team`},
		"a number for a name":           {"players", players([4]any{"p1", "12", "a", 1}), `players.ndjson:1: name: "12" has no letter`},
		"a year for a number":           {"players", players([4]any{"p1", "A", "a", 1984}), `players.ndjson:1: number: 1984 is on no shirt`},
		"a legal form":                  {"teams", teams([3]any{"a", "Kielby", "K"}, [3]any{"b", "Kielby HK", "KHK"}), `teams.ndjson:2: name: is that of team "a" with an ending`},
		"second teams":                  {"teams", teams([3]any{"a", "Kielby", "K"}, [3]any{"b", "Kielby II", "K2"}, [3]any{"d", "Kielby B", "KB"}, [3]any{"e", "Kielby U19", "K19"}), ""},
		"a digit too many":              {"matches", goals(24, 31, 240, 19), "matches.ndjson:3: score.home: is 240, while no other in the competition is above 31"},
		"many goals":                    {"matches", goals(24, 31, 44, 19), ""},
		"who withdraws was not entered": {"competitions", `{"id":"c","name":"C","organizationId":"o","season":2025,"withdrawals":[{"teamId":"t","matches":"annulled"}]}`, `competitions.ndjson:1: withdrawals: team "t" is not entered in season 2025 of the competition`},
	} {
		files := map[string]string{c.file: c.text}
		if c.file == "competitions" {
			files["teams"] = strings.Replace(teams([3]any{"t", "T", "T"}), "2026", "2024", 1)
		}
		var got []string
		for _, w := range odd.Find(read(t, files), time.Date(2026, 9, 20, 12, 0, 0, 0, time.UTC), odd.Stored{}, nil) {
			got = append(got, fmt.Sprintf("%s:%d: %s: %s", w.File, w.Line, w.Field, w.Message))
		}
		if text := strings.Join(got, "\n"); (c.want == "") != (text == "") || !strings.HasPrefix(text, c.want) || len(got) > 1 {
			t.Errorf("%s: got %q, want %q", name, text, c.want)
		}
	}
}
