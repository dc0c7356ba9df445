package projection

import (
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// fixtures projects the matches of a match's teams by quarter, of each team and
// quarter once a load: they are the same for all affected matches in them. Those
// that stay as they are stored are left out, since packing them takes time.
func (p *Projector) fixtures(match sport.ID) {
	for v := range p.World.Matches.Views(match) {
		o := p.World.Outcome(v, match)
		if o == nil {
			continue
		}
		for _, id := range world.ScheduleOf(o) {
			if p.scheduled.Has(id) {
				continue
			}
			p.scheduled.Add(id)
			was, is, changed := p.World.FixturesAt(id)
			if !changed {
				continue
			}
			key := records.FixturesKey(id.Team, id.Quarter)
			if was != nil {
				p.Items.Put(world.Before, key, was)
			}
			if len(is) > 0 {
				p.Items.Put(world.After, key, records.NewFixtures(is))
			}
		}
	}
}
