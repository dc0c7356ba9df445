package standings_test

import (
	"testing"

	"touchline/shared/sport"
	"touchline/shared/standings"
)

func TestMatchWinner(t *testing.T) {
	score := func(home, away int) *sport.Score { return &sport.Score{Home: home, Away: away} }
	cases := []struct {
		name             string
		status           sport.MatchStatus
		score, penalties *sport.Score
		given            sport.Winner
		want             sport.Winner
	}{
		{name: "home by score", status: sport.Finished, score: score(2, 1), want: sport.WinnerHome},
		{name: "away by score", status: sport.Finished, score: score(0, 1), want: sport.WinnerAway},
		{name: "draw", status: sport.Finished, score: score(1, 1), want: sport.WinnerDraw},
		{name: "home by shoot-out", status: sport.Finished, score: score(1, 1), penalties: score(5, 4), want: sport.WinnerHome},
		{name: "away by shoot-out", status: sport.Finished, score: score(0, 0), penalties: score(2, 4), want: sport.WinnerAway},
		{name: "score before shoot-out, as in a second leg", status: sport.Finished, score: score(1, 0), penalties: score(2, 4), want: sport.WinnerHome},
		{name: "given before score", status: sport.Finished, score: score(1, 0), given: sport.WinnerAway, want: sport.WinnerAway},
		{name: "given as nobody's", status: sport.Finished, score: score(1, 0), given: sport.WinnerNone, want: sport.WinnerNone},
		{name: "finished without score", status: sport.Finished, want: sport.WinnerDraw},
		{name: "shoot-out without score", status: sport.Finished, penalties: score(3, 1), want: sport.WinnerHome},
		{name: "upcoming", status: sport.Upcoming, want: sport.WinnerNone},
		{name: "live and ahead", status: sport.Live, score: score(3, 0), want: sport.WinnerNone},
		{name: "postponed after a goal", status: sport.Postponed, score: score(1, 0), want: sport.WinnerNone},
		{name: "given too early", status: sport.Live, given: sport.WinnerHome, want: sport.WinnerNone},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := standings.MatchWinner(c.status, c.score, c.penalties, c.given); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
