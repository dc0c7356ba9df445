package loader

import (
	"cmp"
	"slices"

	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// fixtures projects the matches of a match's teams by quarter, of each team once
// a load: they are the same for all affected matches of the team.
func (p *projector) fixtures(match sport.ID) error {
	for _, v := range []view{before, after} {
		m := p.world.matches.at(v, match)
		if m == nil {
			continue
		}
		for _, team := range []sport.ID{m.HomeTeamID, m.AwayTeamID} {
			if _, again := p.scheduled[team]; again {
				continue
			}
			if p.scheduled == nil {
				p.scheduled = set[sport.ID]{}
			}
			p.scheduled.add(team)
			for _, of := range []view{before, after} {
				if err := p.fixturesIn(of, team); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (p *projector) fixturesIn(v view, team sport.ID) error {
	quarters := map[int][]records.Match{}
	p.world.fixtures.each(v, team, func(id sport.ID) {
		if e := p.world.listed(v, id); e != nil && !e.Hidden {
			q := records.Quarter(e.Kickoff)
			quarters[q] = append(quarters[q], e.Match)
		}
	})
	for q, matches := range quarters {
		slices.SortFunc(matches, func(a, b records.Match) int {
			return cmp.Or(cmp.Compare(a.Kickoff, b.Kickoff), cmp.Compare(a.ID, b.ID))
		})
		record, err := records.NewFixtures(matches, p.packer.deflate)
		if err != nil {
			return err
		}
		p.items.put(v, records.FixturesKey(team, q), "", "", record)
	}
	return nil
}
