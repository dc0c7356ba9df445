package seed

import "slices"

// game is a match with details, in the course of being played.
type game struct {
	random  *random
	sides   [2]*gameSide
	moments []moment
	events  []event
	score   score
}

// gameSide is one team of a game; players are numbered in the order of the
// squad.
type gameSide struct {
	side
	squad  squad
	pitch  []int // players on it
	bench  []int // players who can come on
	booked map[int]bool

	yellow, red, penalties int
}

func newGame(r *random, home, away side) *game {
	g := &game{random: r}
	for i, s := range []side{home, away} {
		q, order := lineUp(r, s)
		g.sides[i] = &gameSide{
			side: s, squad: q, booked: map[int]bool{},
			pitch: slices.Clone(order[:starters]), bench: slices.Clone(order[starters:]),
		}
	}
	return g
}

func sideName(at int) string { return []string{homeSide, awaySide}[at] }

func (g *game) add(m moment, e event) {
	e.Minute, e.ExtraMinute, e.Side = m.minute, m.extra, sideName(m.side)
	g.events = append(g.events, e)
}

// one returns a player on the pitch, but never the goalkeeper; forwards and
// midfielders are more likely.
func (g *game) one(s *gameSide) int {
	best := -1
	for range 4 {
		i := s.pitch[g.random.below(len(s.pitch))]
		if positions[i] == goalkeeper {
			continue
		}
		best = i
		if positions[i] == forward || positions[i] == midfielder && g.random.chance(60) {
			break
		}
	}
	if best < 0 {
		best = s.pitch[len(s.pitch)-1]
	}
	return best
}

func (g *game) goal(m moment) {
	s, other := g.sides[m.side], g.sides[1-m.side]
	*[]*int{&g.score.Home, &g.score.Away}[m.side]++
	scorer := g.one(s)
	e := event{Type: "goal", Detail: "regular", PlayerID: s.player(scorer)}
	switch {
	case g.random.chance(4):
		e.Detail, e.PlayerID = "ownGoal", other.player(g.one(other))
	case g.random.chance(10):
		e.Detail = "penalty"
		s.penalties++
	case g.random.chance(70):
		if helper := g.one(s); helper != scorer {
			e.AssistID = s.player(helper)
		}
	}
	g.add(m, e)
}

// card books a player on the pitch; a second yellow card or a red one sends the
// player off. A side keeps at least eight players.
func (g *game) card(m moment) {
	s := g.sides[m.side]
	i := g.one(s)
	detail := "yellow"
	switch {
	case m.what == dismissal:
		detail = "red"
	case s.booked[i]:
		detail = "secondYellow"
	case g.random.chance(4):
		detail = "red"
	}
	if detail != "yellow" && len(s.pitch) <= 8 {
		return
	}
	if detail == "yellow" {
		s.booked[i] = true
		s.yellow++
	} else {
		s.pitch = without(s.pitch, i)
		s.red++
	}
	g.add(m, event{Type: "card", Detail: detail, PlayerID: s.player(i)})
}

func (g *game) change(m moment) {
	s := g.sides[m.side]
	out := g.one(s)
	for _, in := range s.bench {
		if positions[in] == goalkeeper {
			continue
		}
		s.bench = without(s.bench, in)
		s.pitch = append(without(s.pitch, out), in)
		g.add(m, event{Type: "substitution", PlayerInID: s.player(in), PlayerOutID: s.player(out)})
		return
	}
}

func (g *game) miss(m moment) {
	s := g.sides[m.side]
	s.penalties++
	g.add(m, event{Type: "missedPenalty", Detail: []string{"missed", "saved"}[g.random.below(2)], PlayerID: s.player(g.one(s))})
}

func (g *game) shootoutPenalty(at, n int, scored bool) {
	s := g.sides[at]
	detail := "scored"
	if !scored {
		detail = []string{"missed", "saved"}[g.random.below(2)]
	}
	// From the forwards back, the goalkeeper last.
	taker := s.pitch[len(s.pitch)-1-n%len(s.pitch)]
	g.add(moment{minute: 120, side: at}, event{Type: "shootoutPenalty", Detail: detail, Period: "penaltyShootout", PlayerID: s.player(taker)})
}

// statistics draws figures that agree with the events.
func (g *game) statistics() *statistics {
	r := g.random
	possession := r.between(38, 62)
	lines := [2]statLine{}
	for at, s := range g.sides {
		scored := []int{g.score.Home, g.score.Away}[at]
		l := statLine{
			Possession:    possession,
			ShotsOnTarget: scored + r.below(6), ShotsOffTarget: r.between(2, 8), BlockedShots: r.below(5),
			Corners: r.below(10), Offsides: r.below(5), Fouls: s.yellow + s.red + r.between(4, 12),
			YellowCards: s.yellow, RedCards: s.red, Passes: possession * r.between(6, 10), Penalties: s.penalties,
		}
		l.Shots = l.ShotsOnTarget + l.ShotsOffTarget + l.BlockedShots
		l.PassesCompleted = l.Passes * r.between(68, 88) / 100
		lines[at] = l
		possession = 100 - possession
	}
	lines[0].Saves = lines[1].ShotsOnTarget - g.score.Away
	lines[1].Saves = lines[0].ShotsOnTarget - g.score.Home
	return &statistics{Home: lines[0], Away: lines[1]}
}

func without[T comparable](list []T, one T) []T {
	return slices.DeleteFunc(list, func(i T) bool { return i == one })
}
