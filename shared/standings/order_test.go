package standings_test

import (
	"fmt"
	"strings"
	"testing"

	"touchline/shared/sport"
	"touchline/shared/standings"
)

// orderCase is a table and the order that criteria put it in. Texts are lists.
type orderCase struct {
	name         string
	criteria     string           // empty: the default ones
	seeds, start map[sport.ID]int // start: points
	matches      string           // "a 2-1 b, b 0-0 c"
	open         string           // matches to come: "home-away"
	want         string           // teams
}

// rank compares the table of teams with what the case wants.
func (c orderCase) rank(t *testing.T, names ...string) {
	t.Helper()
	entries := teams(names...)
	for i := range entries {
		entries[i].Seed, entries[i].StartingPoints = c.seeds[entries[i].ID], c.start[entries[i].ID]
	}
	var criteria []sport.TieBreaker
	for name := range strings.FieldsSeq(c.criteria) {
		criteria = append(criteria, sport.TieBreaker(name))
	}
	list := func(text string) []string { return strings.FieldsFunc(text, func(r rune) bool { return r == ',' }) }
	matches := played(t, list(c.matches)...)
	for _, open := range list(c.open) {
		home, away, _ := strings.Cut(strings.TrimSpace(open), "-")
		matches = append(matches, sport.Match{HomeTeamID: sport.ID(home), AwayTeamID: sport.ID(away), Status: sport.Upcoming})
	}
	var got []string
	for i, r := range standings.Table(standings.Input{Rules: rules(criteria...), Teams: entries, Matches: matches}) {
		if got = append(got, string(r.TeamID)); r.Rank != i+1 {
			t.Errorf("%s has rank %d", r.TeamID, r.Rank)
		}
	}
	if strings.Join(got, " ") != c.want {
		t.Errorf("%s, want %s", got, c.want)
	}
}

func TestTieBreakerSeparatesLevelTeams(t *testing.T) {
	cases := []orderCase{
		{name: "goal difference before goals", criteria: "points goalDiff goalsFor", matches: "a 5-4 z, b 2-0 z", want: "b a c z"},
		{name: "goals before goal difference", criteria: "points goalsFor goalDiff", matches: "a 2-0 z, b 5-4 z", want: "b a z c"},
		{name: "wins", criteria: "points won", matches: "a 1-1 z, a 2-2 z, a 3-3 z, b 1-0 z, c 0-0 z", want: "z b a c"},
		{name: "a list without points does not order by points", criteria: "won", start: map[sport.ID]int{"z": 30}, matches: "b 1-0 a", want: "b a c z"},
		{name: "higher seed first", criteria: "points seed name", seeds: map[sport.ID]int{"c": 2, "b": 1, "a": -1}, want: "c b z a"},
		{name: "name before what stands behind it", criteria: "name points", matches: "z 1-0 a", want: "a b c z"},
		{name: "the default order asks the goals before the head to head", matches: "a 1-0 b, b 5-0 z", want: "b a c z"},
		// a and b: 3 points, 1-1 goals; b won their match. z is back at 0.
		{name: "default order, level on goals", start: map[sport.ID]int{"z": -3}, matches: "b 1-0 a, z 1-0 b, a 1-0 z", want: "b a z c"},
		{name: "nothing played is 0 a match", criteria: "pointsPerMatch", start: map[sport.ID]int{"z": 30}, matches: "b 1-0 a", want: "b a c z"},
		{name: "an unknown criterion separates nobody", criteria: "lots points", matches: "z 1-0 a", want: "z a b c"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { c.rank(t, "z", "c", "b", "a") })
	}
}

