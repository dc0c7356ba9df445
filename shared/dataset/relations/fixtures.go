package relations

import (
	"bytes"
	"cmp"
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

// fixture is what distinguishes one fixture from another.
type fixture struct {
	home, away ids.Packed
	in         int32 // the set's matches, below 0: the stored ones, from their end
	round      int32 // 0: it may be there again
	given      int32 // the round as it is given; below 0: the match is postponed
	season     season
	kickoff    int64 // in milliseconds
}

func (o *oddities) fixture(m *sport.Match, in int) fixture {
	f := fixture{ids.Pack(m.HomeTeamID), ids.Pack(m.AwayTeamID), int32(in), int32(m.Round), int32(m.Round), seasonOf(m.CompetitionID, m.Season), m.Kickoff.UnixMilli()} //nolint:gosec // matches are counted in millions
	c := o.season(m.CompetitionID, m.Season)
	if m.CompetitionID == "" || m.Status == sport.Postponed || c != nil && (!inLeague(m, c) || c.Type == sport.Cup && len(c.Groups) == 0) {
		f.round = 0
	}
	if m.Status == sport.Postponed {
		f.given = -1
	}
	return f
}

// differ reports whether two matches are meant to be two: one is postponed, or each gives a
// round of its own.
func (f fixture) differ(from fixture) bool {
	return f.given < 0 || from.given < 0 || f.given > 0 && from.given > 0 && f.given != from.given
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
			if near := apart < sameFixture.Milliseconds(); near || a.round > 0 && a.round == b.round && a.season == b.season {
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
	if near {
		o.name(m.Origin, "id", "is the same fixture as %s: the same teams within a day", o.called(sport.KindMatch, id))
		return
	}
	o.name(m.Origin, "id", "%q is the same fixture as %s: the same teams in round %d", m.Key, o.called(sport.KindMatch, id), a.round)
}

// pairing is a home and an away team of a season.
type pairing struct {
	season
	home, away ids.Packed
}

// meetings are those of a pairing: how many, and the last of them among the set's matches.
type meetings struct{ times, last int32 }

// meets notes a match of a league, nil for one that is not known.
func (o *oddities) meets(at int, m *sport.Match, c *sport.Competition) {
	if m.CompetitionID == "" || m.Leg > 0 || c != nil && (c.Type != sport.League || c.Stage != sport.Regular) {
		return
	}
	p := pairing{seasonOf(m.CompetitionID, m.Season), ids.Pack(m.HomeTeamID), ids.Pack(m.AwayTeamID)}
	o.met[p] = meetings{o.met[p].times + 1, int32(at)} //nolint:gosec // matches are counted in millions
}

// returns warns of two teams of a league that meet twice at one home, where the others
// meet at both: home and away are the other way round in one of them.
func (o *oddities) returns() {
	both, wrong := map[season]int{}, map[season][]int{}
	for p, of := range o.met {
		switch back := o.met[pairing{p.season, p.away, p.home}]; {
		case of.times == 1 && back.times == 1:
			both[p.season]++ // counted from each side
		case of.times == 2 && back.times == 0:
			wrong[p.season] = append(wrong[p.season], int(of.last))
		}
	}
	for of, matches := range wrong {
		if both[of] < 4 || len(matches) > max(1, both[of]/20) {
			continue
		}
		for _, at := range matches {
			m := o.set.Matches.At(at)
			o.name(m.Origin, "homeTeamId", "%s is host of both matches against %s: are home and away the other way round in one of them?",
				o.called(sport.KindTeam, m.Value.Base.HomeTeamID), o.called(sport.KindTeam, m.Value.Base.AwayTeamID))
		}
	}
}
