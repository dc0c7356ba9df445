package statistics_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"touchline/shared/sport"
	"touchline/shared/statistics"
)

func TestContributionOfAMatch(t *testing.T) {
	m := played("m", "H", 2, 3, "A", 0)
	m.ExtraTime = true
	m.Statistics = &sport.MatchStatistics{}
	stoppage := goal(sport.GoalRegular, 45, sport.SideHome, "", "")
	stoppage.ExtraMinute = 3
	m.Events = []sport.Event{
		goal(sport.GoalRegular, 0, sport.SideHome, "", ""), stoppage,
		goal(sport.GoalPenalty, 46, sport.SideAway, "", ""), goal(sport.GoalOwn, 90, sport.SideAway, "", "x"),
		goal(sport.GoalRegular, 118, sport.SideAway, "", ""),
		card(sport.CardYellow, 4, sport.SideAway, ""), card(sport.CardSecondYellow, 5, sport.SideAway, ""),
		card(sport.CardRed, 6, sport.SideHome, ""),
	}
	want := statistics.Contribution{
		MatchID: "m",
		Home: statistics.SideContribution{
			TeamID: "H", Goals: [statistics.Bands]int{1, 0, 1}, Cards: statistics.Cards{Red: 1},
		},
		Away: statistics.SideContribution{
			TeamID: "A", Goals: [statistics.Bands]int{0, 0, 0, 1, 0, 2}, PenaltyGoals: 1, OwnGoals: 1,
			Cards:        statistics.Cards{Yellow: 1, SecondYellow: 1},
			Performances: []statistics.Performance{{PlayerID: "x", TeamID: "A", Side: sport.SideAway, Assists: 1}},
		},
		Coverage: statistics.Coverage{Events: true, Assists: true, MatchStatistics: true},
	}
	if diff := cmp.Diff(want, statistics.ContributionOf(m, sport.Halves())); diff != "" {
		t.Error(diff)
	}
}

// drawMatch draws a match of four teams with six players each, with anything
// that a record can say about it.
func drawMatch(t *rapid.T, n int) sport.Match {
	home := rapid.IntRange(0, 3).Draw(t, "home")
	away := (home + rapid.IntRange(1, 3).Draw(t, "away")) % 4
	m := played(fmt.Sprintf("m%02d", n), fmt.Sprintf("T%d", home), rapid.IntRange(0, 4).Draw(t, "homeGoals"),
		rapid.IntRange(0, 4).Draw(t, "awayGoals"), fmt.Sprintf("T%d", away), rapid.IntRange(0, 3).Draw(t, "day"))
	m.ExtraTime = rapid.Bool().Draw(t, "extraTime")
	m.CompetitionID = sport.ID(rapid.SampledFrom([]string{"", "c", "d"}).Draw(t, "competition"))
	m.GroupID = sport.ID(rapid.SampledFrom([]string{"", "g", "h"}).Draw(t, "group"))
	m.Status = rapid.SampledFrom([]sport.MatchStatus{
		sport.Finished, sport.Finished, sport.Finished, sport.Live, sport.Upcoming, sport.Postponed,
	}).Draw(t, "status")
	if rapid.Bool().Draw(t, "lineups") {
		m.Lineups = &sport.Lineups{
			Confirmed: rapid.IntRange(0, 9).Draw(t, "confirmed") > 0,
			Home:      drawSquad(t, home), Away: drawSquad(t, away),
		}
	}
	for range rapid.IntRange(0, 12).Draw(t, "events") {
		m.Events = append(m.Events, drawEvent(t, home, away))
	}
	if rapid.Bool().Draw(t, "statistics") {
		m.Statistics = &sport.MatchStatistics{}
	}
	return m
}

func drawSquad(t *rapid.T, team int) sport.Squad {
	var s sport.Squad
	for i := range 6 {
		e := sport.LineupEntry{PlayerID: player(team, i), Position: rapid.SampledFrom([]sport.Position{
			"", sport.Goalkeeper, sport.Defender, sport.Midfielder, sport.Forward,
		}).Draw(t, "position"), Captain: i == 0}
		if i < 4 {
			s.Starting = append(s.Starting, e)
		} else {
			s.Bench = append(s.Bench, e)
		}
	}
	return s
}

// player of a team; the last one is of all teams.
func player(team, n int) sport.ID {
	if n == 5 {
		return "P"
	}
	return sport.ID(fmt.Sprintf("P%d%d", team, n))
}

func drawEvent(t *rapid.T, home, away int) sport.Event {
	e := rapid.SampledFrom([]sport.Event{
		{Type: sport.EventGoal, Detail: sport.GoalRegular}, {Type: sport.EventGoal, Detail: sport.GoalPenalty},
		{Type: sport.EventGoal, Detail: sport.GoalOwn}, {Type: sport.EventCard, Detail: sport.CardYellow},
		{Type: sport.EventCard, Detail: sport.CardSecondYellow}, {Type: sport.EventCard, Detail: sport.CardRed},
		{Type: sport.EventSubstitution}, {Type: sport.EventMissedPenalty},
		{Type: sport.EventShootoutPenalty, Detail: sport.PenaltyScored},
	}).Draw(t, "event")
	e.Minute = rapid.IntRange(0, 125).Draw(t, "minute")
	e.ExtraMinute = rapid.IntRange(0, 5).Draw(t, "extra")
	e.Side = rapid.SampledFrom([]sport.Side{sport.SideHome, sport.SideAway}).Draw(t, "side")
	team := home
	if e.Side == sport.SideAway {
		team = away
	}
	who := rapid.IntRange(0, 6)
	named := func(label string) sport.ID {
		if n := who.Draw(t, label); n < 6 {
			return player(team, n)
		}
		return ""
	}
	if e.Type == sport.EventSubstitution {
		e.PlayerInID, e.PlayerOutID = named("in"), named("out")
		return e
	}
	e.PlayerID = named("player")
	if e.Type == sport.EventGoal {
		e.AssistID = named("assist")
	}
	return e
}

// What happens in a match that goes on counts nowhere, but its details are known.
func TestAMatchThatGoesOnAddsItsCoverageAlone(t *testing.T) {
	m := played("m", "H", 1, 0, "A", 0)
	m.Status, m.Events = sport.Live, []sport.Event{{Type: sport.EventGoal, Minute: 1, Side: sport.SideHome, PlayerID: "h1"}}
	want := statistics.Contribution{
		MatchID: "m", Home: statistics.SideContribution{TeamID: "H"}, Away: statistics.SideContribution{TeamID: "A"},
		Coverage: statistics.Coverage{Events: true},
	}
	if diff := cmp.Diff(want, statistics.ContributionOf(m, sport.Halves())); diff != "" {
		t.Error(diff)
	}
}
