package projection

import (
	"cmp"
	"reflect"
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
			if err := p.fixturesOf(team); err != nil {
				return err
			}
		}
	}
	return nil
}

// fixturesOf leaves out the quarters that are the same in both views: packing them
// is a tenth of the work of a goal.
func (p *Projector) fixturesOf(team sport.ID) error {
	was, is := p.quarters(world.Before, team), p.quarters(world.After, team)
	for q, matches := range was {
		if slices.EqualFunc(matches, is[q], sameFixture) {
			delete(is, q)
			continue
		}
		if err := p.putFixtures(world.Before, team, q, matches); err != nil {
			return err
		}
	}
	for q, matches := range is {
		if err := p.putFixtures(world.After, team, q, matches); err != nil {
			return err
		}
	}
	return nil
}

func sameFixture(a, b records.Match) bool { return reflect.DeepEqual(a, b) }

// quarters are the matches of a team that may be shown, by quarter, in order.
func (p *Projector) quarters(v world.View, team sport.ID) map[int][]records.Match {
	quarters := map[int][]records.Match{}
	p.World.Fixtures.Each(v, team, func(id sport.ID) {
		if e := p.World.Listed(v, id); e != nil && !e.Hidden {
			q := records.Quarter(e.Kickoff)
			quarters[q] = append(quarters[q], e.Match)
		}
	})
	for _, matches := range quarters {
		slices.SortFunc(matches, func(a, b records.Match) int {
			return cmp.Or(cmp.Compare(a.Kickoff, b.Kickoff), cmp.Compare(a.ID, b.ID))
		})
	}
	return quarters
}

func (p *Projector) putFixtures(v world.View, team sport.ID, q int, matches []records.Match) error {
	record, err := records.NewFixtures(matches)
	if err != nil {
		return err
	}
	p.Items.Put(v, records.FixturesKey(team, q), "", "", record)
	return nil
}
