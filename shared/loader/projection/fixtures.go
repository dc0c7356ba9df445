package projection

import (
	"touchline/shared/loader/world"
	"touchline/shared/store/records"
)

// fixtures projects the matches of a match's teams by quarter, of each team and
// quarter once a load: they are the same for all affected matches in them. Those
// that stay as they are stored are left out, since packing them takes time.
func (p *Projector) fixtures(outcomes ...*world.Outcome) error {
	for _, o := range outcomes {
		if o == nil {
			continue
		}
		for _, id := range world.ScheduleOf(o) {
			if p.affected.TeamsAround.Has(id.Team) {
				continue // projected with the team's part
			}
			if p.scheduled.Has(id) {
				continue
			}
			if p.scheduled == nil {
				p.scheduled = world.Set[world.FixturesID]{}
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
			if len(is) == 0 { // there isn't one without matches
				continue
			}
			record, err := records.NewFixtures(is)
			if err != nil {
				return err
			}
			p.Items.Put(world.After, key, record)
		}
	}
	return nil
}
