package seed

import (
	"cmp"
	"slices"
	"strconv"
)

const (
	homeSide, awaySide = "home", "away"

	goalkeeper, defender, midfielder, forward = "goalkeeper", "defender", "midfielder", "forward"

	starters, benched = 11, 7
)

// positions are those of a squad of 20. The first eleven start, and a smaller
// squad takes the beginning of the list.
var positions = [20]string{
	goalkeeper, defender, defender, defender, defender, midfielder, midfielder, midfielder, midfielder, forward, forward,
	goalkeeper, defender, defender, midfielder, midfielder, midfielder, forward, forward, defender,
}

// side is what is needed of a team to play a match.
type side struct {
	team    string
	from    string // the team whose players play
	players int    // at least 11
	edge    int    // percent by which it is better than an average team
	coach   string
}

// player is the key of the i-th player.
func (s side) player(i int) string { return s.from + "/" + strconv.Itoa(i+1) }

// lineUp chooses the starters of a 4-4-2 and a captain. The starters are the first
// eleven, except that up to three of them are replaced by others of the same
// position. It returns the numbers of all who may play, starters first.
func (s side) lineUp(r *random) (squad, []int) {
	order := make([]int, s.players)
	for i := range order {
		order[i] = i
	}
	for range r.below(4) {
		in, out := r.below(starters), starters+r.below(s.players-starters+1)
		if out < s.players && positions[order[in]] == positions[order[out]] {
			order[in], order[out] = order[out], order[in]
		}
	}
	order = order[:min(len(order), starters+benched)]
	captain := r.below(starters)
	q := squad{Formation: "4-4-2", Coach: s.coach, Bench: []entry{}}
	for at, i := range order {
		e := entry{PlayerID: s.player(i), Captain: at == captain, Position: positions[i]}
		switch {
		case at >= starters:
			q.Bench = append(q.Bench, e)
			continue
		case at == 0:
			e.Grid = "1:1"
		default:
			e.Grid = strconv.Itoa(2+(at-1)/4) + ":" + strconv.Itoa(1+(at-1)%4)
		}
		q.Starting = append(q.Starting, e)
	}
	return q, order
}

// kind says how a match is played.
type kind struct {
	details  bool // with line-ups, events and statistics
	knockout bool // goes to extra time and penalties if level, with details
	until    int  // a live match's minute; 0: played to its end
	goal     bool // one more than drawn, in the current minute of a live match
}

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

// of is the number of the home side (0) or of the away side (1).
func (s *score) of(at int) *int { return []*int{&s.Home, &s.Away}[at] }

// play adds to a match its score and, with details, how it came about.
func play(r *random, m *match, home, away side, k kind) {
	const homeEdge = 6 // playing at home
	s := score{goals(r, home.edge-away.edge+homeEdge), goals(r, away.edge-home.edge)}
	if !k.details {
		m.Score = &s
		return
	}
	g := newGame(r, home, away)
	g.plan(s, 90)
	if m.ExtraTime = k.knockout && s.Home == s.Away; m.ExtraTime && r.chance(50) {
		g.momentsOf(goal, score{1, 0}, 91, 120)
	}
	g.run(k.until)
	if k.goal {
		g.goal(moment{minute: k.until, what: goal, side: draw(m.ID + "/one more").below(len(g.sides))})
	}
	if k.knockout && g.score.Home == g.score.Away {
		m.Penalties = g.shootout()
	}
	g.report(m)
}

// moment is something that is going to happen in a game.
type moment struct{ minute, extra, what, side int }

const (
	goal = iota
	card
	change
)

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
	squad
	pitch, bench           []int // players on it, and who can come on
	booked                 map[int]bool
	yellow, red, penalties int
}

func newGame(r *random, home, away side) *game {
	g := &game{random: r}
	for i, s := range []side{home, away} {
		q, order := s.lineUp(r)
		g.sides[i] = &gameSide{side: s, squad: q, booked: map[int]bool{}, pitch: order[:starters:starters], bench: order[starters:]}
	}
	return g
}

// plan draws what happens up to a minute, including the goals of a score.
func (g *game) plan(s score, minutes int) {
	g.momentsOf(goal, s, 1, minutes)
	g.momentsOf(card, score{g.random.below(4), g.random.below(5)}, 8, minutes)
	g.momentsOf(change, score{g.random.between(2, 5), g.random.between(2, 5)}, 46, minutes-3)
}

