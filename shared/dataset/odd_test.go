package dataset

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

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
	})
	set := mustRead(t, map[string]string{"matches": kickoff(at + `"score":{"home":0,"away":0},"winner":"none","events":[]`)})
	if m := set.Matches.At(0).Value.Base; m.Score != nil || m.Winner != sport.WinnerNone {
		t.Errorf("an upcoming match has %v, %s", m.Score, m.Winner)
	}
	set = mustRead(t, map[string]string{"matches": strings.Replace(match(`"score":{"home":7,"away":0}`), "finished", "postponed", 1)})
	if m := set.Matches.At(0).Value.Base; m.Score == nil || m.Score.Home != 7 {
		t.Errorf("a postponed match keeps %v", m.Score)
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
		want := []Fault{{File: "matches.ndjson", Line: 2, Field: "events", Message: c.want}}
		if c.want == "" {
			want = nil
		}
		if diff := cmp.Diff(want, set.Warnings.List); diff != "" {
			t.Errorf("%s: warnings (-want +got):\n%s", name, diff)
		}
		if faults := set.Warnings.Faults(); (faults != nil) != (c.want != "") {
			t.Errorf("%s: strictly %v", name, faults)
		}
	}
}

// oddSet has what is odd in each line that says so.
func oddSet(t *testing.T) *Set {
	match := func(id, status, kickoff, home, away string) string {
		return fmt.Sprintf(`{"id":%q,"competitionId":"c","season":2025,"status":%q,%s,"homeTeamId":%q,"awayTeamId":%q,"score":{"home":0,"away":0}}`,
			id, status, kickoff, home, away)
	}
	at := func(time string) string { return `"kickoffAt":"` + time + `"` }
	local := func(time string) string { return `"kickoffLocal":"` + time + `"` }
	return mustRead(t, map[string]string{
		"competitions": competition(`"season":2025,"timezone":"Europe/Vienna"`),
		"teams": lined(
			`{"id":"a","name":"A","shortName":"A","competitionId":"c"}`,
			`{"id":"b","name":"B","shortName":"B","competitionId":"c","season":2025}`,
			`{"id":"d","name":"D","shortName":"D","competitionId":"c","season":2024}`),
		"players": lined(
			`{"id":"p","name":"P","teamId":"a","number":9}`,
			`{"id":"q","name":"Q","teamId":"a","number":9}`,
			`{"id":"r","name":"R","teamId":"b","number":9}`,
			`{"id":"s","name":"S","teamId":"a","number":9,"status":"inactive"}`,
			`{"id":"u","name":"U","teamId":"a"}`, `{"id":"v","name":"V","teamId":"a"}`),
		"matches": lined(
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
	all := &Warnings{}
	for _, w := range slices.Concat(warnings, set.Odd(now, Stored{}, resolve)) {
		all.Add(w)
	}
	want := strings.Join([]string{
		`players.ndjson:2: number: 9 is also the number of player "p" in the team`,
		`matches.ndjson:2: id: is the same fixture as match "1": the same teams within a day`,
		`matches.ndjson:5: awayTeamId: team "d" is not entered in season 2025 of competition "c"`,
		`matches.ndjson:6: status: is finished, but the kick-off, 2026-03-14T15:00Z, is still to come`,
		`matches.ndjson:7: status: is upcoming, but the kick-off was at 2026-03-08T12:00Z`,
		`matches.ndjson:10: status: is live for more than 6 hours: the kick-off was at 2026-03-10T05:00Z`,
		`matches.ndjson:10: id: is the same fixture as match "9": the same teams within a day`,
		`matches.ndjson:11: kickoffLocal: is shown twice by the clocks of the time zone: taken for the first time`,
		`matches.ndjson:12: kickoffLocal: is skipped by the clocks of the time zone: taken for as much later`,
	}, "\n")
	if diff := cmp.Diff(want, all.String()); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}

// What is stored counts as well, and is not warned of itself.
func TestWhatIsOddBesideWhatIsStored(t *testing.T) {
	set := mustRead(t, map[string]string{
		"players": `{"id":"p","name":"P","teamId":"a","number":9}`,
		"matches": `{"id":"m","competitionId":"c","season":2025,"status":"finished","kickoffAt":"2026-03-01T15:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":0,"away":0}}`,
	})
	kickoff := set.Matches.At(0).Value.Base.Kickoff
	home, away := hash("team", "a"), hash("team", "b")
	stored := sport.Match{ID: hash("match", "x"), HomeTeamID: home, AwayTeamID: away, Kickoff: kickoff.Add(time.Hour)}
	twin := stored
	twin.ID = hash("match", "y")
	player := sport.Player{ID: hash("player", "x"), TeamID: home, Number: 9, Status: sport.Active}
	odd := set.Odd(kickoff.Add(time.Hour), Stored{
		Team: func(id sport.ID) *sport.Team {
			return &sport.Team{ID: id, CompetitionID: hash("competition", "c"), Season: map[sport.ID]int{home: 2025, away: 2024}[id]}
		},
		Players: []sport.Player{player},
		Matches: []sport.Match{stored, twin},
	}, nil)
	want := []Fault{
		{File: "matches.ndjson", Line: 1, Field: "awayTeamId", Message: `team "b" is not entered in season 2025 of competition "c"`},
		{File: "matches.ndjson", Line: 1, Field: "id", Message: `is the same fixture as match "` + string(stored.ID) + `": the same teams within a day`},
		{File: "players.ndjson", Line: 1, Field: "number", Message: `9 is also the number of player "` + string(player.ID) + `" in the team`},
	}
	if diff := cmp.Diff(want, odd); diff != "" {
		t.Errorf("warnings (-want +got):\n%s", diff)
	}
}
