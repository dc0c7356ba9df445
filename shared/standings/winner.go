package standings

import (
	"cmp"

	"touchline/shared/sport"
)

// MatchWinner is the winner of a match (D44): none until it is finished, then
// as given (empty: not given), else by score, else by shoot-out, else draw.
// score and penalties are nil if there aren't any.
func MatchWinner(status sport.MatchStatus, score, penalties *sport.Score, given sport.Winner) sport.Winner {
	if status != sport.Finished {
		return sport.WinnerNone
	}
	if given != "" {
		return given
	}
	return winnerOf(score, penalties)
}

// winnerOf decides a finished match or tie by its goals, else by its shoot-out.
func winnerOf(score, penalties *sport.Score) sport.Winner {
	switch cmp.Or(lead(score), lead(penalties)) {
	case 1:
		return sport.WinnerHome
	case -1:
		return sport.WinnerAway
	default:
		return sport.WinnerDraw
	}
}

// lead is 1 where the home side has more, -1 where the away side has, else 0.
func lead(s *sport.Score) int {
	if s == nil {
		return 0
	}
	return cmp.Compare(s.Home, s.Away)
}
