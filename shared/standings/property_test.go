package standings_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"touchline/shared/sport"
	"touchline/shared/standings"
)

// drawInput makes small competitions in which many teams end up level: few
// goals, few names, deductions, groups and matches that do not count.
func drawInput(rt *rapid.T) standings.Input {
	var in standings.Input
	groups := []sport.ID{"", "another"}[:rapid.IntRange(1, 2).Draw(rt, "groups of the teams")]
	for _, id := range []sport.ID{"g1", "g2"}[:rapid.IntRange(0, 2).Draw(rt, "groups")] {
		in.Groups = append(in.Groups, sport.Group{ID: id, Order: rapid.IntRange(0, 1).Draw(rt, "order")})
		groups = append(groups, id)
	}
	ids := []sport.ID{"a", "b", "c", "d", "e", "f", "g"}
	entered := ids[:rapid.IntRange(0, 6).Draw(rt, "teams")] // "g" plays without being entered
	for _, id := range entered {
		in.Teams = append(in.Teams, standings.TeamEntry{
			ID:             id,
			NameKey:        rapid.SampledFrom([][]byte{[]byte("x"), []byte("y"), nil}).Draw(rt, "name"),
			GroupID:        rapid.SampledFrom(groups).Draw(rt, "group"),
			StartingPoints: rapid.IntRange(-3, 3).Draw(rt, "start"),
			Seed:           rapid.IntRange(-1, 1).Draw(rt, "seed"),
		})
	}
	for range rapid.IntRange(0, 25).Draw(rt, "matches") {
		pair := rapid.Permutation(ids).Draw(rt, "sides")
		in.Matches = append(in.Matches, sport.Match{
			HomeTeamID: pair[0],
			AwayTeamID: pair[1],
			GroupID:    rapid.SampledFrom(groups).Draw(rt, "match group"),
			Kickoff:    time.Date(2025, time.May, rapid.IntRange(1, 3).Draw(rt, "day"), 18, 0, 0, 0, time.UTC),
			Status: rapid.SampledFrom([]sport.MatchStatus{
				sport.Finished, sport.Finished, sport.Finished, sport.Live, sport.Postponed,
			}).Draw(rt, "status"),
			Score: rapid.SampledFrom([]*sport.Score{
				{}, {Home: 1}, {Away: 1}, {Home: 1, Away: 1}, {Home: 2}, nil,
			}).Draw(rt, "score"),
		})
	}
	all := []sport.TieBreaker{
		sport.ByPoints, sport.ByGoalDiff, sport.ByGoalsFor, sport.ByWon, sport.ByHeadToHeadPoints,
		sport.ByHeadToHeadGoalDiff, sport.ByHeadToHeadGoalsFor, sport.BySeed, sport.ByName,
		sport.ByAwayGoals, sport.ByAwayWon, sport.ByGoalRatio, sport.ByOpponentsPoints, sport.ByPointsPerMatch,
		headToHead(sport.ByPoints, sport.ByGoalDiff), headToHeadOnce(sport.ByAwayGoals, sport.ByOpponentsPoints, sport.ByWon),
		sport.HeadToHead(sport.Block{Criteria: []sport.TieBreaker{sport.ByGoalsFor}, AllPlayed: true}),
	}
	criteria := rapid.Permutation(all).Draw(rt, "criteria")
	in.Rules = rules(criteria[:rapid.IntRange(1, len(all)).Draw(rt, "length")]...)
	in.Rules.Win, in.Rules.Draw, in.Rules.Loss = rapid.IntRange(2, 4).Draw(rt, "win"), rapid.IntRange(1, 2).Draw(rt, "draw"), rapid.IntRange(-1, 1).Draw(rt, "loss")
	return in
}

func TestTableAgreesWithTheLongWay(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		in := drawInput(rt)
		want := naiveTable(in)
		if diff := cmp.Diff(want, standings.Table(in), cmpopts.EquateEmpty()); diff != "" {
			rt.Fatal(diff)
		}
	})
}

func TestTableDoesNotDependOnTheOrderOfItsInput(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		in := drawInput(rt)
		before := standings.Input{Rules: in.Rules, Groups: slices.Clone(in.Groups), Teams: slices.Clone(in.Teams), Matches: slices.Clone(in.Matches)}
		want := standings.Table(in)
		if diff := cmp.Diff(before, in); diff != "" {
			rt.Fatalf("the input was changed: %s", diff)
		}
		in.Groups = rapid.Permutation(in.Groups).Draw(rt, "groups turned")
		in.Teams = rapid.Permutation(in.Teams).Draw(rt, "teams turned")
		in.Matches = rapid.Permutation(in.Matches).Draw(rt, "matches turned")
		if diff := cmp.Diff(want, standings.Table(in)); diff != "" {
			rt.Fatal(diff)
		}
	})
}

func TestTiesDoNotDependOnTheOrderOfTheMatches(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		matches := drawKnockout(rt)
		rules := sport.TieRules{BestOf: rapid.SampledFrom([]int{0, 0, 3, 5}).Draw(rt, "best of"), AwayGoals: rapid.Bool().Draw(rt, "away goals")}
		before := slices.Clone(matches)
		want := standings.Ties(matches, rules)
		if diff := cmp.Diff(before, matches); diff != "" {
			rt.Fatalf("the input was changed: %s", diff)
		}
		turned := rapid.Permutation(matches).Draw(rt, "turned")
		if diff := cmp.Diff(want, standings.Ties(turned, rules)); diff != "" {
			rt.Fatal(diff)
		}
		var listed int
		for _, tie := range want {
			listed += len(tie.MatchIDs)
			if tie.Winner != sport.WinnerNone && tie.Aggregate == nil {
				rt.Fatalf("decided without a goal count: %+v", tie)
			}
		}
		if listed != len(matches) {
			rt.Fatalf("%d matches are in ties, want %d", listed, len(matches))
		}
	})
}

func drawKnockout(rt *rapid.T) []sport.Match {
	n := rapid.IntRange(0, 8).Draw(rt, "matches")
	matches := make([]sport.Match, n)
	for i := range matches {
		sides := rapid.Permutation([]sport.ID{"a", "b", "c"}).Draw(rt, "sides")
		matches[i] = sport.Match{
			ID:         sport.ID(fmt.Sprintf("m%d", i)),
			Round:      rapid.IntRange(1, 2).Draw(rt, "round"),
			HomeTeamID: sides[0],
			AwayTeamID: sides[1],
			Leg:        rapid.IntRange(0, 2).Draw(rt, "leg"),
			TwoLegs:    rapid.Bool().Draw(rt, "two legs"),
			Kickoff:    time.UnixMilli(int64(rapid.IntRange(0, 3).Draw(rt, "kickoff"))),
			Status:     rapid.SampledFrom([]sport.MatchStatus{sport.Finished, sport.Upcoming, sport.Postponed}).Draw(rt, "status"),
			Score:      &sport.Score{Home: rapid.IntRange(0, 2).Draw(rt, "home"), Away: rapid.IntRange(0, 2).Draw(rt, "away")},
			Penalties:  rapid.SampledFrom([]*sport.Score{nil, {Home: 3, Away: 4}}).Draw(rt, "penalties"),
		}
	}
	return matches
}
