package projection

import (
	"cmp"
	"maps"
	"slices"

	"touchline/shared/loader/history"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// competition projects all seasons of a competition at once: that it exists is one fact,
// and which season is current concerns them all, and where their tables and sums lie.
func (p *Projector) competition(id sport.ID) {
	tables := map[int]*records.TableRecord{} // before
	for _, v := range []world.View{world.Before, world.After} {
		var owners, parents world.Set[sport.ID]
		seasons := &records.CompetitionSeasonsRecord{}
		for c := range p.World.SeasonsOf(v, id) {
			owners.Add(c.OrganizationID)
			parents.Add(world.Present([]sport.ID{c.ParentID})...)
			seasons.Seen = addSeason(seasons.Seen, p.competitionIn(v, c), c.Season)
			if !p.affected.Seasons.Has(c.SeasonID()) {
				continue
			}
			p.sums(v, c)
			table := p.tables(v, c)
			// The table of a knockout shows nobody who goes on.
			if was := tables[c.Season]; was != nil && c.Format != sport.FormatKnockout && !c.Rules.NoTable {
				p.Moved = append(p.Moved, history.Moved(records.CompetitionRefOf(&c.Competition), was.Rows, table.Rows)...)
			}
			tables[c.Season] = table
		}
		if len(owners) > 0 {
			p.Items.Put(v, records.CompetitionSeasonsKey(id), seasons)
			p.id(v, records.Everything(sport.KindCompetition), id)
		}
		for owner := range owners {
			p.id(v, records.OwnedCompetitions(owner), id)
		}
		for parent := range parents {
			p.id(v, records.ChildCompetitions(parent), id)
		}
	}
}

// addSeason adds a season to those that the same keys see, unless nobody may see it. The
// earliest comes first.
func addSeason(seen []records.SeenSeasons, scope records.Scope, season int) []records.SeenSeasons {
	if scope.Hidden {
		return seen
	}
	for i := range seen {
		if s := &seen[i]; slices.Equal(s.Owners, scope.Owners) && slices.Equal(s.Reach, scope.Reach) {
			s.Seasons = append(s.Seasons, season)
			return seen
		}
	}
	return append(seen, records.SeenSeasons{Scope: scope, Seasons: []int{season}})
}

// competitionIn projects a season, and returns who may see it.
func (p *Projector) competitionIn(v world.View, c *world.Competition) records.Scope {
	owner := p.World.Organizations.At(v, c.OrganizationID)
	scope := owner.OwnerScope()
	scope.Hidden = !c.Public()
	entry := p.competitionEntry(v, c)
	record := &records.CompetitionRecord{
		Competition: entry, Scope: scope, Key: c.Key,
		Current: c.IsCurrent, GivenFlag: c.Current, Visibility: c.Visibility,
		ParentID: c.ParentID, Format: c.Format, Groups: c.Groups, Rules: c.Rules, Withdrawals: c.Withdrawals,
	}
	p.Items.Put(v, records.CompetitionKey(c.ID, c.Tag()), record)
	p.Items.Put(v, records.SeasonKey(c.ID, c.Season), record.Place())
	if !c.IsCurrent || !c.Public() || owner == nil {
		return scope
	}
	clubs := p.clubsIn(v, c)
	orders(p.Lists.CompetitionsByID, p.Lists.CompetitionsByName, v,
		records.IDKey(c.ID), p.Names.Key(c.Name, c.ID), &entry,
		func(order records.Order) []records.List[records.Competition] {
			return ofOwner(records.Competitions, owner, clubs, order)
		})
	return scope
}

// clubsIn are the clubs by which a competition can be filtered, in id order: those that
// entered a public team, those that own the competition, and the clubs above them (D21).
func (p *Projector) clubsIn(v world.View, c *world.Competition) []sport.ID {
	w := p.World
	owners := world.Set[sport.ID]{c.OrganizationID: {}}
	for id := range w.Entered.In(v, c.SeasonID()) {
		if t := w.Teams.At(v, id); t != nil && t.Public() {
			owners.Add(t.OrganizationID)
		}
	}
	var clubs world.Set[sport.ID]
	for owner := range owners {
		for _, id := range w.Organizations.At(v, owner).OwnerScope().Reach {
			if above := w.Organizations.At(v, id); above != nil && above.Type == sport.Club {
				clubs.Add(id)
			}
		}
	}
	return slices.Sorted(maps.Keys(clubs))
}

func (p *Projector) competitionEntry(v world.View, c *world.Competition) records.Competition {
	entry := records.Competition{
		CompetitionRef: records.CompetitionRefOf(&c.Competition),
		OrganizationID: c.OrganizationID,
		Gender:         c.Gender,
		Completed:      c.Completed,
		HasPlayoff:     len(p.stagesOf(v, c, sport.Playoff)) > 0 || p.showsTies(v, c),
		HasPlayout:     len(p.stagesOf(v, c, sport.Playout)) > 0,
		GroupCount:     len(c.Groups),
	}
	if !c.EndsAt.IsZero() {
		entry.EndsAt = c.EndsAt.Unix()
	}
	return entry
}

// stagesOf are the public playoffs or playouts of a competition's season, those
// of the same season number, in id order (dataset.md, Rules of the parts).
func (p *Projector) stagesOf(v world.View, c *world.Competition, stage sport.Stage) []*world.Competition {
	w := p.World
	var stages []*world.Competition
	for id := range w.Stages.In(v, c.ID) {
		child := w.Competitions.At(v, world.SeasonID{ID: id, Season: c.Season})
		if child != nil && child.ParentID == c.ID && child.Stage == stage && child.Public() {
			stages = append(stages, child)
		}
	}
	slices.SortFunc(stages, func(a, b *world.Competition) int { return cmp.Compare(a.ID, b.ID) })
	return stages
}
