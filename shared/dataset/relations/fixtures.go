package relations

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"time"

	"touchline/shared/dataset/ids"
	"touchline/shared/sport"
)

// Two matches of the same teams are one fixture under two ids if their kick-offs are as
// near as this, or in one round of a season.
const (
	sameFixture = 24 * time.Hour
	sameRound   = 60 * 24 * time.Hour
)

// fixture is a match as others are compared with it.
type fixture struct {
	home, away ids.Packed
	in         int32 // the set's matches, below 0: the stored ones, from their end
	round      int32
	season     season
	kickoff    int64 // in milliseconds
	open       bool  // its time of day is
	unset      bool  // it is postponed, or its kick-off not known
	once       bool  // its round does not have it again
	inLeague   bool  // it is of a round of a league
	regular    bool  // it is of a league before playoffs, as far as is known
}

func (o *oddities) fixture(m *sport.Match, in int) fixture {
	f := fixture{
		home: ids.Pack(m.HomeTeamID), away: ids.Pack(m.AwayTeamID), in: int32(in), round: int32(m.Round), //nolint:gosec // matches are counted in millions
		season: seasonOf(m.CompetitionID, m.Season), kickoff: m.Kickoff.UnixMilli(), open: m.KickoffTimeOpen, unset: m.Status == sport.Postponed || m.Kickoff.IsZero(),
	}
	c := o.season(m.CompetitionID, m.Season)
	league := c != nil && c.Type == sport.League
	f.once = m.CompetitionID != "" && m.Round > 0 && !f.unset && (c == nil || inLeague(m, c) && (c.Type != sport.Cup || len(c.Groups) > 0))
	f.inLeague = league && inLeague(m, c)
	f.regular = m.CompetitionID != "" && m.Leg == 0 && (c == nil || league && c.Stage == sport.Regular)
	return f
}

// differ reports whether two matches are meant to be two: one is postponed, or each gives a
// round of its own.
func (f fixture) differ(from fixture) bool {
	return f.unset || from.unset || f.round > 0 && from.round > 0 && f.round != from.round
}

// fixtures warns of one fixture under two ids: the same teams, the same one at
// home, within a day, or in the same round (D86).
func (o *oddities) fixtures(all []fixture) {
	slices.SortFunc(all, func(a, b fixture) int {
		return cmp.Or(bytes.Compare(a.home[:], b.home[:]), bytes.Compare(a.away[:], b.away[:]), cmp.Compare(a.kickoff, b.kickoff), cmp.Compare(a.in, b.in))
	})
	const most = 50 // that are looked at for each
	for i, b := range all {
		for j := i - 1; j >= max(0, i-most); j-- {
			a := all[j]
			apart := b.kickoff - a.kickoff
			if a.home != b.home || a.away != b.away || apart >= sameRound.Milliseconds() {
				break
			}
			if a.differ(b) {
				continue
			}
			if near := apart < sameFixture.Milliseconds(); near || a.once && b.once && a.round == b.round && a.season == b.season {
				o.twice(a, b, near)
				break
			}
		}
	}
}

// twice warns of two matches that are one fixture, in the later line.
func (o *oddities) twice(a, b fixture, near bool) {
	in, first := int(max(a.in, b.in)), int(min(a.in, b.in))
	if in < 0 {
		return
	}
	var id sport.ID
	if first < 0 {
		id = o.stored.Matches[len(o.stored.Matches)+first].ID
	} else {
		id = o.set.Matches.At(first).ID
	}
	m := o.set.Matches.At(in)
	when := "within a day"
	if !near {
		when = fmt.Sprintf("in round %d", a.round)
	}
	o.name(m.Origin, "id", "is the same fixture as %s: the same teams %s", o.called(sport.KindMatch, id), when)
}

// returns warns of two teams of a league that meet twice at one home, where the others
// meet at both: home and away are the other way round in one of them.
func (o *oddities) returns(all []fixture) {
	type pairing struct {
		season
		home, away ids.Packed
	}
	met := map[pairing][]int32{} // of the set's matches
	for _, f := range all {
		if p := (pairing{f.season, f.home, f.away}); f.in >= 0 && f.regular {
			met[p] = append(met[p], f.in)
		}
	}
	both, wrong := map[season]int{}, map[season][]int32{}
	for p, of := range met {
		switch back := met[pairing{p.season, p.away, p.home}]; {
		case len(of) == 1 && len(back) == 1:
			both[p.season]++ // counted from each side
		case len(of) == 2 && len(back) == 0:
			wrong[p.season] = append(wrong[p.season], slices.Max(of))
		}
	}
	for of, matches := range wrong {
		if both[of] < 4 || len(matches) > max(1, both[of]/20) {
			continue
		}
		for _, at := range matches {
			m := o.set.Matches.At(int(at))
			o.name(m.Origin, "homeTeamId", "%s is host of both matches against %s: are home and away the other way round in one of them?",
				o.called(sport.KindTeam, m.Value.Base.HomeTeamID), o.called(sport.KindTeam, m.Value.Base.AwayTeamID))
		}
	}
}