func TestHeadToHeadIsTheTableOfTheTeamsLevelSoFar(t *testing.T) {
	cases := []orderCase{
		// a and c: 3 points, a has the goals and lost to c.
		{name: "two teams", criteria: "points headToHeadPoints goalDiff", start: map[sport.ID]int{"b": -9, "d": -9}, matches: "c 1-0 a, d 1-0 c, a 9-0 d, d 0-3 b, b 0-1 d", want: "c a d b"},
		{name: "matches against others do not count", criteria: "points headToHeadGoalDiff headToHeadGoalsFor", matches: "a 0-0 b, a 1-0 d, b 9-0 d", want: "a b c d"},
		// All have 6 points. Among three, b has -5 and c -1; among two, 0 each.
		{name: "three teams, one ahead: all criteria are of the matches among the three", criteria: "points headToHeadPoints headToHeadGoalDiff", start: map[sport.ID]int{"b": 5, "c": 5}, matches: "a 5-0 b, a 1-0 c, b 0-0 c", want: "a c b d"},
		// c +2, a and b -1; among three b has 5 goals to 2, among two 0 to 2.
		{name: "three in a circle, split by goal difference, then two by their goals among the three", criteria: "points headToHeadPoints headToHeadGoalDiff headToHeadGoalsFor", matches: "a 2-0 b, b 5-4 c, c 3-0 a", want: "c b a d"},
		// All have 9 points; among three a has 9, b and c 4. Between the two c has 4, b 1.
		{name: "those whom the block leaves level get a table of their own", criteria: "points headToHeadPoints", start: map[sport.ID]int{"b": 5, "c": 5}, matches: "a 1-0 b, b 1-0 a, a 1-0 c, c 0-1 a, c 1-0 b, b 0-0 c", want: "a c b d"},
		{name: "unless the block is applied once", criteria: "points headToHeadOnce:points", start: map[sport.ID]int{"b": 5, "c": 5}, matches: "a 1-0 b, b 1-0 a, a 1-0 c, c 0-1 a, c 1-0 b, b 0-0 c", want: "a b c d"},
		// Between the two c has 4, b 1.
		{name: "two blocks once each are two tables", criteria: "points headToHeadOnce:points headToHeadOnce:points", start: map[sport.ID]int{"b": 5, "c": 5}, matches: "a 1-0 b, b 1-0 a, a 1-0 c, c 0-1 a, c 1-0 b, b 0-0 c", want: "a c b d"},
		{name: "a block that waits is passed over while a match among the level teams is to come", criteria: "points headToHeadAllPlayed:points goalDiff", matches: "a 1-0 b, b 5-0 c, c 0-0 a, c 1-1 b", open: "b-a", want: "b a c d"},
		{name: "a block that waits counts once all are played, whatever others have to play", criteria: "points headToHeadAllPlayed:points goalDiff", matches: "a 1-0 b, b 5-0 c, c 0-0 a, c 1-1 b", open: "c-a, b-c", want: "a b c d"},
		{name: "starting points are no part of it", criteria: "points headToHeadPoints", start: map[sport.ID]int{"a": 3}, matches: "b 1-0 a", want: "b a c d"},
		// Points among all: c and d 4; goals among all: d 2, c 1.
		{name: "first of all criteria it is among all teams", criteria: "headToHeadPoints headToHeadGoalsFor", start: map[sport.ID]int{"a": 50}, matches: "d 2-0 a, c 1-0 b, c 0-0 d", want: "d c a b"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { c.rank(t, "d", "c", "b", "a") })
	}
}

