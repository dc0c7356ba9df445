package standings

import (
	"cmp"
	"fmt"
	"slices"

	"touchline/shared/sport"
)

// Tie is a pairing of a knockout: a match and its replays, two legs, or a series.
// Sides are the tie's own: home is the side that is at home in its first match.
type Tie struct {
	Round     int
	Order     int // from 1 within the round
	HomeID    sport.ID
	AwayID    sport.ID
	Aggregate *sport.Score // goals of the finished matches, of a series the matches won; nil until one is finished
	Penalties *sport.Score // the shoot-out of a tie that is over; nil: none
	Winner    sport.Winner // home or away; none until the tie is decided, or where nothing decides it
	MatchIDs  []sport.ID   // in order of the legs
}

// Ties makes the ties of a knockout from its matches (D43, D66), rounds ascending,
// within a round by the kickoff of the first match and then its id; the last round begins
// with the ties whose sides were unbeaten longest, the final first (D81). All matches of a
// round between the same two teams are one tie. They are in the order of their legs
// where each has a number, else of their kickoffs, then of their ids.
//
// The side that a finished match names (TieWinner, the last one of several) has won the
// tie. Else the rules decide:
//   - With BestOf, who has won more than half of that number of matches. What is played
//     afterwards counts nowhere.
//   - Without it, once no match is to come and both legs are finished where a match is
//     marked as a leg: the goals of all matches; of two legs the goals away, where the
//     rules say so; the shoot-out of the last match that had one; else nobody.
//
// A postponed match neither counts nor keeps the tie open once another is finished.
func Ties(matches []sport.Match, rules sport.TieRules) []Tie {
	pairs := pairUp(matches, rules)
	ties := make([]Tie, len(pairs))
	for i, p := range pairs {
		ties[i] = p.tie()
	}
	sortLast(ties)
	for i := range ties {
		ties[i].Order = 1
		if i > 0 && ties[i].Round == ties[i-1].Round {
			ties[i].Order = ties[i-1].Order + 1
		}
	}
	return ties
}

// sortLast puts the ties of the last round in the order of how long their sides were
// unbeaten, the longest first, then of how many ties they have lost, the fewest first
// (D81): the final, third place, fifth, seventh.
func sortLast(ties []Tie) {
	if len(ties) == 0 {
		return
	}
	last := ties[len(ties)-1].Round
	first := slices.IndexFunc(ties, func(t Tie) bool { return t.Round == last })
	beaten, lost := map[sport.ID]int{}, map[sport.ID]int{} // from which round on; how often
	for _, t := range ties[:first] {
		loser := map[sport.Winner]sport.ID{sport.WinnerHome: t.AwayID, sport.WinnerAway: t.HomeID}[t.Winner]
		if lost[loser]++; lost[loser] == 1 {
			beaten[loser] = t.Round
		}
	}
	unbeaten := func(team sport.ID) int {
		if lost[team] == 0 {
			return last
		}
		return beaten[team]
	}
	slices.SortStableFunc(ties[first:], func(a, b Tie) int {
		return cmp.Or(
			cmp.Compare(unbeaten(b.HomeID)+unbeaten(b.AwayID), unbeaten(a.HomeID)+unbeaten(a.AwayID)),
			cmp.Compare(lost[a.HomeID]+lost[a.AwayID], lost[b.HomeID]+lost[b.AwayID]),
		)
	})
}

// pair is the matches of one tie, in order of the legs.
type pair struct {
	rules    sport.TieRules
	legs     []*sport.Match // never empty
	finished []*sport.Match // of these, those that count
}

