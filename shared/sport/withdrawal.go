package sport

import "time"

// Withdrawal takes a team out of a competition's season (D59): what its matches from
// a day on count, whatever their records say.
type Withdrawal struct {
	TeamID  ID
	Matches WithdrawnMatches
	From    time.Time // UTC, of the first such kick-off; zero: all matches
	Goals   int       // of the opponent, of a match that is awarded
}

// WithdrawnMatches is what becomes of the matches of a team that has withdrawn.
type WithdrawnMatches string

const (
	MatchesAnnulled WithdrawnMatches = "annulled" // they count nowhere
	MatchesAwarded  WithdrawnMatches = "awarded"  // the opponents have won
)

// Withdrew reports whether a team has withdrawn from the season.
func (c *Competition) Withdrew(team ID) bool {
	for i := range c.Withdrawals {
		if c.Withdrawals[i].TeamID == team {
			return true
		}
	}
	return false
}

// Ruled is a match of the season as it counts. It is m itself where no withdrawal
// changes it. A match that one side has annulled counts nowhere, and one that is
// awarded against both sides is lost by both.
func (c *Competition) Ruled(m *Match) *Match {
	home, away := c.withdrawal(m.HomeTeamID, m.Kickoff), c.withdrawal(m.AwayTeamID, m.Kickoff)
	if home == nil && away == nil {
		return m
	}
	is := *m
	for _, w := range []*Withdrawal{home, away} {
		if w != nil && w.Matches == MatchesAnnulled {
			is.Status, is.Winner = Postponed, WinnerNone
			return &is
		}
	}
	if m.Status != Finished && m.Status != Live {
		is.Lineups = nil // nobody came on
	}
	is.Status, is.Score, is.Winner = Finished, &Score{}, WinnerNone
	is.Penalties, is.ExtraTime, is.Points, is.SetPoints, is.TieWinner = nil, false, nil, nil, ""
	switch {
	case away == nil:
		is.Score.Away, is.Winner, is.TieWinner = home.Goals, WinnerAway, SideAway
	case home == nil:
		is.Score.Home, is.Winner, is.TieWinner = away.Goals, WinnerHome, SideHome
	}
	return &is
}

// Awarded reports whether a match of the season is awarded since a team has withdrawn.
func (c *Competition) Awarded(m *Match) bool {
	home, away := c.withdrawal(m.HomeTeamID, m.Kickoff), c.withdrawal(m.AwayTeamID, m.Kickoff)
	return m.Status == Finished && (home != nil || away != nil)
}

// withdrawal is the withdrawal of a team that decides a match; nil: no team withdrew from it.
func (c *Competition) withdrawal(team ID, kickoff time.Time) *Withdrawal {
	for i := range c.Withdrawals {
		if w := &c.Withdrawals[i]; w.TeamID == team && !kickoff.Before(w.From) {
			return w
		}
	}
	return nil
}
