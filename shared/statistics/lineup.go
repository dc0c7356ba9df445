package statistics

import "touchline/shared/sport"

// Spell is when a listed player first came on and last went off, in minutes up to the
// length of the match.
type Spell struct {
	In  *int // 0 for a starter; nil: never on the pitch
	Out *int // nil: on the pitch at the end, or never on it
}

// Spells are those of the players of a match by their ids; none where its line-ups are
// not published.
func Spells(m sport.Match, periods sport.Clock) map[sport.ID]Spell {
	spells := map[sport.ID]Spell{}
	for id, x := range watch(m, clock{periods}) {
		spells[id] = Spell{x.in, x.out}
	}
	return spells
}

// Published reports whether a match has line-ups to show (D45).
func Published(m sport.Match) bool { return m.Lineups != nil && m.Lineups.Confirmed }

// presence is a listed player's time on the pitch, in minutes of the match.
type presence struct {
	entry     sport.LineupEntry
	side      sport.Side
	started   bool
	in, out   *int // first on, last off
	since     int  // when the spell on the pitch began
	played    int  // minutes in the spells that have ended
	on        bool // the pitch, after the events seen so far
	sentOff   bool
	broughtOn bool
	takenOff  bool
}

// pitch has every listed player, on the pitch or not. Players who are not listed
// are not in it.
type pitch map[sport.ID]*presence

// watch follows the published line-ups of a match through its events.
func watch(m sport.Match, c clock) pitch {
	p := pitch{}
	if !Published(m) {
		return p
	}
	p.list(m.Lineups.Home, sport.SideHome)
	p.list(m.Lineups.Away, sport.SideAway)
	length := c.Length(&m)
	for _, e := range c.chronological(m.Events) {
		switch minute := c.minute(&e, length); {
		case e.Type == sport.EventSubstitution:
			p.takeOff(e.PlayerOutID, minute)
			p.bringOn(e.PlayerInID, minute)
		case e.Type == sport.EventCard && e.Detail != sport.CardYellow:
			p.sendOff(e.PlayerID, minute)
		}
	}
	return p
}

// list adds a squad. If a player is listed twice, the first entry counts. One who is
// not named is left out.
func (p pitch) list(s sport.Squad, side sport.Side) {
	for _, entry := range s.Starting {
		if entry.PlayerID != "" && p[entry.PlayerID] == nil {
			p[entry.PlayerID] = &presence{entry: entry, side: side, started: true, on: true, in: new(int)}
		}
	}
	for _, entry := range s.Bench {
		if entry.PlayerID != "" && p[entry.PlayerID] == nil {
			p[entry.PlayerID] = &presence{entry: entry, side: side}
		}
	}
}

func (p pitch) takeOff(player sport.ID, minute int) {
	if x := p[player]; x != nil && x.on {
		x.leave(minute)
		x.takenOff = true
	}
}

func (p pitch) bringOn(player sport.ID, minute int) {
	x := p[player]
	if x == nil || x.on || x.sentOff {
		return
	}
	if x.in == nil {
		x.in = &minute
	}
	x.on, x.out, x.since, x.broughtOn = true, nil, minute, true
}

func (p pitch) sendOff(player sport.ID, minute int) {
	x := p[player]
	if x == nil {
		return
	}
	if x.on {
		x.leave(minute)
	}
	x.sentOff = true
}

// leave ends a spell on the pitch.
func (x *presence) leave(minute int) {
	x.on, x.out = false, &minute
	x.played += max(0, minute-x.since)
}

// minutes is how long a player has played in a match (D53): the sum of all
// spells, or 0 while the match goes on and the player is on the pitch.
func (x *presence) minutes(m sport.Match, c clock) int {
	switch {
	case !x.on:
		return x.played
	case m.Status != sport.Finished:
		return 0
	}
	return x.played + max(0, c.Length(&m)-x.since)
}
