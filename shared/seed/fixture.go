package seed

import (
	"strconv"
	"time"
)

// scene is what matches are made in: the files they are written to, and the time
// at which they are looked at.
type scene struct {
	w       *writer
	now     time.Time
	details int // percentage of finished matches that have them
	// goals restricts the output to live matches, each with one more goal than
	// without it.
	goals bool
}

// awarded as a status makes a match finished with the score that it already has.
const awarded = "awarded"

// playerKey is the key of a team's i-th player.
func playerKey(team string, i int) string { return team + "/" + strconv.Itoa(i+1) }

// sideOf is a team that plays with its own players.
func sideOf(team string, players int) side {
	r := draw(team + "/side")
	return side{
		team: team, players: players, edge: r.between(-12, 12), coach: person(r, false),
		player: func(i int) string { return playerKey(team, i) },
	}
}

// squad writes a team's players.
func (s scene) squad(team string, n int, women bool) {
	r := draw(team + "/players")
	for i := range n {
		number := i + 1
		if i >= starters {
			number = i + 2 + i%3*7 // some numbers are left out
		}
		s.w.player(player{ID: playerKey(team, i), Name: person(r, women), TeamID: team, Number: number, Position: positions[i]})
	}
}

// fixture writes a match between two sides and returns it as written. m has its
// competition and place in it; the kickoff decides whether it has been played.
func (s scene) fixture(m match, kickoff time.Time, home, away side, k kind) match {
	m.HomeTeamID, m.AwayTeamID = home.team, away.team
	if m.KickoffLocal == "" {
		m.KickoffAt = stamp(kickoff)
	}
	r := draw(m.ID)
	if m.Status == "" {
		m.Status = state(kickoff, s.now)
	}
	switch m.Status {
	case awarded:
		m.Status = "finished"
	case "finished":
		k.details = k.details || r.chance(s.details)
		play(r, &m, home, away, k)
	case "live":
		// A live match always has all details, and goes to extra time only after
		// 90 minutes.
		k = kind{details: true, until: minute(s.now.Sub(kickoff)), goal: s.goals}
		play(r, &m, home, away, k)
	}
	if !s.goals || m.Status == "live" {
		s.w.match(m)
	}
	return m
}

// minute is the minute of a match at a time after its kickoff, with a break of
// 15 minutes after 45.
func minute(elapsed time.Duration) int {
	n := int(elapsed/time.Minute) + 1
	switch {
	case n <= 45:
		return n
	case n <= 60:
		return 45
	}
	return min(n-15, 90)
}
