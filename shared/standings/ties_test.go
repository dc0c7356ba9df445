package standings_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
	"touchline/shared/standings"
)

// match is a finished match of round 1 on a day of the month.
func match(id sport.ID, day int, home, away sport.ID, homeGoals, awayGoals int) sport.Match {
	return sport.Match{
		ID: id, Round: 1, HomeTeamID: home, AwayTeamID: away, Status: sport.Finished,
		Kickoff: time.Date(2025, time.May, day, 18, 0, 0, 0, time.UTC),
		Score:   &sport.Score{Home: homeGoals, Away: awayGoals},
	}
}

func leg(n int, m sport.Match) sport.Match {
	m.TwoLegs = true
	return numbered(n, m)
}

func numbered(leg int, m sport.Match) sport.Match {
	m.Leg = leg
	return m
}

func withStatus(status sport.MatchStatus, m sport.Match) sport.Match {
	m.Status = status
	return m
}

// goesOn names who goes on, seen from the match.
func goesOn(side sport.Side, m sport.Match) sport.Match {
	m.TieWinner = side
	return m
}

func shotOut(home, away int, m sport.Match) sport.Match {
	m.Penalties = &sport.Score{Home: home, Away: away}
	return m
}

func TestTieOfOneMatch(t *testing.T) {
	given := match("m1", 1, "ajax", "brann", 1, 0)
	given.Winner = sport.WinnerAway
	unplayed := withStatus(sport.Upcoming, match("m1", 1, "ajax", "brann", 0, 0))
	unplayed.Score = nil
	cases := []struct {
		name                 string
		match                sport.Match
		aggregate, penalties *sport.Score
		winner               sport.Winner
	}{
		{name: "won", match: match("m1", 1, "ajax", "brann", 2, 1), aggregate: &sport.Score{Home: 2, Away: 1}, winner: sport.WinnerHome},
		{
			name: "won on penalties", match: shotOut(3, 4, match("m1", 1, "ajax", "brann", 1, 1)),
			aggregate: &sport.Score{Home: 1, Away: 1}, penalties: &sport.Score{Home: 3, Away: 4}, winner: sport.WinnerAway,
		},
		{name: "the winner of the match is not that of the tie", match: given, aggregate: &sport.Score{Home: 1}, winner: sport.WinnerHome},
		{name: "level", match: match("m1", 1, "ajax", "brann", 0, 0), aggregate: &sport.Score{}, winner: sport.WinnerNone},
		{name: "who goes on is given", match: goesOn(sport.SideAway, match("m1", 1, "ajax", "brann", 1, 0)), aggregate: &sport.Score{Home: 1}, winner: sport.WinnerAway},
		{name: "who goes on is given before the end", match: goesOn(sport.SideAway, unplayed), winner: sport.WinnerNone},
		{name: "upcoming", match: unplayed, winner: sport.WinnerNone},
		{name: "live in the shoot-out", match: shotOut(1, 0, withStatus(sport.Live, match("m1", 1, "ajax", "brann", 1, 1))), winner: sport.WinnerNone},
		{name: "abandoned", match: withStatus(sport.Postponed, match("m1", 1, "ajax", "brann", 1, 0)), winner: sport.WinnerNone},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			want := []standings.Tie{{
				Round: 1, Order: 1, HomeID: "ajax", AwayID: "brann", Aggregate: c.aggregate,
				Penalties: c.penalties, Winner: c.winner, MatchIDs: []sport.ID{"m1"},
			}}
			if diff := cmp.Diff(want, standings.Ties([]sport.Match{c.match}, sport.TieRules{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTieOfTwoLegs(t *testing.T) {
	first := leg(1, match("m1", 1, "ajax", "brann", 2, 1))
	cases := []struct {
		name                 string
		rules                sport.TieRules
		matches              []sport.Match
		ids                  []sport.ID
		aggregate, penalties *sport.Score
		winner               sport.Winner
	}{
		{
			name:      "second leg turned to the home side of the first",
			matches:   []sport.Match{first, leg(2, match("m2", 8, "brann", "ajax", 3, 1))},
			aggregate: &sport.Score{Home: 3, Away: 4}, winner: sport.WinnerAway,
		},
		{
			name:      "goals away do not count more",
			matches:   []sport.Match{first, leg(2, match("m2", 8, "brann", "ajax", 1, 0))},
			aggregate: &sport.Score{Home: 2, Away: 2}, winner: sport.WinnerNone,
		},
		{
			name:      "the away goals rule, or lots: who goes on is given, of the last leg",
			matches:   []sport.Match{first, leg(2, goesOn(sport.SideHome, match("m2", 8, "brann", "ajax", 1, 0)))},
			aggregate: &sport.Score{Home: 2, Away: 2}, winner: sport.WinnerAway,
		},
		{
			name:      "shoot-out of the second leg, turned",
			matches:   []sport.Match{first, leg(2, shotOut(3, 5, match("m2", 8, "brann", "ajax", 1, 0)))},
			aggregate: &sport.Score{Home: 2, Away: 2}, penalties: &sport.Score{Home: 5, Away: 3}, winner: sport.WinnerHome,
		},
		{
			name:      "both at one place",
			matches:   []sport.Match{first, leg(2, shotOut(3, 5, match("m2", 8, "ajax", "brann", 0, 1)))},
			aggregate: &sport.Score{Home: 2, Away: 2}, penalties: &sport.Score{Home: 3, Away: 5}, winner: sport.WinnerAway,
		},
		{
			name:      "second leg to come",
			matches:   []sport.Match{first, leg(2, withStatus(sport.Upcoming, match("m2", 8, "brann", "ajax", 0, 0)))},
			aggregate: &sport.Score{Home: 2, Away: 1}, winner: sport.WinnerNone,
		},
		{
			name:      "second leg live: its goals and penalties wait",
			matches:   []sport.Match{first, leg(2, shotOut(2, 1, withStatus(sport.Live, match("m2", 8, "brann", "ajax", 1, 0))))},
			aggregate: &sport.Score{Home: 2, Away: 1}, winner: sport.WinnerNone,
		},
		{
			name:      "second leg postponed",
			matches:   []sport.Match{first, leg(2, withStatus(sport.Postponed, match("m2", 8, "brann", "ajax", 0, 0)))},
			aggregate: &sport.Score{Home: 2, Away: 1}, winner: sport.WinnerNone,
		},
		{
			name: "neither played",
			matches: []sport.Match{
				leg(1, withStatus(sport.Upcoming, match("m1", 1, "ajax", "brann", 0, 0))),
				leg(2, withStatus(sport.Upcoming, match("m2", 8, "brann", "ajax", 0, 0))),
			},
			winner: sport.WinnerNone,
		},
		{
			name:      "second leg not drawn up yet",
			matches:   []sport.Match{first},
			ids:       []sport.ID{"m1"},
			aggregate: &sport.Score{Home: 2, Away: 1}, winner: sport.WinnerNone,
		},
		{
			name: "abandoned second leg replaced by another",
			matches: []sport.Match{
				first,
				leg(2, withStatus(sport.Postponed, match("m2", 8, "brann", "ajax", 1, 0))),
				leg(2, match("m3", 9, "brann", "ajax", 0, 0)),
			},
			ids:       []sport.ID{"m1", "m2", "m3"},
			aggregate: &sport.Score{Home: 2, Away: 1}, winner: sport.WinnerHome,
		},
		{
			name: "penalties of an abandoned leg are not the tie's",
			matches: []sport.Match{
				first,
				leg(2, shotOut(1, 0, withStatus(sport.Postponed, match("m2", 8, "brann", "ajax", 1, 0)))),
				leg(2, match("m3", 9, "brann", "ajax", 1, 0)),
			},
			ids:       []sport.ID{"m1", "m2", "m3"},
			aggregate: &sport.Score{Home: 2, Away: 2}, winner: sport.WinnerNone,
		},
		{
			name: "second leg to be played again",
			matches: []sport.Match{
				first,
				leg(2, match("m2", 8, "brann", "ajax", 1, 0)),
				leg(2, withStatus(sport.Upcoming, match("m3", 15, "brann", "ajax", 0, 0))),
			},
			ids:       []sport.ID{"m1", "m2", "m3"},
			aggregate: &sport.Score{Home: 2, Away: 2}, winner: sport.WinnerNone,
		},
		{
			name: "a shoot-out after each leg: the last one decides",
			matches: []sport.Match{
				leg(1, shotOut(4, 3, match("m1", 1, "ajax", "brann", 0, 0))),
				leg(2, shotOut(4, 2, match("m2", 8, "brann", "ajax", 0, 0))),
			},
			aggregate: &sport.Score{}, penalties: &sport.Score{Home: 2, Away: 4}, winner: sport.WinnerAway,
		},
		{
			name: "a leg's number alone makes it a leg",
			matches: []sport.Match{
				numbered(1, match("m1", 1, "ajax", "brann", 2, 0)),
				numbered(2, match("m2", 8, "brann", "ajax", 1, 0)),
			},
			aggregate: &sport.Score{Home: 2, Away: 1}, winner: sport.WinnerHome,
		},
		{
			name:      "the leg goes before the kickoff",
			matches:   []sport.Match{leg(2, match("m2", 1, "brann", "ajax", 4, 0)), leg(1, match("m1", 8, "ajax", "brann", 1, 0))},
			aggregate: &sport.Score{Home: 1, Away: 4}, winner: sport.WinnerAway,
		},
		{
			name:      "legs without number go by kickoff",
			matches:   []sport.Match{leg(0, match("m2", 8, "brann", "ajax", 0, 0)), leg(0, match("m1", 9, "ajax", "brann", 1, 0))},
			ids:       []sport.ID{"m2", "m1"},
			aggregate: &sport.Score{Away: 1}, winner: sport.WinnerAway,
		},
		{
			name:      "one number alone does not go before the kickoff",
			matches:   []sport.Match{leg(1, match("m1", 1, "ajax", "brann", 1, 0)), leg(0, match("m2", 8, "brann", "ajax", 0, 0))},
			aggregate: &sport.Score{Home: 1}, winner: sport.WinnerHome,
		},
		{
			name:      "winners given to the legs are not the tie's",
			matches:   []sport.Match{withWinner(first, sport.WinnerAway), leg(2, withWinner(match("m2", 8, "brann", "ajax", 0, 0), sport.WinnerHome))},
			aggregate: &sport.Score{Home: 2, Away: 1}, winner: sport.WinnerHome,
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.ids == nil {
				c.ids = []sport.ID{"m1", "m2"}
			}
			want := standings.Tie{
				Round: 1, Order: 1, HomeID: "ajax", AwayID: "brann", Aggregate: c.aggregate,
				Penalties: c.penalties, Winner: c.winner, MatchIDs: c.ids,
			}
			if c.ids[0] == "m2" {
				want.HomeID, want.AwayID = want.AwayID, want.HomeID
			}
			if diff := cmp.Diff([]standings.Tie{want}, standings.Ties(c.matches, c.rules)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func withWinner(m sport.Match, w sport.Winner) sport.Match {
	m.Winner = w
	return m
}

func TestTiesAreOrderedByRoundKickoffAndID(t *testing.T) {
	final := match("m0", 1, "ajax", "celtic", 1, 0) // a round counts, not a date
	final.Round = 2
	early := match("m5", 2, "everton", "fulham", 0, 1)
	matches := []sport.Match{
		final,
		match("m9", 3, "guest", "hearts", 0, 1),
		leg(2, match("m3", 1, "derby", "celtic", 0, 0)),
		leg(1, match("m4", 3, "celtic", "derby", 1, 0)),
		match("m2", 3, "ajax", "brann", 1, 0),
		early,
	}
	type place struct {
		Round, Order int
		Home         sport.ID
	}
	var got []place
	for _, tie := range standings.Ties(matches, sport.TieRules{}) {
		got = append(got, place{tie.Round, tie.Order, tie.HomeID})
	}
	want := []place{{1, 1, "everton"}, {1, 2, "ajax"}, {1, 3, "celtic"}, {1, 4, "guest"}, {2, 1, "ajax"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The last round begins with the final, whenever it is played (D81). Ties are home sides.
func TestTheFinalComesFirst(t *testing.T) {
	of := func(round int, lines ...string) []sport.Match {
		matches := played(t, lines...)
		for i := range matches {
			matches[i].Round, matches[i].ID = round, sport.ID(fmt.Sprintf("%d-%d", round, i))
			matches[i].Kickoff = time.Date(2025, time.May, 10*round+i, 18, 0, 0, 0, time.UTC)
		}
		return matches
	}
	semi := of(2, "ajax 1-0 brann", "celtic 1-0 derby")
	quarter := of(1, "ajax 1-0 everton", "brann 1-0 fulham", "celtic 1-0 guest", "derby 1-0 hearts")
	consoled := of(2, "ajax 1-0 brann", "celtic 1-0 derby", "everton 1-0 fulham", "guest 1-0 hearts")
	for name, tt := range map[string]struct {
		matches []sport.Match
		want    string // of the last round
	}{
		"third place before the final":         {join(semi, of(3, "brann 1-0 derby", "ajax 1-0 celtic")), "ajax brann"},
		"places from 1 to 8":                   {join(quarter, consoled, of(3, "hearts 1-0 fulham", "guest 1-0 everton", "derby 1-0 brann", "ajax 0-0 celtic")), "ajax derby guest hearts"},
		"semi-finals, and those of the others": {join(quarter, of(2, "everton 1-0 fulham", "ajax 1-0 brann", "guest 1-0 hearts", "celtic 1-0 derby")), "ajax celtic everton guest"},
		"one round":                            {of(1, "derby 1-0 brann", "ajax 1-0 celtic"), "derby ajax"},
		"a round that is not decided":          {join(of(2, "ajax 0-0 brann", "celtic 0-0 derby"), of(3, "brann 1-0 derby", "ajax 1-0 celtic")), "brann ajax"},
		"one who was beaten and comes back":    {join(of(1, "ajax 1-0 brann"), of(2, "celtic 1-0 ajax", "brann 1-0 derby"), of(3, "brann 1-0 ajax", "derby 1-0 everton", "celtic 1-0 fulham")), "celtic derby brann"},
	} {
		var got []string
		ties := standings.Ties(tt.matches, sport.TieRules{})
		for _, tie := range ties {
			if tie.Round == ties[len(ties)-1].Round {
				got = append(got, string(tie.HomeID))
			}
			if tie.Round == ties[len(ties)-1].Round && tie.Order != len(got) {
				t.Errorf("%s: %s has order %d", name, tie.HomeID, tie.Order)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

func TestOnlyMatchesOfOneRoundAreATie(t *testing.T) {
	nextRound := leg(2, match("m2", 2, "brann", "ajax", 0, 1))
	nextRound.Round = 2
	cases := map[string][]sport.Match{
		"legs of two rounds":      {leg(1, match("m1", 1, "ajax", "brann", 1, 0)), nextRound},
		"legs of different teams": {leg(1, match("m1", 1, "ajax", "brann", 1, 0)), leg(1, match("m2", 1, "ajax", "celtic", 1, 0))},
	}
	for name, matches := range cases {
		t.Run(name, func(t *testing.T) {
			if got := standings.Ties(matches, sport.TieRules{}); len(got) != 2 {
				t.Errorf("%d ties, want 2: %+v", len(got), got)
			}
		})
	}
}

func TestNoMatchesNoTies(t *testing.T) {
	if got := standings.Ties(nil, sport.TieRules{}); len(got) != 0 {
		t.Errorf("ties of nothing: %+v", got)
	}
}
