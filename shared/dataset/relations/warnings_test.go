package relations_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"touchline/shared/dataset"
	"touchline/shared/dataset/format"
	"touchline/shared/dataset/relations"
	"touchline/shared/dataset/times"
	"touchline/shared/outside"
	"touchline/shared/sport"
)

// read reads a dataset: the lines of organizations.ndjson and so on.
func read(t *testing.T, files map[string]string) *dataset.Set {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name+".ndjson"] = &fstest.MapFile{Data: []byte(text)}
	}
	set, err := format.Read(t.Context(), fsys, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// settled gives the teams of a set their seasons, and a function that fills in the season
// and the kick-off of a match, as a loader does.
func settled(t *testing.T, set *dataset.Set) func(*dataset.Record[dataset.Match]) {
	for _, team := range set.Teams {
		if team.Value.Season == 0 {
			team.Value.Season = set.CurrentSeason(team.Value.CompetitionID)
		}
	}
	zones := &times.Zones{}
	return func(m *dataset.Record[dataset.Match]) {
		b := &m.Value.Base
		if b.Season == 0 {
			b.Season = set.CurrentSeason(b.CompetitionID)
		}
		c := set.Season(b.CompetitionID, b.Season)
		if m.Value.KickoffLocal == "" || c == nil {
			return
		}
		var err error
		if b.Kickoff, _, err = zones.Kickoff(m.Value.KickoffLocal, c.Timezone); err != nil {
			t.Fatal(err)
		}
	}
}

func lined(lines ...string) string { return strings.Join(lines, "\n") }

func TestAStatusAndASeasonGoWithTheKickOff(t *testing.T) {
	const still, past, soon, long = "is finished, but", "is upcoming, but", "is live, but", "is live for more than 6 hours"
	for _, c := range []struct{ status, zone, kickoff, want string }{
		{"finished", "UTC", `"kickoffAt":"2026-03-10T12:00Z"`, ""}, {"finished", "UTC", `"kickoffAt":"2026-03-10T12:01Z"`, still},
		{"upcoming", "UTC", `"kickoffAt":"2026-03-10T09:00Z"`, ""}, {"upcoming", "UTC", `"kickoffAt":"2026-03-10T08:59Z"`, past},
		{"live", "UTC", `"kickoffAt":"2026-03-10T15:00Z"`, ""}, {"live", "UTC", `"kickoffAt":"2026-03-10T15:01Z"`, soon},
		{"live", "UTC", `"kickoffAt":"2026-03-10T06:00Z"`, ""}, {"live", "UTC", `"kickoffAt":"2026-03-10T05:59Z"`, long},
		{"upcoming", "Pacific/Honolulu", `"kickoffLocal":"2026-03-09"`, ""}, {"upcoming", "UTC", `"kickoffLocal":"2026-03-09"`, past}, // a day, and 2 or 12 hours
		{"postponed", "UTC", `"kickoffAt":"2023-01-01T00:00Z"`, ""}, {"postponed", "UTC", `"kickoffAt":"2022-12-31T23:59Z"`, "is in 2022, but the season is 2025"},
		{"postponed", "UTC", `"kickoffAt":"2028-12-31T00:00Z"`, ""}, {"postponed", "UTC", `"kickoffAt":"2029-01-01T00:00Z"`, "is in 2029, but the season is 2025"},
		{"postponed", "", `"kickoffAt":"2029-12-31T00:00Z"`, ""}, {"postponed", "", `"kickoffAt":"2030-01-01T00:00Z"`, "is in 2030, years ahead"}, // a friendly
	} {
		zone := c.zone
		match := `{"id":"m","status":"` + c.status + `",` + c.kickoff + `,"homeTeamId":"a","awayTeamId":"b"`
		if zone != "" {
			match += `,"competitionId":"c","season":2025`
		} else {
			zone = "UTC"
		}
		if c.status == "finished" || c.status == "live" {
			match += `,"score":{"home":1,"away":0}`
		}
		set := read(t, map[string]string{"competitions": `{"id":"c","name":"C","organizationId":"o","season":2025,"timezone":"` + zone + `"}`, "matches": match + "}"})
		found := relations.Warnings(set, time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC), relations.Stored{}, settled(t, set))
		if (len(found) > 0) != (c.want != "") || len(found) > 1 || c.want != "" && !strings.HasPrefix(found[0].Message, c.want) {
			t.Errorf("%s at %s in %s: got %v, want %q", c.status, c.kickoff, c.zone, found, c.want)
		}
	}
}