func (g *game) momentsOf(what int, count score, from, to int) {
	for at := range g.sides {
		for range *count.of(at) {
			m := moment{minute: g.random.between(from, to), what: what, side: at}
			if what != change && (m.minute == 45 || m.minute == 90 || m.minute == 120) {
				m.extra = g.random.below(5)
			}
			g.moments = append(g.moments, m)
		}
	}
}

// run makes the moments happen in order, up to the minute until unless that is
// 0.
func (g *game) run(until int) {
	slices.SortStableFunc(g.moments, func(a, b moment) int { return cmp.Or(a.minute-b.minute, a.extra-b.extra) })
	for _, m := range g.moments {
		if until > 0 && m.minute > until {
			return
		}
		[]func(moment){g.goal, g.card, g.change}[m.what](m)
	}
}

func (g *game) add(m moment, e event) {
	e.Minute, e.ExtraMinute, e.Side = m.minute, m.extra, []string{homeSide, awaySide}[m.side]
	g.events = append(g.events, e)
}

// one returns a player on the pitch, but not the goalkeeper; forwards and
// midfielders are more likely.
func (g *game) one(s *gameSide) int {
	field := without(s.pitch, s.pitch[0])
	best := 0
	for range 3 {
		best = field[g.random.below(len(field))]
		if positions[best] == forward || positions[best] == midfielder && g.random.chance(60) {
			break
		}
	}
	return best
}

func (g *game) goal(m moment) {
	s, other := g.sides[m.side], g.sides[1-m.side]
	*g.score.of(m.side)++
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
	case s.booked[i]:
		detail = "secondYellow"
	case g.random.chance(4):
		detail = "red"
	}
	switch {
	case detail == "yellow":
		s.booked[i] = true
		s.yellow++
	case len(s.pitch) <= 8:
		return
	default:
		s.pitch = without(s.pitch, i)
		s.red++
	}
	g.add(m, event{Type: "card", Detail: detail, PlayerID: s.player(i)})
}

func (g *game) change(m moment) {
	s := g.sides[m.side]
	out := g.one(s)
	at := slices.IndexFunc(s.bench, func(i int) bool { return positions[i] != goalkeeper })
	if at < 0 {
		return
	}
	in := s.bench[at]
	s.bench, s.pitch = without(s.bench, in), append(without(s.pitch, out), in)
	g.add(m, event{Type: "substitution", PlayerInID: s.player(in), PlayerOutID: s.player(out)})
}

// shootout draws penalties: five for each side, then one each until one side leads.
// The takers are those on the pitch, the goalkeeper last.
func (g *game) shootout() *score {
	var s score
	for n := 0; n < 5 || s.Home == s.Away; n++ {
		for at, of := range g.sides {
			if n < 5 && (s.Home > s.Away+5-n || s.Away > s.Home+5-n-at) {
				return &s
			}
			detail := "missed"
			if g.random.chance(75) {
				detail = "scored"
				*s.of(at)++
			}
			taker := of.pitch[len(of.pitch)-1-n%len(of.pitch)]
			g.add(moment{minute: 120, side: at}, event{Type: "shootoutPenalty", Detail: detail, Period: "penaltyShootout", PlayerID: of.player(taker)})
		}
	}
	return &s
}

// report adds the game to its match, with figures that agree with the events.
func (g *game) report(m *match) {
	r, possession := g.random, g.random.between(38, 62)
	var lines [2]map[string]int
	for at, s := range g.sides {
		onTarget, offTarget, blocked, passes := *g.score.of(at)+r.below(6), r.between(2, 8), r.below(5), possession*r.between(6, 10)
		lines[at] = map[string]int{
			"possession": possession, "shots": onTarget + offTarget + blocked, "shotsOnTarget": onTarget, "shotsOffTarget": offTarget, "blockedShots": blocked,
			"corners": r.below(10), "offsides": r.below(5), "fouls": s.yellow + s.red + r.between(4, 12), "yellowCards": s.yellow, "redCards": s.red,
			"passes": passes, "passesCompleted": passes * r.between(68, 88) / 100, "penalties": s.penalties,
		}
		possession = 100 - possession
	}
	for at := range lines {
		lines[at]["saves"] = lines[1-at]["shotsOnTarget"] - *g.score.of(1 - at)
	}
	m.Score, m.Events = &g.score, g.events
	m.Lineups = &lineups{Confirmed: true, Home: g.sides[0].squad, Away: g.sides[1].squad}
	m.Statistics = &statistics{Home: lines[0], Away: lines[1]}
}

func without[T comparable](list []T, one T) []T {
	return slices.DeleteFunc(slices.Clone(list), func(i T) bool { return i == one })
}
