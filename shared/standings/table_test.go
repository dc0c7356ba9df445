package standings_test

import (
	"math"
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

func TestMatchThatDoesNotCountLeavesTheTableAlone(t *testing.T) {
	score := &sport.Score{Home: 4}
	cases := map[string]sport.Match{
		"upcoming with a score":   {Status: sport.Upcoming, HomeTeamID: "ajax", AwayTeamID: "brann", Score: score},
		"live":                    {Status: sport.Live, HomeTeamID: "ajax", AwayTeamID: "brann", Score: score},
		"abandoned, so postponed": {Status: sport.Postponed, HomeTeamID: "ajax", AwayTeamID: "brann", Score: score},
		"finished without score":  {Status: sport.Finished, HomeTeamID: "ajax", AwayTeamID: "brann"},
		"home team not entered":   {Status: sport.Finished, HomeTeamID: "zorya", AwayTeamID: "brann", Score: score},
		"away team not entered":   {Status: sport.Finished, HomeTeamID: "ajax", AwayTeamID: "zorya", Score: score},
		"a team against itself":   {Status: sport.Finished, HomeTeamID: "ajax", AwayTeamID: "ajax", Score: score},
	}
	for name, match := range cases {
		t.Run(name, func(t *testing.T) {
			in := standings.Input{Rules: rules(), Teams: teams("ajax", "brann"), Matches: []sport.Match{match}}
			want := []standings.Row{{TeamID: "ajax", Rank: 1}, {TeamID: "brann", Rank: 2}}
			if diff := cmp.Diff(want, standings.Table(in)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestScoreAloneDecidesInATable(t *testing.T) {
	shootOut := played(t, "ajax 1-1 brann")
	shootOut[0].Penalties = &sport.Score{Home: 5, Away: 4}
	shootOut[0].Winner = sport.WinnerHome
	rows := standings.Table(standings.Input{Rules: rules(), Teams: teams("ajax", "brann"), Matches: shootOut})
	for _, r := range rows {
		if r.Drawn != 1 || r.Points != 1 || r.GoalsFor != 1 {
			t.Errorf("a match decided on penalties is no draw in %+v", r)
		}
	}
}

func TestPointsFollowTheRulesAndStartingPoints(t *testing.T) {
	cases := []struct {
		name  string
		rules sport.Rules
		start map[sport.ID]int
		want  map[sport.ID]int
		order []string
	}{
		{
			name:  "three points for a win",
			rules: rules(),
			want:  map[sport.ID]int{"ajax": 4, "brann": 1, "celtic": 3},
			order: []string{"1 ajax", "2 celtic", "3 brann"},
		},
		{
			name:  "two points for a win",
			rules: sport.Rules{Win: 2, Draw: 1, TieBreakers: sport.DefaultTieBreakers()},
			want:  map[sport.ID]int{"ajax": 3, "brann": 1, "celtic": 2},
			order: []string{"1 ajax", "2 celtic", "3 brann"},
		},
		{
			name:  "a point for a defeat",
			rules: sport.Rules{Win: 4, Draw: 2, Loss: 1, TieBreakers: sport.DefaultTieBreakers()},
			want:  map[sport.ID]int{"ajax": 6, "brann": 3, "celtic": 5},
			order: []string{"1 ajax", "2 celtic", "3 brann"},
		},
		{
			name:  "a deduction goes below zero and costs ranks",
			rules: rules(),
			start: map[sport.ID]int{"ajax": -6},
			want:  map[sport.ID]int{"ajax": -2, "brann": 1, "celtic": 3},
			order: []string{"1 celtic", "2 brann", "3 ajax"},
		},
		{
			name:  "points brought along",
			rules: rules(),
			start: map[sport.ID]int{"ajax": 10, "brann": 20, "celtic": 5},
			want:  map[sport.ID]int{"ajax": 14, "brann": 21, "celtic": 8},
			order: []string{"1 brann", "2 ajax", "3 celtic"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			entries := teams("ajax", "brann", "celtic")
			for i := range entries {
				entries[i].StartingPoints = c.start[entries[i].ID]
			}
			rows := standings.Table(standings.Input{
				Rules:   c.rules,
				Teams:   entries,
				Matches: played(t, "ajax 2-0 celtic", "ajax 1-1 brann", "celtic 1-0 brann"),
			})
			if diff := cmp.Diff(c.order, ranking(rows)); diff != "" {
				t.Error(diff)
			}
			for _, r := range rows {
				if r.Points != c.want[r.TeamID] || r.StartingPoints != c.start[r.TeamID] {
					t.Errorf("%s has %d points, %d of them at the start; want %d and %d",
						r.TeamID, r.Points, r.StartingPoints, c.want[r.TeamID], c.start[r.TeamID])
				}
			}
		})
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

func TestGroupsAreBlocksWithRanksOfTheirOwn(t *testing.T) {
	in := standings.Input{
		Rules: rules(),
		Groups: []sport.Group{
			{ID: "late", Order: 2}, {ID: "first", Order: 1}, {ID: "empty", Order: 1}, {ID: "also", Order: 2},
		},
		Teams: join(
			teams("guest", "visitor"),
			inGroup("late", teams("ajax", "brann")),
			inGroup("first", teams("celtic", "derby")),
			inGroup("also", teams("everton", "fulham")),
		),
		Matches: played(t,
			"brann 1-0 ajax @late",
			"derby 1-0 celtic @first",
			"fulham 1-0 everton @also",
			"visitor 1-0 guest",
		),
	}
	rows := standings.Table(in)
	want := []string{"1 derby", "2 celtic", "1 fulham", "2 everton", "1 brann", "2 ajax", "1 visitor", "2 guest"}
	if diff := cmp.Diff(want, ranking(rows)); diff != "" {
		t.Error(diff)
	}
	wantGroups := []sport.ID{"first", "first", "also", "also", "late", "late", "", ""}
	for i, r := range rows {
		if r.GroupID != wantGroups[i] {
			t.Errorf("row %d (%s) is in group %q, want %q", i, r.TeamID, r.GroupID, wantGroups[i])
		}
	}
}

func TestGroupTableCountsOnlyMatchesOfTheGroup(t *testing.T) {
	in := standings.Input{
		Rules:  rules(),
		Groups: []sport.Group{{ID: "a", Order: 1}, {ID: "b", Order: 2}},
		Teams:  join(inGroup("a", teams("ajax", "brann")), inGroup("b", teams("celtic")), teams("guest")),
	}
	want := []standings.Row{
		{TeamID: "ajax", GroupID: "a", Rank: 1},
		{TeamID: "brann", GroupID: "a", Rank: 2},
		{TeamID: "celtic", GroupID: "b", Rank: 1},
		{TeamID: "guest", Rank: 1},
	}
	for name, match := range map[string]string{
		"third place between two teams of a group": "ajax 0-2 brann",
		"a match across groups":                    "celtic 3-0 ajax",
		"a match across groups, marked with one":   "celtic 3-0 ajax @a",
		"a match of a team without group":          "guest 1-0 brann",
		"a match marked with another group":        "brann 1-0 ajax @b",
		"a match marked with an unknown group":     "brann 1-0 ajax @z",
	} {
		t.Run(name, func(t *testing.T) {
			in := in
			in.Matches = played(t, match)
			if diff := cmp.Diff(want, standings.Table(in)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEveryMatchCountsWhereThereAreNoGroups(t *testing.T) {
	in := standings.Input{
		Rules:   rules(),
		Teams:   join(inGroup("stray", teams("ajax")), teams("brann")),
		Matches: played(t, "brann 1-0 ajax @stray", "ajax 0-1 brann"),
	}
	want := []standings.Row{
		{TeamID: "brann", Rank: 1, Played: 2, Won: 2, GoalsFor: 2, Points: 6},
		{TeamID: "ajax", Rank: 2, Played: 2, Lost: 2, GoalsAgainst: 2},
	}
	if diff := cmp.Diff(want, standings.Table(in)); diff != "" {
		t.Error(diff)
	}
}

func TestExtremeNumbersCompareWithoutOverflow(t *testing.T) {
	const most = math.MaxInt
	entries := teams("ajax", "brann", "celtic")
	entries[0].StartingPoints, entries[0].Seed = math.MinInt, most
	entries[1].StartingPoints, entries[1].Seed = most, math.MinInt
	in := standings.Input{Rules: rules(sport.ByPoints), Teams: entries}
	if diff := cmp.Diff([]string{"1 brann", "2 celtic", "3 ajax"}, ranking(standings.Table(in))); diff != "" {
		t.Error("by points:", diff)
	}
	in.Rules = rules(sport.BySeed)
	if diff := cmp.Diff([]string{"1 ajax", "2 celtic", "3 brann"}, ranking(standings.Table(in))); diff != "" {
		t.Error("by seed:", diff)
	}
	in = standings.Input{
		Rules:   rules(sport.ByGoalDiff, sport.ByHeadToHeadGoalDiff),
		Teams:   teams("ajax", "brann"),
		Matches: played(t, "ajax 0-2000000000 brann", "ajax 1-2000000000 brann"),
	}
	rows := standings.Table(in)
	if rows[0].TeamID != "brann" || rows[0].GoalsFor != 4_000_000_000 || rows[1].GoalsAgainst != 4_000_000_000 {
		t.Errorf("sums past 32 bits: %+v", rows)
	}
}

func TestNoTeamsNoRows(t *testing.T) {
	if rows := standings.Table(standings.Input{Rules: rules(), Matches: played(t, "ajax 1-0 brann")}); len(rows) != 0 {
		t.Errorf("rows of nobody: %+v", rows)
	}
}
