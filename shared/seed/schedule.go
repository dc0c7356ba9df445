package seed

import "time"

// pairing is one match of a schedule: positions in a list of teams.
type pairing struct {
	round      int // from 1
	home, away int
}

// roundRobin pairs n teams by the circle method, so that each plays each other
// once or, if double, once at home and once away. If n is odd, one team has no
// match in each round.
func roundRobin(n int, double bool) []pairing {
	even := n + n%2
	var out []pairing
	for r := range even - 1 {
		for i := range even / 2 {
			a, b := even-1, r
			if i > 0 {
				a, b = (r+i)%(even-1), (r-i+even-1)%(even-1)
			}
			if a >= n || b >= n {
				continue // has no match in this round
			}
			if (r+i)%2 == 1 {
				a, b = b, a
			}
			out = append(out, pairing{round: r + 1, home: a, away: b})
		}
	}
	if double {
		for _, p := range out {
			out = append(out, pairing{round: p.round + even - 1, home: p.away, away: p.home})
		}
	}
	return out
}

// calendar dates the rounds of a season: one a week, the current one on the last
// Saturday.
type calendar struct {
	now     time.Time
	current int // the round of this week
}

// round returns the Saturday, 00:00 UTC, of a round.
func (c calendar) round(n int) time.Time {
	day := c.now.UTC().Truncate(24 * time.Hour)
	saturday := day.AddDate(0, 0, -(int(day.Weekday())+1)%7)
	return saturday.AddDate(0, 0, 7*(n-c.current))
}

// kickoff returns the time of the i-th match of a round: on Saturday every two
// and a half hours from 14:00, the rest on Sunday.
func (c calendar) kickoff(round, i int) time.Time {
	slots := []time.Duration{14 * time.Hour, 16*time.Hour + 30*time.Minute, 19 * time.Hour}
	day := (i / 5) % 2
	return c.round(round).AddDate(0, 0, day).Add(slots[i%len(slots)])
}

// matchTime is how long a match is live.
const matchTime = 110 * time.Minute

// state returns a match's status by its kickoff.
func state(kickoff, now time.Time) string {
	switch {
	case kickoff.After(now):
		return "upcoming"
	case kickoff.Add(matchTime).After(now):
		return "live"
	}
	return "finished"
}

// season is the year of the first round, by which a season is named (D33).
func (c calendar) season() int { return c.round(1).Year() }

// stamp formats a time as datasets do.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }
