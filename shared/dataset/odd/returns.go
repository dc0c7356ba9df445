package odd

import (
	"bytes"

	"touchline/shared/dataset"
	"touchline/shared/dataset/ids"
	"touchline/shared/sport"
)

// pairing is two teams of a league's season, the one with the lower id first.
type pairing struct {
	in   season
	a, b ids.Packed
}

// meetings are how often each team of a pairing is host, and their last match.
type meetings struct {
	hosts [2]int
	last  int32
}

// returns warns of two teams that meet twice at the same team's home, where the others of
// the league meet at both: home and away are the other way round. It looks at seasons of
// which no match is stored beside those of the set, since a part of a season says little.
func (o *oddities) returns(all []fixture) {
	met, partly := map[pairing]*meetings{}, map[season]bool{}
	for i := range all {
		f := &all[i]
		if !f.league {
			continue
		}
		if f.in < 0 {
			m := &o.stored.Matches[len(o.stored.Matches)+int(f.in)]
			partly[season{m.CompetitionID, m.Season}] = true
			continue
		}
		m := &o.set.Matches.At(int(f.in)).Value.Base
		p, host := pairing{season{m.CompetitionID, m.Season}, f.home, f.away}, 0
		if bytes.Compare(f.home[:], f.away[:]) > 0 {
			p.a, p.b, host = f.away, f.home, 1
		}
		if met[p] == nil {
			met[p] = &meetings{}
		}
		met[p].hosts[host]++
		met[p].last = max(met[p].last, f.in)
	}
	both, one := map[season]int{}, map[season][]*meetings{}
	for p, of := range met {
		switch of.hosts {
		case [2]int{1, 1}:
			both[p.in]++
		case [2]int{2, 0}, [2]int{0, 2}:
			one[p.in] = append(one[p.in], of)
		}
	}
	for in, wrong := range one {
		if partly[in] || both[in] < 2 || len(wrong) > max(1, both[in]/10) {
			continue
		}
		for _, of := range wrong {
			m := o.set.Matches.At(int(of.last))
			o.warn(m.Origin, "homeTeamId", "%s is host of both matches against %s: are home and away the other way round in one of them?",
				dataset.Quoted(sport.KindTeam, o.set.Given(m.Value.Base.HomeTeamID)), dataset.Quoted(sport.KindTeam, o.set.Given(m.Value.Base.AwayTeamID)))
		}
	}
}