// pairUp finds the matches of each tie, in the order of the ties.
func pairUp(matches []sport.Match, rules sport.TieRules) []pair {
	type meeting struct {
		round         int
		first, second sport.ID // by id, whoever is at home
	}
	var pairs []pair
	at := map[meeting]int{}
	for i := range matches {
		m := &matches[i]
		key := meeting{m.Round, min(m.HomeTeamID, m.AwayTeamID), max(m.HomeTeamID, m.AwayTeamID)}
		n, known := at[key]
		if !known {
			n = len(pairs)
			at[key] = n
			pairs = append(pairs, pair{rules: rules})
		}
		pairs[n].legs = append(pairs[n].legs, m)
	}
	for i := range pairs {
		p := &pairs[i]
		sortLegs(p.legs)
		p.finished = slices.DeleteFunc(slices.Clone(p.legs), func(m *sport.Match) bool { return m.Status != sport.Finished })
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		x, y := a.legs[0], b.legs[0]
		return cmp.Or(cmp.Compare(x.Round, y.Round), x.Kickoff.Compare(y.Kickoff), cmp.Compare(x.ID, y.ID))
	})
	return pairs
}

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

func (p pair) tie() Tie {
	first := p.legs[0]
	t := Tie{Round: first.Round, HomeID: first.HomeTeamID, AwayID: first.AwayTeamID}
	for _, m := range p.legs {
		t.MatchIDs = append(t.MatchIDs, m.ID)
	}
	t.Aggregate, t.Penalties, t.Winner = p.decide()
	if given := p.given(); given != sport.WinnerNone {
		t.Winner = given
	}
	return t
}

// decide is what the matches say: the aggregate, the shoot-out and the winner.
func (p pair) decide() (aggregate, penalties *sport.Score, winner sport.Winner) {
	if p.rules.BestOf > 0 {
		aggregate = p.matchesWon(p.finished)
		return aggregate, nil, p.seriesWinner(aggregate)
	}
	aggregate = p.goals(p.finished)
	if !p.over() {
		return aggregate, nil, sport.WinnerNone
	}
	penalties = p.penalties()
	lead := cmp.Or(aggregate.Lead(), p.awayLead(), penalties.Lead())
	return aggregate, penalties, map[int]sport.Winner{1: sport.WinnerHome, 0: sport.WinnerNone, -1: sport.WinnerAway}[lead]
}

// given is the winner of the tie that its last finished match with a TieWinner names, seen
// from the tie's home side; none where there is no such match.
func (p pair) given() sport.Winner {
	for _, m := range slices.Backward(p.finished) {
		if m.TieWinner == "" {
			continue
		}
		if home := m.TieWinner == sport.SideHome; home == p.hosts(m) {
			return sport.WinnerHome
		}
		return sport.WinnerAway
	}
	return sport.WinnerNone
}

// over reports whether a tie without BestOf has had all of its matches.
func (p pair) over() bool {
	least := 1
	for _, m := range p.legs {
		if m.Status == sport.Upcoming || m.Status == sport.Live {
			return false
		}
		if m.TwoLegs || m.Leg != 0 {
			least = 2
		}
	}
	return len(p.finished) >= least
}

// matchesWon counts the matches that each side has won, until the series is decided; nil
// if there is no match.
func (p pair) matchesWon(finished []*sport.Match) *sport.Score {
	if len(finished) == 0 {
		return nil
	}
	won := &sport.Score{}
	for _, m := range finished {
		if p.seriesWinner(won) != sport.WinnerNone {
			break
		}
		switch winner := m.WonBy(m.Winner); {
		case winner != sport.WinnerHome && winner != sport.WinnerAway: // nobody has won it
		case (winner == sport.WinnerHome) == p.hosts(m):
			won.Home++
		default:
			won.Away++
		}
	}
	return won
}

// seriesWinner is who has won more than half of the matches that a series can have.
func (p pair) seriesWinner(won *sport.Score) sport.Winner {
	switch half := p.rules.BestOf / 2; {
	case won == nil:
		return sport.WinnerNone
	case won.Home > half:
		return sport.WinnerHome
	case won.Away > half:
		return sport.WinnerAway
	}
	return sport.WinnerNone
}

