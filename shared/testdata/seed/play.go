package seed

import (
	"cmp"
	"slices"
	"strconv"

	"touchline/shared/sport"
)

const (
	goalkeeper, defender, midfielder, forward = sport.Goalkeeper, sport.Defender, sport.Midfielder, sport.Forward

	starters, benched = 11, 7
)

// positions are those of a squad. The first eleven start.
var positions = [20]sport.Position{
	goalkeeper, defender, defender, defender, defender, midfielder, midfielder, midfielder, midfielder, forward, forward,
	goalkeeper, defender, defender, midfielder, midfielder, midfielder, forward, forward, defender,
}

// side is what is needed of a team to play a match.
type side struct {
	team  sport.ID
	edge  int // percent by which it is better than an average team
	coach string
}

// player is the key of the i-th player.
func (s side) player(i int) sport.ID { return s.team + "/" + sport.ID(strconv.Itoa(i+1)) }

// lineUp chooses the starters of a 4-4-2 and a captain. The starters are the first
// eleven, except that up to three of them are replaced by others of the same
// position. It returns the numbers of all who may play, starters first.
func (s side) lineUp(r *random) (sport.Squad, []int) {
	order := make([]int, len(positions))
	for i := range order {
		order[i] = i
	}
	for range r.below(4) {
		in, out := r.below(starters), starters+r.below(len(positions)-starters+1)
		if out < len(positions) && positions[order[in]] == positions[order[out]] {
			order[in], order[out] = order[out], order[in]
		}
	}
	order = order[:starters+benched]
	captain := r.below(starters)
	q := sport.Squad{Formation: "4-4-2", Coach: s.coach}
	for at, i := range order {
		e := sport.LineupEntry{PlayerID: s.player(i), Captain: at == captain, Position: positions[i]}
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

// of is the number of the home side (0) or of the away side (1) of a score.
func of(s *sport.Score, at int) *int { return []*int{&s.Home, &s.Away}[at] }

// result draws the score of a match.
func result(r *random, home, away side) *sport.Score {
	const homeEdge = 6 // playing at home
	return &sport.Score{Home: goals(r, home.edge-away.edge+homeEdge), Away: goals(r, away.edge-home.edge)}
}

// playWithDetails adds to a match its score and how it came about, up to a minute; with
// more, after another goal in that minute.
func playWithDetails(r *random, m *sport.Match, home, away side, until int, more bool) {
	s := *result(r, home, away)
	g := newGame(r, home, away)
	g.plan(s)
	g.run(until)
	if more {
		g.goal(moment{minute: until, what: goal, side: draw(string(m.ID) + "/one more").below(len(g.sides))})
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
	events  []sport.Event
	score   sport.Score
}

// gameSide is one team of a game; players are numbered in the order of the
// squad.
type gameSide struct {
	side
	squad                  sport.Squad
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

// plan draws what happens, the goals of a score among it.
func (g *game) plan(s sport.Score) {
	g.momentsOf(goal, s, 1, 90)
	g.momentsOf(card, sport.Score{Home: g.random.below(4), Away: g.random.below(5)}, 8, 90)
	g.momentsOf(change, sport.Score{Home: g.random.between(2, 5), Away: g.random.between(2, 5)}, 46, 87)
}

func (g *game) momentsOf(what int, count sport.Score, from, to int) {
	for at := range g.sides {
		for range *of(&count, at) {
			m := moment{minute: g.random.between(from, to), what: what, side: at}
			if what != change && (m.minute == 45 || m.minute == 90) {
				m.extra = g.random.below(5)
			}
			g.moments = append(g.moments, m)
		}
	}
}

// run makes the moments happen in order, up to a minute.
func (g *game) run(until int) {
	slices.SortStableFunc(g.moments, func(a, b moment) int { return cmp.Or(a.minute-b.minute, a.extra-b.extra) })
	for _, m := range g.moments {
		if m.minute > until {
			return
		}
		[]func(moment){g.goal, g.card, g.change}[m.what](m)
	}
}

func (g *game) add(m moment, e sport.Event) {
	e.Minute, e.ExtraMinute, e.Side = m.minute, m.extra, sport.Sides()[m.side]
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
	*of(&g.score, m.side)++
	scorer := g.one(s)
	e := sport.Event{Type: sport.EventGoal, Detail: sport.GoalRegular, PlayerID: s.player(scorer)}
	switch {
	case g.random.chance(4):
		e.Detail, e.PlayerID = sport.GoalOwn, other.player(g.one(other))
	case g.random.chance(10):
		e.Detail = sport.GoalPenalty
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
	detail := sport.CardYellow
	switch {
	case s.booked[i]:
		detail = sport.CardSecondYellow
	case g.random.chance(4):
		detail = sport.CardRed
	}
	switch {
	case detail == sport.CardYellow:
		s.booked[i] = true
		s.yellow++
	case len(s.pitch) <= 8:
		return
	default:
		s.pitch = without(s.pitch, i)
		s.red++
	}
	g.add(m, sport.Event{Type: sport.EventCard, Detail: detail, PlayerID: s.player(i)})
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
	g.add(m, sport.Event{Type: sport.EventSubstitution, PlayerInID: s.player(in), PlayerOutID: s.player(out)})
}

// report adds the game to its match, with figures that agree with the events.
func (g *game) report(m *sport.Match) {
	r, possession := g.random, g.random.between(38, 62)
	var lines [2]sport.StatLine
	for at, s := range g.sides {
		onTarget, offTarget, blocked, passes := *of(&g.score, at)+r.below(6), r.between(2, 8), r.below(5), possession*r.between(6, 10)
		lines[at] = sport.StatLine{
			Possession: new(possession), Shots: new(onTarget + offTarget + blocked), ShotsOnTarget: new(onTarget), ShotsOffTarget: new(offTarget), BlockedShots: new(blocked),
			Corners: new(r.below(10)), Offsides: new(r.below(5)), Fouls: new(s.yellow + s.red + r.between(4, 12)), YellowCards: new(s.yellow), RedCards: new(s.red),
			Passes: new(passes), PassesCompleted: new(passes * r.between(68, 88) / 100), Penalties: new(s.penalties),
		}
		possession = 100 - possession
	}
	for at := range lines {
		lines[at].Saves = new(*lines[1-at].ShotsOnTarget - *of(&g.score, 1-at))
	}
	m.Score, m.Events = &g.score, g.events
	m.Lineups = &sport.Lineups{Confirmed: true, Home: g.sides[0].squad, Away: g.sides[1].squad}
	m.Statistics = &sport.MatchStatistics{Home: lines[0], Away: lines[1]}
}

func without[T comparable](list []T, one T) []T {
	return slices.DeleteFunc(slices.Clone(list), func(i T) bool { return i == one })
}
