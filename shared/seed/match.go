package seed

import "slices"

// kind says how a match is played.
type kind struct {
	knockout bool   // goes to extra time and penalties if level
	details  bool   // with line-ups, events and statistics
	until    int    // a live match's minute; 0: played to its end
	goal     bool   // one more than drawn, in the current minute of a live match
	carried  *score // in a second leg: the score of the first, which is added
}

const (
	homeSide = "home"
	awaySide = "away"
)

// goalWeights is the probability, in percent, that an average team scores 0, 1,
// 2 ... goals in a match.
var goalWeights = []int{26, 34, 23, 11, 4, 2}

// goals draws the number of goals of a team that is edge percent better than
// average.
func goals(r *random, edge int) int {
	at := r.below(100) + r.between(0, 1)*edge
	for n, w := range goalWeights {
		if at < w {
			return n
		}
		at -= w
	}
	return len(goalWeights)
}

// level reports whether a score leaves open who goes through.
func (k kind) level(s score) bool {
	if k.carried != nil {
		return s.Home+k.carried.Away == s.Away+k.carried.Home
	}
	return k.knockout && s.Home == s.Away
}

// play adds to a match its score and, with details, how it came about.
func play(r *random, m *match, home, away side, k kind) {
	const homeEdge = 6 // playing at home
	s := score{goals(r, home.edge-away.edge+homeEdge), goals(r, away.edge-home.edge)}
	m.ExtraTime = k.level(s)
	if !k.details {
		m.Score = &s
		if m.ExtraTime {
			m.Penalties = shootout(r, nil)
		}
		return
	}
	g := newGame(r, home, away)
	g.plan(s, 90)
	if m.ExtraTime && r.chance(50) {
		late := score{1, 0}
		if r.chance(50) {
			late = score{0, 1}
		}
		g.moments = append(g.moments, g.momentsOf(goal, late, 91, 120)...)
	}
	g.run(k.until)
	if k.goal {
		g.goal(moment{minute: k.until, what: goal, side: draw(m.ID + "/one more").below(len(g.sides))})
	}
	m.Score = &g.score
	if k.level(g.score) {
		m.Penalties = shootout(r, g)
	}
	m.Lineups = &lineups{Confirmed: true, Home: g.sides[0].squad, Away: g.sides[1].squad}
	m.Events = g.events
	m.Statistics = g.statistics()
}

// shootout draws penalties: five for each side, then one each until one side
// leads. In a game its takers are named in events.
func shootout(r *random, g *game) *score {
	var s score
	take := func(at int, n int) {
		scored := r.chance(75)
		if scored {
			*[]*int{&s.Home, &s.Away}[at]++
		}
		if g != nil {
			g.shootoutPenalty(at, n, scored)
		}
	}
	for n := 0; ; n++ {
		if n < 5 {
			left := 5 - n
			if s.Home > s.Away+left || s.Away > s.Home+left {
				return &s
			}
			take(0, n)
			if s.Home > s.Away+left || s.Away > s.Home+left-1 {
				return &s
			}
			take(1, n)
			continue
		}
		if s.Home != s.Away {
			return &s
		}
		take(0, n)
		take(1, n)
	}
}

// moment is something that is going to happen in a game.
type moment struct {
	minute, extra int
	what          happening
	side          int
}

type happening int

const (
	goal happening = iota
	card
	dismissal // a card that is red
	change
	miss
)

// plan draws what happens up to a minute, including the goals of a score.
func (g *game) plan(s score, minutes int) {
	g.moments = append(g.moments, g.momentsOf(goal, s, 1, minutes)...)
	g.moments = append(g.moments, g.momentsOf(card, score{g.random.below(4), g.random.below(5)}, 8, minutes)...)
	g.moments = append(g.moments, g.momentsOf(change, score{g.random.between(2, 5), g.random.between(2, 5)}, 46, minutes-3)...)
	if g.random.chance(5) {
		g.moments = append(g.moments, g.momentsOf(miss, score{1, 0}, 5, minutes)...)
	}
}

func (g *game) momentsOf(what happening, count score, from, to int) []moment {
	var out []moment
	for at, n := range []int{count.Home, count.Away} {
		for range n {
			m := moment{minute: g.random.between(from, to), what: what, side: at}
			if what != change && (m.minute == 45 || m.minute%90 == 0 || m.minute == 120) {
				m.extra = g.random.below(5)
			}
			out = append(out, m)
		}
	}
	return out
}

// run makes the moments happen in order, up to the minute until unless that is
// 0.
func (g *game) run(until int) {
	slices.SortStableFunc(g.moments, func(a, b moment) int {
		if a.minute != b.minute {
			return a.minute - b.minute
		}
		return a.extra - b.extra
	})
	for _, m := range g.moments {
		if until > 0 && m.minute > until {
			return
		}
		switch m.what {
		case goal:
			g.goal(m)
		case card, dismissal:
			g.card(m)
		case change:
			g.change(m)
		case miss:
			g.miss(m)
		}
	}
}