// What the rules say of extra time and shoot-outs, a match says too.
func TestWhatExtraTimeDecidedIsWarnedOf(t *testing.T) {
	const none, extraTime, shootout = ``, `,"extraTimeWin":2,"extraTimeLoss":1`, `,"shootoutWin":2,"shootoutLoss":1`
	const draw = `score: is 1:1, a draw, but the rules have points for a win after extra time or by a shoot-out: are extraTime and penalties missing?`
	for _, c := range []struct{ rules, match, want string }{
		{none, `"score":{"home":2,"away":1},"extraTime":true,"points":{"home":2,"away":1}`, `points: are 2:1 in place of 3:0, which the rules give after extra time`},
		{none, `"score":{"home":2,"away":1},"extraTime":true,"points":{"home":3,"away":0}`, ``},
		{none, `"score":{"home":1,"away":1}`, ``},
		{extraTime, `"score":{"home":2,"away":1},"extraTime":true,"points":{"home":3,"away":0}`, `points: are 3:0 in place of 2:1, which the rules give after extra time`},
		{extraTime, `"score":{"home":2,"away":1},"points":{"home":3,"away":0}`, ``},
		{extraTime, `"score":{"home":1,"away":1}`, draw},
		{extraTime, `"score":{"home":1,"away":1},"extraTime":true`, ``},
		{extraTime, `"score":{"home":1,"away":1},"leg":1`, ``},
		{extraTime, `"score":{"home":1,"away":1},"winner":"home","leg":1`, `winner: is home, but the score is 1:1: it counts as a ruling`},
		{shootout, `"score":{"home":1,"away":1},"extraTime":true`, draw},
		{shootout, `"score":{"home":1,"away":1},"penalties":{"home":4,"away":3}`, ``},
		{shootout, `"score":{"home":1,"away":1},"points":{"home":1,"away":1}`, ``},
	} {
		set := read(t, map[string]string{
			"competitions": `{"id":"c","name":"C","organizationId":"o","season":2025,"rules":{"win":3,"draw":1,"loss":0` + c.rules + `}}`,
			"matches":      `{"id":"m","competitionId":"c","season":2025,"status":"finished","kickoffAt":"2026-03-01T15:00Z","homeTeamId":"a","awayTeamId":"b",` + c.match + `}`,
		})
		if got := strings.TrimPrefix(oddOf(t, set, relations.Stored{}), "matches.ndjson:1: "); got != c.want {
			t.Errorf("%s, %s: got %q, want %q", c.rules, c.match, got, c.want)
		}
	}
}

// What is stored counts as well, and is not warned of itself.
func TestWhatIsOddBesideWhatIsStored(t *testing.T) {
	set := read(t, map[string]string{
		"matches": `{"id":"m","competitionId":"c","season":2025,"status":"finished","kickoffAt":"2026-03-01T15:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":0,"away":0}}`,
	})
	kickoff := set.Matches.At(0).Value.Base.Kickoff
	home, away := sport.IDFor(sport.KindTeam, "a"), sport.IDFor(sport.KindTeam, "b")
	stored := sport.Match{ID: sport.IDFor(sport.KindMatch, "x"), HomeTeamID: home, AwayTeamID: away, Kickoff: kickoff.Add(time.Hour)}
	twin := stored
	twin.ID = sport.IDFor(sport.KindMatch, "y")
	found := relations.Warnings(set, kickoff.Add(time.Hour), relations.Stored{
		Team: func(id sport.ID) *sport.Team {
			return &sport.Team{ID: id, CompetitionID: sport.IDFor(sport.KindCompetition, "c"), Season: map[sport.ID]int{home: 2025, away: 2024}[id]}
		},
		Matches: []sport.Match{stored, twin},
	}, nil)
	want := []dataset.Fault{
		{File: "matches.ndjson", Line: 1, Field: "awayTeamId", Message: `team "b" is not entered in season 2025 of competition "c"`},
		{File: "matches.ndjson", Line: 1, Field: "id", Message: `is the same fixture as match "` + string(stored.ID) + `": the same teams within a day`},
	}
	if diff := cmp.Diff(want, found, cmpopts.IgnoreFields(dataset.Fault{}, "Kind")); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

// None of the real seasons is odd in itself: warnings about them would be noise.
func TestRealDataIsNotOdd(t *testing.T) {
	for _, folder := range []string{"austria", "worldcup", "belgium", "greece", "romania", "scotland"} {
		t.Run(folder, func(t *testing.T) {
			set, err := format.Read(t.Context(), os.DirFS(outside.Path(t, "data/"+folder)), format.Options{})
			if err != nil {
				t.Fatal(err)
			}
			warnings := set.Warnings.List
			for _, w := range relations.Warnings(set, time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC), relations.Stored{}, settled(t, set)) {
				if w.Field != "status" { // which depends on the day
					warnings = append(warnings, w)
				}
			}
			if len(warnings) > 0 {
				t.Errorf("warnings %v", warnings)
			}
		})
	}
}

