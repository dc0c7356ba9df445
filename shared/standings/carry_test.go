package standings_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
	"touchline/shared/standings"
)

// Handball's main round: only the matches among the teams that came along count,
// points and goals.
func TestOnlyMatchesAmongTheQualifiedAreCarried(t *testing.T) {
	preliminary := standings.Input{Rules: sport.Rules{Win: 2, Draw: 1, TieBreakers: sport.DefaultTieBreakers()}}
	preliminary.Matches = played(t, "denmark 30-20 norway", "denmark 25-25 spain", "norway 28-27 spain")
	preliminary.Teams = entered(preliminary.Matches)
	main := standings.Input{
		Rules:   sport.Rules{Win: 2, Draw: 1, TieBreakers: []sport.TieBreaker{sport.ByPoints, sport.ByGoalDiff}},
		Teams:   teams("denmark", "norway", "france"),
		Matches: played(t, "norway 31-30 france"),
		Parent:  &standings.Parent{Input: preliminary},
	}
	main.Rules.Carry = &sport.Carry{Points: sport.CarryFull, Record: true, Among: sport.CarryQualified}
	var got []string
	for _, r := range standings.Table(main) {
		got = append(got, fmt.Sprintf("%s %d of %d, %d:%d, from %d", r.TeamID, r.Points, r.Played, r.GoalsFor, r.GoalsAgainst, r.StartingPoints))
	}
	want := []string{"denmark 2 of 1, 30:20, from 2", "norway 2 of 2, 51:60, from 0", "france 0 of 1, 30:31, from 0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestCarriedPoints(t *testing.T) {
	for name, tt := range map[string]struct {
		carry sport.Carry
		want  string
	}{
		"in full":                    {sport.Carry{Points: sport.CarryFull}, "b 4, a 3, c -3"},
		"halved down":                {sport.Carry{Points: sport.CarryHalfDown}, "b 2, a 1, c -2"},
		"halved up":                  {sport.Carry{Points: sport.CarryHalfUp}, "a 2, b 2, c -1"},
		"none":                       {sport.Carry{Points: sport.CarryNone}, "a 0, b 0, c 0"},
		"none, but the record":       {sport.Carry{Points: sport.CarryNone, Record: true}, "a 0, b 0, c 0"},
		"in full, among those there": {sport.Carry{Points: sport.CarryFull, Among: sport.CarryQualified}, "b 4, a 3, c 0"},
	} {
		t.Run(name, func(t *testing.T) {
			before := standings.Input{Rules: rules(), Matches: played(t, "a 1-0 c", "b 1-0 c", "b 0-0 d", "c 0-9 d")}
			before.Teams = teams("a", "b", "c")
			before.Teams[2].StartingPoints = -3
			before.Teams = append(before.Teams, standings.TeamEntry{ID: "d", NameKey: []byte("d")})
			// The entries of the child are others of the same clubs, found by their names.
			child := standings.Input{Rules: rules(sport.ByPoints), Parent: &standings.Parent{Input: before}}
			for _, name := range []string{"a", "b", "c"} {
				child.Teams = append(child.Teams, standings.TeamEntry{ID: sport.ID("child " + name), NameKey: []byte(name), StartingPoints: 50})
			}
			if tt.carry.Among == sport.CarryQualified {
				before.Matches = before.Matches[:2]
				child.Parent.Matches = append(before.Matches, played(t, "b 1-1 d")...)
				tt.want = "a 3, b 3, c 0"
			}
			child.Rules.Carry = &tt.carry
			var got []string
			for _, r := range standings.Table(child) {
				if r.StartingPoints != r.Points {
					t.Errorf("%+v", r)
				}
				got = append(got, fmt.Sprintf("%s %d", strings.TrimPrefix(string(r.TeamID), "child "), r.Points))
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, ", ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A team is found in the parent by its club; where that has two teams there, by
// its name too. Nobody brings along what is another's.
func TestATeamIsFoundInTheParentByItsClub(t *testing.T) {
	parent := standings.Input{Rules: rules(sport.ByPoints), Teams: []standings.TeamEntry{
		{ID: "p1", ClubID: "rapid", NameKey: []byte("Rapid"), StartingPoints: 10},
		{ID: "p2", ClubID: "rapid", NameKey: []byte("Rapid II"), StartingPoints: 20},
		{ID: "p3", ClubID: "sturm", NameKey: []byte("Sturm"), StartingPoints: 30},
		{ID: "p4", NameKey: []byte("Select"), StartingPoints: 40},
	}}
	child := standings.Input{Rules: rules(sport.ByParentRank), Parent: &standings.Parent{Input: parent}, Teams: []standings.TeamEntry{
		{ID: "c1", ClubID: "rapid", NameKey: []byte("Rapid")},
		{ID: "c2", ClubID: "rapid", NameKey: []byte("Rapid II")},
		{ID: "c3", ClubID: "sturm", NameKey: []byte("Puntigamer Sturm")},
		{ID: "c4", NameKey: []byte("Select")},
		{ID: "c5", ClubID: "wac", NameKey: []byte("WAC"), StartingPoints: 7},
	}}
	child.Rules.Carry = &sport.Carry{Points: sport.CarryFull}
	got := map[sport.ID]int{}
	for _, r := range standings.Table(child) {
		got[r.TeamID] = r.Points
	}
	if diff := cmp.Diff(map[sport.ID]int{"c1": 10, "c2": 20, "c3": 30, "c4": 40, "c5": 0}, got); diff != "" {
		t.Error(diff)
	}
}

// A given table of the parent is what its teams bring along.
func TestAGivenTableOfTheParentCounts(t *testing.T) {
	parent := &standings.Parent{
		Input: standings.Input{Rules: rules(), Teams: teams("a", "b")},
		Given: []standings.Row{{TeamID: "b", Rank: 1, Points: 9, Won: 3, Played: 3, GoalsFor: 4}, {TeamID: "a", Rank: 2, Points: 8}},
	}
	child := standings.Input{Rules: rules(sport.ByParentRank), Teams: teams("a", "b"), Parent: parent}
	child.Rules.Carry = &sport.Carry{Points: sport.CarryHalfUp, Record: true}
	rows := standings.Table(child)
	if rows[0].TeamID != "b" || rows[0].Points != 5 || rows[0].Won != 3 || rows[0].GoalsFor != 4 {
		t.Errorf("%+v", rows)
	}
}

// What a record is compared by comes along with it: the child has played nothing yet, and
// its teams are level but for that.
func TestARecordIsCarriedWithAllThatOrdersByIt(t *testing.T) {
	for _, tt := range []struct {
		criterion sport.TieBreaker
		matches   []string // of the parent, of which b is the better
		also      func(first, second *sport.Match)
		want      string
	}{
		{sport.ByWon, []string{"b 1-0 c", "a 0-0 c"}, nil, "b 0: won 1, 0"},
		{sport.ByGoalDiff, []string{"b 1-0 c", "a 1-1 c"}, nil, "b 0: goalDiff 1, 0"},
		{sport.ByGoalsFor, []string{"b 2-2 c", "a 1-1 c"}, nil, "b 0: goalsFor 2, 1"},
		{sport.ByAwayGoals, []string{"c 1-1 b", "a 1-0 c"}, nil, "b 0: awayGoals 1, 0"},
		{sport.ByAwayWon, []string{"c 0-1 b", "a 1-0 c", "a 1-0 b"}, nil, "b 0: awayWon 1, 0"},
		{sport.ByOpponentsGoals, []string{"b 1-0 a", "c 3-1 b"}, nil, "b 0: opponentsGoalsFor 3, 2"},
		{sport.ByFairPlay, []string{"a 1-1 c", "b 1-1 c"}, func(m, _ *sport.Match) {
			m.Events = []sport.Event{{Type: sport.EventCard, Detail: sport.CardRed, Side: sport.SideHome}}
		}, "c 0: fairPlay 0, -4"},
		{sport.BySetPointsRatio, []string{"b 3-0 c", "a 3-0 c"}, func(m, n *sport.Match) {
			m.SetPoints, n.SetPoints = &sport.Score{Home: 75, Away: 50}, &sport.Score{Home: 75, Away: 60}
		}, "b 0: setPointsRatio 75/50, 75/60"},
	} {
		t.Run(string(tt.criterion), func(t *testing.T) {
			matches := played(t, tt.matches...)
			if tt.also != nil {
				tt.also(&matches[0], &matches[1])
			}
			for _, among := range []sport.CarryAmong{sport.CarryAll, sport.CarryQualified} {
				child := standings.Input{Rules: rules(tt.criterion), Teams: teams("a", "b", "c"), Parent: &standings.Parent{
					Input: standings.Input{Rules: rules(), Teams: teams("a", "b", "c"), Matches: matches, CardPoints: cardPoints}}}
				child.Rules.Carry = &sport.Carry{Points: sport.CarryNone, Record: true, Among: among}
				got := explained(standings.Explain(child))
				if !slices.Contains(got, tt.want) {
					t.Errorf("among %s: %q, want %q", among, got, tt.want)
				}
			}
		})
	}
}

// A club has two teams in the child and had one in the parent: one of them brings along
// what that has, the other nothing.
func TestATeamOfTheParentComesAlongOnce(t *testing.T) {
	child := standings.Input{Rules: rules(sport.ByPoints), Teams: []standings.TeamEntry{
		{ID: "c2", ClubID: "rapid", NameKey: []byte("Rapid B")}, {ID: "c1", ClubID: "rapid", NameKey: []byte("Rapid A")},
	}, Parent: &standings.Parent{Input: standings.Input{Rules: rules(), Teams: []standings.TeamEntry{
		{ID: "p1", ClubID: "rapid", NameKey: []byte("Rapid"), StartingPoints: 10},
	}}}}
	child.Rules.Carry = &sport.Carry{Points: sport.CarryFull}
	if diff := cmp.Diff([]string{"c1 10: points 10, 0", "c2 0"}, explained(standings.Explain(child))); diff != "" {
		t.Error(diff)
	}
}

// Of two teams with the same points, the one is above whose points were rounded down, or
// were not rounded up.
func TestTheHalfPointOrders(t *testing.T) {
	for how, want := range map[sport.CarryPoints]string{
		sport.CarryHalfDown: "b 2: halfPoint 1, 0",  // of 5 and 4
		sport.CarryHalfUp:   "c 2: halfPoint 0, -1", // of 4 and 3
	} {
		child := standings.Input{Rules: rules(sport.ByPoints, sport.ByHalfPoint), Teams: teams("a", "b", "c"), Parent: &standings.Parent{
			Input: standings.Input{Rules: rules(), Teams: teams("a", "b", "c")}}}
		for i, points := range []int{3, 5, 4} {
			child.Parent.Teams[i].StartingPoints = points
		}
		child.Rules.Carry = &sport.Carry{Points: how}
		if got := explained(standings.Explain(child)); !slices.Contains(got, want) {
			t.Errorf("%s: %q, want %q", how, got, want)
		}
	}
}

// The teams of the parent are in another order than those of the child.
func TestMatchesOfTheParentDecideHeadToHead(t *testing.T) {
	child := standings.Input{Rules: rules(headToHead(sport.ByPoints)), Teams: teams("a", "b", "c"), Parent: &standings.Parent{
		Input: standings.Input{Rules: rules(), Teams: teams("c", "d", "b", "a"), Matches: played(t, "a 1-0 c", "c 1-0 b", "b 1-1 a", "d 9-0 a")}}}
	child.Rules.Carry = &sport.Carry{Points: sport.CarryNone, Record: true}
	want := []string{"a 0: points 4, 3 among 3", "c 0: points 3, 1 among 3", "b 0"}
	if diff := cmp.Diff(want, explained(standings.Explain(child))); diff != "" {
		t.Error(diff)
	}
}

// startingPoints of a team that brings points along count below 0 alone, whole, beside what
// was rounded (D85).
func TestADeductionIsTakenOffWhatIsCarried(t *testing.T) {
	for start, want := range map[int]int{0: 3, -3: 0, -5: -2, 4: 3} {
		child := standings.Input{Rules: rules(), Teams: teams("a", "b"), Parent: &standings.Parent{
			Input: standings.Input{Rules: rules(), Teams: teams("a", "b"), Matches: played(t, "a 1-0 b", "b 0-1 a")}}}
		child.Rules.Carry = &sport.Carry{Points: sport.CarryHalfDown}
		child.Teams[0].StartingPoints = start
		for _, r := range standings.Table(child) {
			if r.TeamID == "a" && (r.Points != want || r.StartingPoints != want) {
				t.Errorf("%d: %d points, %d at the start, want %d", start, r.Points, r.StartingPoints, want)
			}
		}
	}
}