// Every criterion of the list for itself: what it prefers, and with which values.
func TestCriteria(t *testing.T) {
	for name, tt := range map[string]struct {
		criterion sport.TieBreaker
		matches   []string
		want      string // the first row
	}{
		// First Division 1952-53: 54 points each, and a goal average of 97:64 to 85:60.
		"goal ratio":             {sport.ByGoalRatio, []string{"arsenal 97-64 x", "preston 85-60 y", "x 200-1 y"}, "x 3: goalRatio 264/98, 97/64"},
		"none against is best":   {sport.ByGoalRatio, []string{"a 1-0 b", "c 9-1 b"}, "a 3: goalRatio 1/0, 9"},
		"also without a goal":    {sport.ByGoalRatio, []string{"a 1-1 b", "x 0-0 y"}, "x 1: name"},
		"away goals":             {sport.ByAwayGoals, []string{"a 5-0 b", "b 1-2 c"}, "c 3: awayGoals 2, 0"},
		"wins away":              {sport.ByAwayWon, []string{"a 5-0 b", "b 1-2 c"}, "c 3: awayWon 1, 0"},
		"points of those played": {sport.ByOpponentsPoints, []string{"a 1-0 b", "c 1-0 d", "b 1-0 d"}, "d 0: opponentsPoints 6, 3"},
		// UEFA Champions League 2024-25, article 18: teams level in the rest of it are
		// ordered by what their opponents did in all their matches.
		"goal difference of those played": {sport.ByOpponentsDiff, []string{"a 1-0 b", "b 5-0 e", "e 1-0 f"}, "a 3: opponentsGoalDiff 4, 3"},
		"goals of those played":           {sport.ByOpponentsGoals, []string{"a 1-0 b", "b 5-0 e", "e 1-0 f", "f 2-3 b"}, "e 3: opponentsGoalsFor 10, 9"},
		// FIDE Handbook C.07: the points of those beaten, and half of those drawn with.
		"Sonneborn-Berger":            {sport.BySonnebornBerger, []string{"a 1-0 b", "a 0-0 c", "c 1-0 b", "d 1-0 a", "b 1-0 d", "c 2-0 e"}, "a 4: sonnebornBerger 13/2, 5"},
		"points per match":            {sport.ByPointsPerMatch, []string{"a 1-0 b", "a 0-1 c", "c 1-1 b"}, "c 4: pointsPerMatch 4/2, 3/2"},
		"what is not known separates": {"lots", []string{"b 1-0 a"}, "a 0: name"},
	} {
		t.Run(name, func(t *testing.T) {
			matches := played(t, tt.matches...)
			got := explained(standings.Explain(standings.Input{Rules: rules(tt.criterion), Teams: entered(matches), Matches: matches}))
			if got[0] != tt.want {
				t.Errorf("%q, want %q", got[0], tt.want)
			}
		})
	}
}

// A block that waits is passed over until every match among the level teams is finished.
// Of one fixture the later match is in the place of the others; of two at one time the one
// that was played.
func TestABlockWaitsForMatchesThatAreToBePlayed(t *testing.T) {
	const done, off = sport.Finished, sport.Postponed
	type on struct {
		day    int
		status sport.MatchStatus
	}
	for name, c := range map[string]struct {
		matches []on   // of a against b
		want    string // who leads: b by the block, a by the name
	}{
		"finished":                         {[]on{{2, done}}, "b"},
		"live":                             {[]on{{2, sport.Live}}, "a"},
		"upcoming":                         {[]on{{2, sport.Upcoming}}, "a"},
		"postponed":                        {[]on{{2, off}}, "a"},
		"postponed, and a new date":        {[]on{{2, off}, {9, done}}, "b"},
		"the new date first":               {[]on{{9, done}, {2, off}}, "b"},
		"a new date that is to come":       {[]on{{2, off}, {9, sport.Upcoming}}, "a"},
		"a later match that is postponed":  {[]on{{2, done}, {9, off}}, "a"},
		"that one first":                   {[]on{{9, off}, {2, done}}, "a"},
		"two at one time":                  {[]on{{2, off}, {2, done}}, "b"},
		"two at one time, the other first": {[]on{{2, done}, {2, off}}, "b"},
	} {
		in := standings.Input{Rules: rules(whenPlayed(sport.ByPoints), sport.ByName), Teams: teams("a", "b"), Matches: []sport.Match{match("m1", 1, "b", "a", 1, 0)}}
		for i, m := range c.matches {
			in.Matches = append(in.Matches, withStatus(m.status, match(sport.ID(fmt.Sprint(i)), m.day, "a", "b", 0, 0)))
		}
		if got := standings.Table(in)[0].TeamID; string(got) != c.want {
			t.Errorf("%s: %s leads, want %s", name, got, c.want)
		}
	}
}
