package sport

import (
	"cmp"
	"slices"
	"time"
)

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
	return slices.ContainsFunc(c.Withdrawals, func(w Withdrawal) bool { return w.TeamID == team })
}

// Ruled is a match of the season as it counts. It is m itself where neither a withdrawal
// nor a forfeit changes it. A match that one side has annulled counts nowhere, and one that
// is awarded against both sides is lost by both.
func (c *Competition) Ruled(m *Match) *Match {
	home, away := c.withdrawal(m.HomeTeamID, m.Kickoff), c.withdrawal(m.AwayTeamID, m.Kickoff)
	if home == nil && away == nil {
		return c.forfeited(m)
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
	is.Penalties, is.ExtraTime, is.TieWinner = nil, false, ""
	goals := 0
	switch {
	case away == nil:
		is.Winner, is.TieWinner, goals = WinnerAway, SideAway, home.Goals
	case home == nil:
		is.Winner, is.TieWinner, goals = WinnerHome, SideHome, away.Goals
	}
	c.award(&is, goals)
	return &is
}

// forfeited is a match that no withdrawal changes. Where the rules say what a forfeit is
// worth, it is awarded if it has a winner by a ruling, if it gives the winner and has just
// the score of a forfeit, and if both sides have lost it. What has points or setPoints of
// its own stays as it is (D79).
func (c *Competition) forfeited(m *Match) *Match {
	f := c.Rules.Forfeit
	if f == nil || m.Status != Finished || m.Score == nil || m.Points != nil || m.SetPoints != nil || m.Winner == WinnerDraw {
		return m
	}
	_, _, ruled := m.Ruling()
	if exact := m.WinnerGiven && f.Goals > 0 && *m.Score == *m.awarded(f.Goals); !ruled && !exact {
		return m
	}
	is := *m
	c.award(&is, 0)
	return &is
}

// award gives a match what a forfeit is worth, and a score of 0:0 so many goals for the
// winner, or where that is 0 those of a forfeit.
func (c *Competition) award(m *Match, goals int) {
	r := &c.Rules
	f := cmp.Or(r.Forfeit, &Forfeit{})
	if *m.Score == (Score{}) {
		m.Score = cmp.Or(m.awarded(cmp.Or(goals, f.Goals)), m.Score)
	}
	m.SetPoints = m.awarded(f.SetPoints)
	win, loss := pick(f.Win, r.Win), pick(f.Loss, r.Loss)
	points := map[Winner]Score{WinnerHome: {win, loss}, WinnerAway: {loss, win}, WinnerNone: {loss, loss}}[m.Winner]
	m.Points = &points
}

// awarded is so many to 0 for the winner of a match; nil where that is nothing to 0, or
// nobody has won.
func (m *Match) awarded(n int) *Score {
	switch {
	case n == 0:
	case m.Winner == WinnerHome:
		return &Score{Home: n}
	case m.Winner == WinnerAway:
		return &Score{Away: n}
	}
	return nil
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
