package standings

import (
	"cmp"
	"slices"

	"touchline/shared/sport"
)

// Tie is a pairing of a knockout: one match, or the legs of two. Sides are the
// tie's own: home is the side that is at home in its first match.
type Tie struct {
	Round     int
	Order     int // from 1 within the round
	HomeID    sport.ID
	AwayID    sport.ID
	Aggregate *sport.Score // goals of the finished matches; nil until one is finished
	Penalties *sport.Score // the shoot-out of a tie that is over; nil: none
	Winner    sport.Winner // home or away; none until the tie is over, or where nothing decides it
	MatchIDs  []sport.ID   // in order of the legs
}

// Ties makes the ties of a knockout from its matches (D43), rounds ascending,
// within a round by the kickoff of the first match and then its id.
//
// A match marked as a leg (leg or twoLegs) belongs with the other legs between
// the same teams in its round; any other match is a tie of its own, even if the
// teams meet twice in a round. The first match is leg 1, or the earliest
// kickoff, then the lowest id, where a leg has no number.
//
// A tie is over when none of its matches is still to come and as many are
// finished as it has legs, two for legs also while the second is not in the
// dataset; a postponed match that another one replaces does not hold it up. It is
// won by the team that its last leg names (TieWinner), else on goals over the legs,
// else by the shoot-out, else by nobody (D55): goals away count no more than
// others, and the winner of a match is that of the match alone.
func Ties(matches []sport.Match) []Tie {
	pairs := pairUp(matches)
	slices.SortFunc(pairs, func(a, b pair) int {
		x, y := a.legs[0], b.legs[0]
		return cmp.Or(cmp.Compare(x.Round, y.Round), x.Kickoff.Compare(y.Kickoff), cmp.Compare(x.ID, y.ID))
	})
	ties := make([]Tie, len(pairs))
	order := 0
	for i, p := range pairs {
		if i == 0 || p.legs[0].Round != ties[i-1].Round {
			order = 0
		}
		order++
		ties[i] = p.tie(order)
	}
	return ties
}

// pair is the matches of one tie, in order of the legs.
type pair struct {
	twoLegs bool
	legs    []*sport.Match // never empty
}

// pairUp finds the matches of each tie.
func pairUp(matches []sport.Match) []pair {
	type meeting struct {
		round         int
		first, second sport.ID // by id, whoever is at home
	}
	var pairs []pair
	at := map[meeting]int{}
	for i := range matches {
		m := &matches[i]
		if !isLeg(m) {
			pairs = append(pairs, pair{legs: []*sport.Match{m}})
			continue
		}
		key := meeting{m.Round, min(m.HomeTeamID, m.AwayTeamID), max(m.HomeTeamID, m.AwayTeamID)}
		n, known := at[key]
		if !known {
			n = len(pairs)
			at[key] = n
			pairs = append(pairs, pair{twoLegs: true})
		}
		pairs[n].legs = append(pairs[n].legs, m)
	}
	for _, p := range pairs {
		sortLegs(p.legs)
	}
	return pairs
}

func isLeg(m *sport.Match) bool { return m.TwoLegs || m.Leg != 0 }

func sortLegs(legs []*sport.Match) {
	numbered := !slices.ContainsFunc(legs, func(m *sport.Match) bool { return m.Leg == 0 })
	slices.SortFunc(legs, func(a, b *sport.Match) int {
		byLeg := 0
		if numbered {
			byLeg = cmp.Compare(a.Leg, b.Leg)
		}
		return cmp.Or(byLeg, a.Kickoff.Compare(b.Kickoff), cmp.Compare(a.ID, b.ID))
	})
}

func (p pair) tie(order int) Tie {
	first := p.legs[0]
	t := Tie{
		Round:     first.Round,
		Order:     order,
		HomeID:    first.HomeTeamID,
		AwayID:    first.AwayTeamID,
		Aggregate: p.aggregate(),
		Winner:    sport.WinnerNone,
	}
	for _, m := range p.legs {
		t.MatchIDs = append(t.MatchIDs, m.ID)
	}
	if !p.over() {
		return t
	}
	t.Penalties = p.penalties()
	t.Winner = p.winner(t.Aggregate, t.Penalties)
	return t
}

// winner is who goes on from a tie that is over.
func (p pair) winner(aggregate, penalties *sport.Score) sport.Winner {
	last := p.legs[len(p.legs)-1]
	if last.TieWinner != "" {
		if home := last.TieWinner == sport.SideHome; home == (last.HomeTeamID == p.legs[0].HomeTeamID) {
			return sport.WinnerHome
		}
		return sport.WinnerAway
	}
	if w := winnerOf(aggregate, penalties); w != sport.WinnerDraw {
		return w
	}
	return sport.WinnerNone
}

func (p pair) over() bool {
	finished := 0
	for _, m := range p.legs {
		switch m.Status {
		case sport.Finished:
			finished++
		case sport.Upcoming, sport.Live:
			return false
		}
	}
	return finished >= p.size()
}

func (p pair) size() int {
	if p.twoLegs {
		return 2
	}
	return 1
}

// aggregate adds up the goals of the finished matches, nil if there aren't any.
func (p pair) aggregate() *sport.Score {
	var sum *sport.Score
	for _, m := range p.legs {
		if m.Status != sport.Finished || m.Score == nil {
			continue
		}
		if sum == nil {
			sum = &sport.Score{}
		}
		s := p.turned(m, *m.Score)
		sum.Home += s.Home
		sum.Away += s.Away
	}
	return sum
}

// penalties is the shoot-out, of the last leg that had one, nil where none had.
func (p pair) penalties() *sport.Score {
	for _, m := range slices.Backward(p.legs) {
		if m.Status == sport.Finished && m.Penalties != nil {
			s := p.turned(m, *m.Penalties)
			return &s
		}
	}
	return nil
}

// turned is a score of the match m from the tie's home side.
func (p pair) turned(m *sport.Match, s sport.Score) sport.Score {
	if m.HomeTeamID != p.legs[0].HomeTeamID {
		s.Home, s.Away = s.Away, s.Home
	}
	return s
}
