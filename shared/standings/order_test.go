package standings_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
	"touchline/shared/standings"
)

// orderCase is a table and the order that criteria put it in.
type orderCase struct {
	name     string
	criteria []sport.TieBreaker
	seeds    map[sport.ID]int
	start    map[sport.ID]int // starting points
	matches  []string
	open     []string // matches to come: "home-away"
	want     []string
}

// rank compares the table of teams with what the case wants.
func (c orderCase) rank(t *testing.T, names ...string) {
	t.Helper()
	entries := teams(names...)
	for i := range entries {
		entries[i].Seed = c.seeds[entries[i].ID]
		entries[i].StartingPoints = c.start[entries[i].ID]
	}
	matches := played(t, c.matches...)
	for _, open := range c.open {
		home, away, _ := strings.Cut(open, "-")
		matches = append(matches, sport.Match{HomeTeamID: sport.ID(home), AwayTeamID: sport.ID(away), Status: sport.Upcoming})
	}
	rows := standings.Table(standings.Input{Rules: rules(c.criteria...), Teams: entries, Matches: matches})
	if diff := cmp.Diff(c.want, ranking(rows)); diff != "" {
		t.Error(diff)
	}
}

func TestTieBreakerSeparatesLevelTeams(t *testing.T) {
	cases := []orderCase{
		{
			name:     "goal difference before goals",
			criteria: []sport.TieBreaker{sport.ByPoints, sport.ByGoalDiff, sport.ByGoalsFor},
			matches:  []string{"a 5-4 z", "b 2-0 z"},
			want:     []string{"1 b", "2 a", "3 c", "4 z"},
		},
		{
			name:     "goals before goal difference",
			criteria: []sport.TieBreaker{sport.ByPoints, sport.ByGoalsFor, sport.ByGoalDiff},
			matches:  []string{"a 2-0 z", "b 5-4 z"},
			want:     []string{"1 b", "2 a", "3 z", "4 c"},
		},
		{
			name:     "wins",
			criteria: []sport.TieBreaker{sport.ByPoints, sport.ByWon},
			matches:  []string{"a 1-1 z", "a 2-2 z", "a 3-3 z", "b 1-0 z", "c 0-0 z"},
			want:     []string{"1 z", "2 b", "3 a", "4 c"},
		},
		{
			name:     "a list without points does not order by points",
			criteria: []sport.TieBreaker{sport.ByWon},
			start:    map[sport.ID]int{"z": 30},
			matches:  []string{"b 1-0 a"},
			want:     []string{"1 b", "2 a", "3 c", "4 z"},
		},
		{
			name:     "higher seed first",
			criteria: []sport.TieBreaker{sport.ByPoints, sport.BySeed, sport.ByName},
			seeds:    map[sport.ID]int{"c": 2, "b": 1, "a": -1},
			want:     []string{"1 c", "2 b", "3 z", "4 a"},
		},
		{
			name:     "name before what stands behind it",
			criteria: []sport.TieBreaker{sport.ByName, sport.ByPoints},
			matches:  []string{"z 1-0 a"},
			want:     []string{"1 a", "2 b", "3 c", "4 z"},
		},
		{
			name:    "the default order asks the goals before the head to head",
			matches: []string{"a 1-0 b", "b 5-0 z"},
			want:    []string{"1 b", "2 a", "3 c", "4 z"},
		},
		{
			name:    "default order, level on goals",
			matches: []string{"b 1-0 a", "z 1-0 b", "a 1-0 z"},
			start:   map[sport.ID]int{"z": -3},
			// a and b: 3 points, 1-1 goals; b won their match. z is back at 0.
			want: []string{"1 b", "2 a", "3 z", "4 c"},
		},
		{
			name:     "an unknown criterion separates nobody",
			criteria: []sport.TieBreaker{"lots", sport.ByPoints},
			matches:  []string{"z 1-0 a"},
			want:     []string{"1 z", "2 a", "3 b", "4 c"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { c.rank(t, "z", "c", "b", "a") })
	}
}

func TestHeadToHeadIsTheTableOfTheTeamsLevelSoFar(t *testing.T) {
	cases := []orderCase{
		{
			name:     "two teams",
			criteria: []sport.TieBreaker{sport.ByPoints, sport.ByHeadToHeadPoints, sport.ByGoalDiff},
			matches:  []string{"c 1-0 a", "d 1-0 c", "a 9-0 d", "d 0-3 b", "b 0-1 d"},
			start:    map[sport.ID]int{"b": -9, "d": -9},
			// a and c: 3 points, a has the goals and lost to c.
			want: []string{"1 c", "2 a", "3 d", "4 b"},
		},
		{
			name:     "matches against others do not count",
			criteria: []sport.TieBreaker{sport.ByPoints, sport.ByHeadToHeadGoalDiff, sport.ByHeadToHeadGoalsFor},
			matches:  []string{"a 0-0 b", "a 1-0 d", "b 9-0 d"},
			want:     []string{"1 a", "2 b", "3 c", "4 d"},
		},
		{
			name: "three teams, one ahead: all criteria are of the matches among the three",
			criteria: []sport.TieBreaker{
				sport.ByPoints, sport.ByHeadToHeadPoints, sport.ByHeadToHeadGoalDiff,
			},
			start:   map[sport.ID]int{"b": 5, "c": 5},
			matches: []string{"a 5-0 b", "a 1-0 c", "b 0-0 c"},
			// All have 6 points. Among three, b has -5 and c -1; among two, 0 each.
			want: []string{"1 a", "2 c", "3 b", "4 d"},
		},
		{
			name: "three in a circle, split by goal difference, then two by their goals among the three",
			criteria: []sport.TieBreaker{
				sport.ByPoints, sport.ByHeadToHeadPoints, sport.ByHeadToHeadGoalDiff, sport.ByHeadToHeadGoalsFor,
			},
			matches: []string{"a 2-0 b", "b 5-4 c", "c 3-0 a"},
			// c +2, a and b -1; among three b has 5 goals to 2, among two 0 to 2.
			want: []string{"1 c", "2 b", "3 a", "4 d"},
		},
		{
			name:     "those whom the block leaves level get a table of their own",
			criteria: []sport.TieBreaker{sport.ByPoints, sport.ByHeadToHeadPoints},
			start:    map[sport.ID]int{"b": 5, "c": 5},
			matches:  []string{"a 1-0 b", "b 1-0 a", "a 1-0 c", "c 0-1 a", "c 1-0 b", "b 0-0 c"},
			// All have 9 points; among three a has 9, b and c 4. Between the two c has 4, b 1.
			want: []string{"1 a", "2 c", "3 b", "4 d"},
		},
		{
			name:     "unless the block is applied once",
			criteria: []sport.TieBreaker{sport.ByPoints, headToHeadOnce(sport.ByPoints)},
			start:    map[sport.ID]int{"b": 5, "c": 5},
			matches:  []string{"a 1-0 b", "b 1-0 a", "a 1-0 c", "c 0-1 a", "c 1-0 b", "b 0-0 c"},
			want:     []string{"1 a", "2 b", "3 c", "4 d"},
		},
		{
			name:     "two blocks once each are two tables",
			criteria: []sport.TieBreaker{sport.ByPoints, headToHeadOnce(sport.ByPoints), headToHeadOnce(sport.ByPoints)},
			start:    map[sport.ID]int{"b": 5, "c": 5},
			matches:  []string{"a 1-0 b", "b 1-0 a", "a 1-0 c", "c 0-1 a", "c 1-0 b", "b 0-0 c"},
			// Between the two c has 4, b 1.
			want: []string{"1 a", "2 c", "3 b", "4 d"},
		},
		{
			name:     "a block that waits is passed over while a match among the level teams is to come",
			criteria: []sport.TieBreaker{sport.ByPoints, whenPlayed(sport.ByPoints), sport.ByGoalDiff},
			matches:  []string{"a 1-0 b", "b 5-0 c", "c 0-0 a", "c 1-1 b"},
			open:     []string{"b-a"},
			want:     []string{"1 b", "2 a", "3 c", "4 d"},
		},
		{
			name:     "a block that waits counts once all are played, whatever others have to play",
			criteria: []sport.TieBreaker{sport.ByPoints, whenPlayed(sport.ByPoints), sport.ByGoalDiff},
			matches:  []string{"a 1-0 b", "b 5-0 c", "c 0-0 a", "c 1-1 b"},
			open:     []string{"c-a", "b-c"},
			want:     []string{"1 a", "2 b", "3 c", "4 d"},
		},
		{
			name:     "starting points are no part of it",
			criteria: []sport.TieBreaker{sport.ByPoints, sport.ByHeadToHeadPoints},
			start:    map[sport.ID]int{"a": 3},
			matches:  []string{"b 1-0 a"},
			want:     []string{"1 b", "2 a", "3 c", "4 d"},
		},
		{
			name:     "first of all criteria it is among all teams",
			criteria: []sport.TieBreaker{sport.ByHeadToHeadPoints, sport.ByHeadToHeadGoalsFor},
			start:    map[sport.ID]int{"a": 50},
			matches:  []string{"d 2-0 a", "c 1-0 b", "c 0-0 d"},
			// Points among all: c and d 4; goals among all: d 2, c 1.
			want: []string{"1 d", "2 c", "3 a", "4 b"},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { c.rank(t, "d", "c", "b", "a") })
	}
}

func TestHeadToHeadLeavesOutMatchesThatDoNotCount(t *testing.T) {
	in := standings.Input{
		Rules:   rules(sport.ByPoints, sport.ByHeadToHeadPoints),
		Groups:  []sport.Group{{ID: "g"}},
		Teams:   inGroup("g", teams("a", "b")),
		Matches: played(t, "a 1-1 b @g", "b 3-0 a"),
	}
	if diff := cmp.Diff([]string{"1 a", "2 b"}, ranking(standings.Table(in))); diff != "" {
		t.Errorf("a knockout match decided a group: %s", diff)
	}
}

func TestTeamsOfOneNameAreOrderedByID(t *testing.T) {
	same := func(id sport.ID) standings.TeamEntry {
		return standings.TeamEntry{ID: id, NameKey: []byte("united")}
	}
	in := standings.Input{
		Rules: rules(sport.ByName, sport.ByGoalsFor),
		Teams: []standings.TeamEntry{same("c"), same("a"), same("b"), {ID: "z", NameKey: []byte("albion")}},
	}
	if diff := cmp.Diff([]string{"1 z", "2 a", "3 b", "4 c"}, ranking(standings.Table(in))); diff != "" {
		t.Error("level after the list:", diff)
	}
	in.Matches = played(t, "c 2-2 b", "z 0-0 a")
	if diff := cmp.Diff([]string{"1 z", "2 b", "3 c", "4 a"}, ranking(standings.Table(in))); diff != "" {
		t.Error("a criterion after the name:", diff)
	}
}