// goals adds up the goals of finished matches, nil if none has a score.
func (p pair) goals(finished []*sport.Match) *sport.Score {
	var sum *sport.Score
	for _, m := range finished {
		if m.Score == nil {
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

// awayLead is 1 where the home side of the tie has scored more goals away than the other
// side, -1 where it has scored fewer; 0 where goals away do not count.
func (p pair) awayLead() int {
	legs := p.finished
	if !p.rules.AwayGoals || len(legs) != 2 || p.hosts(legs[0]) == p.hosts(legs[1]) || legs[0].Score == nil || legs[1].Score == nil {
		return 0
	}
	lead := cmp.Compare(legs[1].Score.Away, legs[0].Score.Away)
	if !p.hosts(legs[0]) {
		return -lead
	}
	return lead
}

// penalties is the shoot-out of the last match that had one, nil where none had.
func (p pair) penalties() *sport.Score {
	for _, m := range slices.Backward(p.finished) {
		if m.Penalties != nil {
			s := p.turned(m, *m.Penalties)
			return &s
		}
	}
	return nil
}

// hosts reports whether the home side of the tie is at home in a match.
func (p pair) hosts(m *sport.Match) bool { return m.HomeTeamID == p.legs[0].HomeTeamID }

// turned is a score of the match m from the tie's home side.
func (p pair) turned(m *sport.Match, s sport.Score) sport.Score {
	if !p.hosts(m) {
		s.Home, s.Away = s.Away, s.Home
	}
	return s
}

// TieWarning is what is strange about a tie, said of one of its matches.
type TieWarning struct {
	MatchID sport.ID
	Field   string // of the match: tieWinner, or round
	Message string
}

// TieWarnings are what a load warns of in the ties of a knockout (D66): a tie whose
// matches are finished and that nobody has won, a TieWinner that contradicts the matches,
// a ruling on the only match, which decides no tie (D55), more matches than a tie without
// BestOf can have, two matches that may be of a series, and a series that goes on after it
// was decided. Ties come in the order of Ties.
func TieWarnings(matches []sport.Match, rules *sport.Rules) []TieWarning {
	var found []TieWarning
	for _, p := range pairUp(matches, rules.TieRules()) {
		finished := p.finished
		if len(finished) == 0 {
			continue
		}
		last := finished[len(finished)-1]
		warn := func(m *sport.Match, field, format string, args ...any) {
			found = append(found, TieWarning{m.ID, field, fmt.Sprintf(format, args...)})
		}
		aggregate, _, decided := p.decide()
		given := p.given()
		overruled := p.rules.BestOf == 0 && len(finished) == 1 && decided != sport.WinnerNone && last.Winner != "" && last.Winner != decided
		switch {
		case overruled && given == sport.WinnerNone:
			warn(last, "tieWinner", "the winner of the match is not that of the tie, which the score decides: give tieWinner")
		case !overruled && given != sport.WinnerNone && decided != sport.WinnerNone && given != decided:
			warn(last, "tieWinner", "is the other side than the one that has won the tie %d:%d", aggregate.Home, aggregate.Away)
		case given == sport.WinnerNone && decided == sport.WinnerNone && p.complete():
			warn(last, "tieWinner", "nobody has won the tie, though its matches are finished: give tieWinner, or the match that decides it")
		}
		if before := finished[:len(finished)-1]; p.rules.BestOf > 0 && p.seriesWinner(p.matchesWon(before)) != sport.WinnerNone {
			warn(last, "round", "is a match of a series that was decided before, best of %d", p.rules.BestOf)
		} else if p.rules.BestOf == 0 && len(finished) > 2 && p.goals(before).Lead() != 0 {
			warn(last, "round", "is match %d of a tie that was decided before: a series needs rules.ties.bestOf", len(finished))
		} else if rules.Ties == nil && rules.Sport != "" && p.maySeries() {
			warn(last, "leg", "is added to the match before: give rules.ties.bestOf if they are of a series, else mark them as legs, or give ties without it")
		}
	}
	return found
}

// maySeries reports whether two matches that nothing marks as legs are each won by a side.
func (p pair) maySeries() bool {
	return len(p.finished) == 2 && !slices.ContainsFunc(p.finished, func(m *sport.Match) bool {
		return m.TwoLegs || m.Leg != 0 || m.TieWinner != "" || m.Score.Lead() == 0
	})
}

// complete reports whether a tie has had all matches that it can have.
func (p pair) complete() bool {
	if p.rules.BestOf > 0 {
		return len(p.finished) >= p.rules.BestOf
	}
	return p.over()
}
