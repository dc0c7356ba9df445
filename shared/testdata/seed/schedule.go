package seed

import (
	"time"

	"touchline/shared/dataset"
	"touchline/shared/sport"
)

// pairing is one match of a schedule: positions in a list of teams.
type pairing struct{ round, home, away int } // rounds from 1

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
	return day.AddDate(0, 0, -(int(day.Weekday())+1)%7+7*(n-c.current))
}

// kickoff returns the time of the i-th match of a round: on Saturday every two
// and a half hours from 14:00, the rest on Sunday.
func (c calendar) kickoff(round, i int) time.Time {
	slots := []time.Duration{14 * time.Hour, 16*time.Hour + 30*time.Minute, 19 * time.Hour}
	return c.round(round).AddDate(0, 0, i/5%2).Add(slots[i%len(slots)])
}

// season is the year of the first round, by which a season is named (D33).
func (c calendar) season() int { return c.round(1).Year() }

// scene is what matches are made in: the files they are written to, and the time
// at which they are looked at.
type scene struct {
	*writer
	now     time.Time
	details int // percentage of finished matches that have them
	// goals restricts the output to live matches, each with one more goal than
	// without it.
	goals bool
}

// side writes a team with players of its own.
func (s scene) side(t sport.Team, players int) side {
	s.put(t)
	of := draw(string(t.ID) + "/side")
	r, out := draw(string(t.ID)+"/players"), side{team: t.ID, from: t.ID, players: players, edge: of.between(-12, 12), coach: person(of, false)}
	for i := range players {
		number := i + 1
		if i >= starters {
			number = i + 2 + i%3*7 // some numbers are left out
		}
		s.put(sport.Player{ID: out.player(i), Name: person(r, t.Gender == sport.Women), TeamID: t.ID, Number: number, Position: positions[i]})
	}
	return out
}

// matchTime is how long a match is live.
const matchTime = 110 * time.Minute

// fixture writes a match between two sides and returns it as written. m has its
// competition and place in it; the kickoff decides whether it has been played,
// unless m has a status.
func (s scene) fixture(m dataset.Match, kickoff time.Time, home, away side, k kind) *sport.Match {
	b := &m.Base
	b.HomeTeamID, b.AwayTeamID, b.Kickoff = home.team, away.team, kickoff
	r := draw(string(b.ID))
	switch {
	case b.Status != "":
	case kickoff.After(s.now):
		b.Status = sport.Upcoming
	case kickoff.Add(matchTime).After(s.now):
		// A live match always has all details, and goes to extra time only after
		// 90 minutes.
		b.Status = sport.Live
		play(r, b, home, away, kind{details: true, until: minute(s.now.Sub(kickoff)), goal: s.goals})
	default:
		b.Status = sport.Finished
		k.details = k.details || r.chance(s.details)
		play(r, b, home, away, k)
	}
	if !s.goals || b.Status == sport.Live {
		s.put(m)
	}
	return b
}

// minute is the minute of a match at a time after its kickoff, with a break of
// 15 minutes after 45.
func minute(elapsed time.Duration) int {
	n := int(elapsed/time.Minute) + 1
	return min(max(n-15, min(n, 45)), 90)
}
