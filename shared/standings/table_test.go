package standings_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
	"touchline/shared/standings"
)

func TestTableCountsWhatFinishedMatchesSay(t *testing.T) {
	in := standings.Input{
		Rules: rules(),
		Teams: teams("ajax", "brann", "celtic", "derby"),
		Matches: played(t,
			"ajax 3-1 brann",
			"brann 2-2 celtic",
			"celtic 0-1 ajax",
			"derby 4-0 derby", // counts nowhere
		),
	}
	want := []standings.Row{
		{TeamID: "ajax", Rank: 1, Played: 2, Won: 2, GoalsFor: 4, GoalsAgainst: 1, Points: 6},
		{TeamID: "celtic", Rank: 2, Played: 2, Drawn: 1, Lost: 1, GoalsFor: 2, GoalsAgainst: 3, Points: 1},
		{TeamID: "brann", Rank: 3, Played: 2, Drawn: 1, Lost: 1, GoalsFor: 3, GoalsAgainst: 5, Points: 1},
		{TeamID: "derby", Rank: 4},
	}
	if diff := cmp.Diff(want, standings.Table(in)); diff != "" {
		t.Error(diff)
	}
}

// The winner that the shoot-out gives leaves a draw; a ruling decides, and leaves the goals.
func TestResultsAreThoseOfTheRules(t *testing.T) {
	matches := played(t, "ajax 1-1 brann", "ajax 4-0 brann")
	matches[0].Penalties, matches[0].Winner = &sport.Score{Home: 5, Away: 4}, sport.WinnerHome
	matches[1].Winner = sport.WinnerAway
	want := []standings.Row{
		{TeamID: "brann", Rank: 1, Played: 2, Won: 1, Drawn: 1, GoalsFor: 1, GoalsAgainst: 5, Points: 4},
		{TeamID: "ajax", Rank: 2, Played: 2, Drawn: 1, Lost: 1, GoalsFor: 5, GoalsAgainst: 1, Points: 1},
	}
	if diff := cmp.Diff(want, standings.Table(standings.Input{Rules: rules(), Teams: teams("ajax", "brann"), Matches: matches})); diff != "" {
		t.Error(diff)
	}
}

// Whatever it has won, and whatever the rules order by (D59).
func TestATeamThatHasWithdrawnIsLast(t *testing.T) {
	for name, c := range map[string]struct {
		withdrawn []sport.ID
		groups    bool
		want      []string
	}{
		"nobody":           {nil, false, []string{"a 6: points 6, 3", "b 3: goalsFor 2, 1", "c 3: points 3, 0", "d 0"}},
		"the first":        {[]sport.ID{"a"}, false, []string{"b 3: goalsFor 2, 1", "c 3: points 3, 0", "d 0: withdrawal 0/0, 0/0", "a 6"}},
		"two by the rules": {[]sport.ID{"b", "a"}, false, []string{"c 3: points 3, 0", "d 0: withdrawal 0/0, 0/0", "a 6: points 6, 3", "b 3"}},
		"of each group":    {[]sport.ID{"a", "d"}, true, []string{"b 3: withdrawal 0/0, 0/0", "a 6", "c 3: withdrawal 0/0, 0/0", "d 0"}},
	} {
		in := standings.Input{Rules: rules(sport.ByPoints, sport.ByGoalsFor), Teams: teams("a", "b", "c", "d"), Matches: played(t, "a 1-0 b", "a 1-0 c", "b 2-1 d", "c 1-0 d")}
		if c.groups {
			in.Groups = []sport.Group{{ID: "x", Order: 1}, {ID: "y", Order: 2}}
			in.Rules.AcrossGroups = true
		}
		for i := range in.Teams {
			team := &in.Teams[i]
			team.Withdrawn = slices.Contains(c.withdrawn, team.ID)
			team.GroupID = map[bool]sport.ID{true: "x", false: "y"}[i < 2]
			if c.groups {
				in.Matches[0].GroupID, in.Matches[3].GroupID = "x", "y"
			}
		}
		if diff := cmp.Diff(c.want, explained(standings.Explain(in))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// MLS: two conferences, each with its table, and matches between them that count
// in both.
func TestMatchesAcrossGroups(t *testing.T) {
	in := standings.Input{
		Rules:  rules(sport.ByPoints, sport.ByWon),
		Groups: []sport.Group{{ID: "east", Order: 1}, {ID: "west", Order: 2}},
		Teams:  join(inGroup("east", teams("miami", "nyc")), inGroup("west", teams("galaxy", "seattle")), teams("idle")),
		Matches: join(played(t, "miami 1-0 nyc @east", "galaxy 0-0 seattle @west", "nyc 3-0 galaxy", "seattle 2-1 miami @east"),
			played(t, "nyc 9-0 miami", "idle 5-0 nyc", "nyc 5-0 idle")), // a knockout match between two teams of a group, and those of a team of none
	}
	in.Rules.AcrossGroups = true
	points := func() (got []string) {
		for _, r := range standings.Table(in) {
			got = append(got, fmt.Sprintf("%d %s %d of %d", r.Rank, r.TeamID, r.Points, r.Played))
		}
		return got
	}
	if diff := cmp.Diff([]string{"1 miami 3 of 2", "2 nyc 3 of 2", "1 seattle 4 of 2", "2 galaxy 1 of 2", "1 idle 0 of 0"}, points()); diff != "" {
		t.Error(diff)
	}
	in.Rules.AcrossGroups = false
	if diff := cmp.Diff([]string{"1 miami 3 of 1", "2 nyc 0 of 1", "1 galaxy 1 of 1", "2 seattle 1 of 1", "1 idle 0 of 0"}, points()); diff != "" {
		t.Error(diff)
	}
}
