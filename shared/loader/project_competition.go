package loader

import (
	"maps"
	"slices"

	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// competition projects all seasons of a competition at once: that it exists is
// one fact, and which season is current concerns them all.
func (p *projector) competition(id sport.ID) {
	for _, v := range []view{before, after} {
		owners, parents := map[sport.ID]bool{}, map[sport.ID]bool{}
		p.world.seasons.each(v, id, func(year int) {
			c := p.world.competitions.at(v, season{ID: id, Season: year})
			if c == nil {
				return
			}
			owners[c.OrganizationID] = true
			if c.ParentID != "" {
				parents[c.ParentID] = true
			}
			p.competitionIn(v, c)
		})
		if len(owners) > 0 {
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

func (p *projector) competitionIn(v view, c *competition) {
	owner := p.world.organizations.at(v, c.OrganizationID)
	scope := owner.ownerScope()
	scope.Hidden = !c.public()
	entry := p.world.competitionEntry(v, c)
	record := &records.CompetitionRecord{
		Competition: entry, Scope: scope,
		Current: c.current, GivenFlag: c.Current, Visibility: c.Visibility,
		ParentID: c.ParentID, Format: c.Format, Groups: c.Groups, Rules: c.Rules,
	}
	p.items.put(v, records.CompetitionKey(c.ID, c.tag()), sport.KindCompetition, c.ID, record)
	p.items.put(v, records.SeasonKey(c.ID, c.Season), "", "", record.Place())
	if !c.current || !c.public() || owner == nil {
		return
	}
	orders(p.shelves.competitionsByID, p.shelves.competitionsByName, v,
		records.IDKey(c.ID), p.names.key(c.Name, c.ID), &entry,
		func(order records.Order) []string { return p.competitionLists(v, c, owner, entry, order) })
}

func (p *projector) competitionLists(v view, c *competition, owner *organization, entry records.Competition, order records.Order) []string {
	var lists []string
	for _, variant := range []records.Variant{records.All, records.CompetitionVariant(entry)} {
		lists = append(lists, records.CompetitionsOf(owner.ID, order, variant))
		for _, r := range owner.listedRanges() {
			lists = append(lists, records.CompetitionsBelow(r, order, variant))
		}
	}
	for _, club := range p.world.clubsIn(v, c) {
		for _, r := range owner.ranges() {
			lists = append(lists, records.CompetitionsEntered(club, r, order))
		}
	}
	return lists
}

// clubsIn are the clubs by which a competition can be filtered: those a public
// team of which is entered in it and those that own it, with the clubs above
// them (D21). In id order.
func (w *world) clubsIn(v view, c *competition) []sport.ID {
	clubs := map[sport.ID]bool{}
	add := func(owner sport.ID) {
		o := w.organizations.at(v, owner)
		if o == nil {
			return
		}
		for _, a := range o.reach {
			if above := w.organizations.at(v, a); above != nil && above.Type == sport.Club {
				clubs[a] = true
			}
		}
	}
	add(c.OrganizationID)
	w.entered.each(v, c.identity(), func(id sport.ID) {
		if t := w.teams.at(v, id); t != nil && t.public() && t.OrganizationID != "" {
			add(t.OrganizationID)
		}
	})
	return slices.Sorted(maps.Keys(clubs))
}

func (w *world) competitionEntry(v view, c *competition) records.Competition {
	entry := records.Competition{
		CompetitionRef: competitionRef(c),
		OrganizationID: c.OrganizationID,
		Gender:         c.Gender,
		Completed:      c.Completed,
		HasPlayoff:     len(w.stagesOf(v, c, sport.Playoff)) > 0,
		HasPlayout:     len(w.stagesOf(v, c, sport.Playout)) > 0,
		GroupCount:     len(c.Groups),
	}
	if !c.EndsAt.IsZero() {
		entry.EndsAt = c.EndsAt.Unix()
	}
	return entry
}

// stagesOf are the public playoffs or playouts of a competition's season, those
// of the same season number, in id order (dataset.md, Rules of the parts).
func (w *world) stagesOf(v view, c *competition, stage sport.Stage) []*competition {
	var stages []*competition
	w.stages.each(v, c.ID, func(id sport.ID) {
		child := w.competitions.at(v, season{ID: id, Season: c.Season})
		if child != nil && child.ParentID == c.ID && child.Stage == stage && child.public() {
			stages = append(stages, child)
		}
	})
	slices.SortFunc(stages, func(a, b *competition) int {
		if a.ID < b.ID {
			return -1
		}
		return 1
	})
	return stages
}
