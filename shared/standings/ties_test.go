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

func withStatus(status sport.MatchStatus, m sport.Match) sport.Match {
	m.Status = status
	return m
}

func shotOut(home, away int, m sport.Match) sport.Match {
	m.Penalties = &sport.Score{Home: home, Away: away}
	return m
}

func withWinner(m sport.Match, w sport.Winner) sport.Match {
	m.Winner = w
	return m
}

func TestTiesAreOrderedByRoundKickoffAndID(t *testing.T) {
	final := match("m0", 1, "ajax", "celtic", 1, 0) // a round counts, not a date
	final.Round = 2
	early := match("m5", 2, "everton", "fulham", 0, 1)
	first, second := match("m4", 3, "celtic", "derby", 1, 0), match("m3", 1, "derby", "celtic", 0, 0)
	first.Leg, second.Leg = 1, 2
	matches := []sport.Match{
		final,
		match("m9", 3, "guest", "hearts", 0, 1),
		second, first,
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
