package statistics

import (
	"cmp"

	"touchline/shared/sport"
)

// Competition is the statistics of a competition's season. Only finished matches
// count, except in Coverage and in the counts by status.
type Competition struct {
	Numbers
	// BiggestWin is the match with the largest difference, then with more goals
	// for the winner, then the earliest, then the one with the lower id; empty
	// if no match was won.
	BiggestWin sport.ID
	// HighestScoring is the match with the most goals of both sides, then the
	// earliest, then the one with the lower id; empty if none is finished.
	HighestScoring sport.ID
}

// Numbers are what can be counted of a competition's season.
type Numbers struct {
	Coverage // of matches of any status
	Totals
	Results
	// Averages of the finished matches; nil before the first.
	GoalsPerMatch *Hundredths
	CardsPerMatch *Hundredths
}

// Totals of a competition's season.
type Totals struct {
	Teams        int // that are not hidden
	Matches      int
	Finished     int
	Upcoming     int
	Live         int
	Postponed    int
	Goals        int // of the scores (D42)
	PenaltyGoals int // this and what follows: counted from events
	OwnGoals     int
	Cards
}

// Results count finished matches by their score: one that a shoot-out decided
// is a draw.
type Results struct {
	HomeWins, Draws, AwayWins int
}

// Hundredths is a number of two decimals: 275 is 2.75.
type Hundredths int

// Float64 is the nearest float, which JSON writes with at most two decimals.
func (h Hundredths) Float64() float64 { return float64(h) / 100 }

// OfCompetition computes the statistics of a competition's season.
func OfCompetition(in Season) Competition {
	var c Competition
	for _, id := range in.Teams {
		c.Totals.Teams += one(!in.hides(id))
	}
	c.matches(in.Rules, in.Matches)
	c.contributions(in)
	if n := c.Totals.Finished; n > 0 {
		c.GoalsPerMatch, c.CardsPerMatch = new(average(c.Goals, n)), new(average(c.Cards.Total(), n))
	}
	return c
}

// matches counts what can be counted without the details of the matches.
func (c *Competition) matches(rules sport.Rules, all []sport.Match) {
	var won, full *sport.Match
	for i := range all {
		m := &all[i]
		c.Totals.status(m.Status)
		if !scored(*m) {
			continue
		}
		c.Totals.Goals += m.Score.Home + m.Score.Away
		home, away := rules.Results(m)
		c.Results.add(home.Lead, away.Lead)
		if m.Score.Home != m.Score.Away && asPlayed(m) && (won == nil || clearer(m, won)) {
			won = m
		}
		if full == nil || fuller(m, full) {
			full = m
		}
	}
	c.BiggestWin, c.HighestScoring = idOf(won), idOf(full)
}

func (t *Totals) status(s sport.MatchStatus) {
	t.Matches++
	t.Finished += one(s == sport.Finished)
	t.Upcoming += one(s == sport.Upcoming)
	t.Live += one(s == sport.Live)
	t.Postponed += one(s == sport.Postponed)
}

// add counts a match that the sides won (1), drew (0) or lost (-1); one that both have
// lost is not one of the three.
func (r *Results) add(home, away int) {
	r.HomeWins += one(home > 0)
	r.AwayWins += one(away > 0)
	r.Draws += one(home == 0)
}

// asPlayed reports whether a match counts as its score says.
func asPlayed(m *sport.Match) bool {
	_, _, ruled := m.Ruling()
	return !ruled
}

// fuller reports whether match a has more goals than b, or as many and is the
// earlier one.
func fuller(a, b *sport.Match) bool {
	return cmp.Or(
		cmp.Compare(a.Score.Home+a.Score.Away, b.Score.Home+b.Score.Away),
		momentOf(b).compare(momentOf(a)),
	) > 0
}

// contributions counts what follows from the details of the matches.
func (c *Competition) contributions(in Season) {
	status := make(map[sport.ID]sport.MatchStatus, len(in.Matches))
	for _, m := range in.Matches {
		status[m.ID] = m.Status
	}
	for i := range in.Contributions {
		x := &in.Contributions[i]
		s, known := status[x.MatchID]
		if !known {
			continue
		}
		c.Coverage.Add(x.Coverage)
		if s != sport.Finished {
			continue
		}
		for _, side := range []*SideContribution{&x.Home, &x.Away} {
			c.Totals.PenaltyGoals += side.PenaltyGoals
			c.Totals.OwnGoals += side.OwnGoals
			c.Totals.Cards.add(side.Cards)
		}
	}
}

// average is a sum divided by n > 0, rounded half up.
func average(sum, n int) Hundredths { return Hundredths((200*sum + n) / (2 * n)) }

// CompletedGroups reports which groups of a competition's season are completed:
// those that have matches, all of them finished or postponed (D42). It reads
// GroupID and Status of a match.
func CompletedGroups(groups []sport.Group, matches []sport.Match) map[sport.ID]bool {
	has, open := map[sport.ID]bool{}, map[sport.ID]bool{}
	for _, m := range matches {
		has[m.GroupID] = true
		if m.Status != sport.Finished && m.Status != sport.Postponed {
			open[m.GroupID] = true
		}
	}
	completed := make(map[sport.ID]bool, len(groups))
	for _, g := range groups {
		completed[g.ID] = has[g.ID] && !open[g.ID]
	}
	return completed
}