// A file of matches, or of teams, may be of a league that is stored alone.
func TestALeagueIsComparedWithItself(t *testing.T) {
	const score = `"score":{"home":1,"away":0}`
	league := func(extra string) map[string]string {
		var matches []string
		for i, p := range [][2]string{{"a", "b"}, {"c", "d"}, {"a", "c"}, {"b", "d"}, {"a", "d"}, {"b", "c"}} {
			home, away := p[1], p[0]
			if i == 5 {
				home, away = p[0], p[1] // twice at one home
			}
			const line = `{"id":"%s%d","competitionId":"l","season":2025,"status":"finished","kickoffLocal":"2025-%02d-%02dT15:00","homeTeamId":%q,"awayTeamId":%q,` + score + `%s}`
			matches = append(matches, fmt.Sprintf(line, "first", i, 9, i+1, p[0], p[1], extra), fmt.Sprintf(line, "back", i, 11, i+1, home, away, extra))
		}
		return map[string]string{"matches": lined(matches...)}
	}
	teams := func(names string, startingPoints ...int) map[string]string {
		var lines []string
		for i, name := range strings.Split(names, ",") {
			lines = append(lines, fmt.Sprintf(`{"id":"t%d","name":%q,"shortName":"S","competitionId":"l","season":2025,"startingPoints":%d}`, i, name, append(startingPoints, 0, 0, 0, 0)[i]))
		}
		return map[string]string{"teams": lined(lines...)}
	}
	with := func(files map[string]string, competition string) map[string]string {
		files["competitions"] = `{"id":"l","season":2025,"name":"L","organizationId":"o"` + competition + `}`
		return files
	}
	const (
		back  = `matches.ndjson:12: homeTeamId: team "b" is host of both matches against team "c": are home and away the other way round in one of them?`
		zone  = `matches.ndjson:1: kickoffLocal: is taken as UTC, because competition "l" gives no time zone: if that is meant, give UTC as its timezone`
		zoned = `,"timezone":"UTC"`
	)
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"a match the wrong way round":        {league(""), back},
		"of a league":                        {with(league(""), zoned), back},
		"of a cup":                           {with(league(""), zoned+`,"type":"cup"`), ""},
		"of a playoff":                       {with(league(""), zoned+`,"stage":"playoff","parentId":"p"`), ""},
		"legs":                               {league(`,"leg":1`), ""},
		"no time zone":                       {with(league(""), ""), zone + "\n" + back},
		"a few begin with points":            {teams("A,B,C,D", 2), "teams.ndjson:1: startingPoints: is 2, with which the team begins: a deduction is negative, -2"},
		"many begin with points":             {teams("A,B,C,D", 2, 1), ""},
		"a few begin with points in a stage": {with(teams("A,B,C,D", 2), `,"stage":"playout","parentId":"p"`), ""},
		"points that nothing comes of":       {with(teams("A", 2), `,"stage":"playout","parentId":"p","rules":{"carry":{}}`), "teams.ndjson:1: startingPoints: is 2 and changes nothing: the team brings points along (rules.carry), and only a deduction counts besides, -2"},
		"a deduction from what is carried":   {with(teams("A", -2), `,"stage":"playout","parentId":"p","rules":{"carry":{}}`), ""},
		"a deduction":                        {teams("A,B,C,D", -2), ""},
		"a sum and a bye":                    {teams("Total:,spielfrei,Totalia"), `teams.ndjson:1: name: is "Total:", which is no team: one that rests has no match, and a sum is no row` + "\n" + `teams.ndjson:2: name: is "spielfrei", which is no team: one that rests has no match, and a sum is no row`},
	} {
		if got := oddOf(t, read(t, c.files), relations.Stored{}); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
