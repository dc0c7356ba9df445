package projection

import (
	"cmp"
	"slices"

	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// fixtures projects the matches of a match's teams by quarter, of each team once
// a load: they are the same for all affected matches of the team.
func (p *Projector) fixtures(match sport.ID) error {
	for _, v := range []world.View{world.Before, world.After} {
		m := p.World.Matches.At(v, match)
		if m == nil {
			continue
		}
		for _, team := range []sport.ID{m.HomeTeamID, m.AwayTeamID} {
			if _, again := p.scheduled[team]; again {
				continue
			}
			if p.scheduled == nil {
				p.scheduled = world.Set[sport.ID]{}
			}
			p.scheduled.Add(team)
			for _, of := range []world.View{world.Before, world.After} {
				if err := p.fixturesIn(of, team); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (p *Projector) fixturesIn(v world.View, team sport.ID) error {
	quarters := map[int][]records.Match{}
	p.World.Fixtures.Each(v, team, func(id sport.ID) {
		if e := p.World.Listed(v, id); e != nil && !e.Hidden {
			q := records.Quarter(e.Kickoff)
			quarters[q] = append(quarters[q], e.Match)
		}
	})
	for q, matches := range quarters {
		slices.SortFunc(matches, func(a, b records.Match) int {
			return cmp.Or(cmp.Compare(a.Kickoff, b.Kickoff), cmp.Compare(a.ID, b.ID))
		})
		record, err := records.NewFixtures(matches)
		if err != nil {
			return err
		}
		p.Items.Put(v, records.FixturesKey(team, q), "", "", record)
	}
	return nil
}
