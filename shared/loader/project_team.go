package loader

import (
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

func (p *projector) team(id sport.ID) {
	for _, v := range []view{before, after} {
		if t := p.world.teams.at(v, id); t != nil {
			p.teamIn(v, t)
		}
	}
}

// teamContext is what a team's answers depend on beside itself.
type teamContext struct {
	owner       *organization // nil: none
	competition *competition  // nil: none
	scope       records.Scope
	listed      bool // in organization lists (D37, D38)
}

func (w *world) teamContext(v view, t *team) teamContext {
	c := teamContext{owner: w.organizations.at(v, t.OrganizationID)}
	scopes := []records.Scope{c.owner.ownerScope()}
	if t.CompetitionID != "" {
		c.competition = w.competitions.at(v, t.season())
	}
	if c.competition != nil && c.competition.public() {
		scopes = append(scopes, w.organizations.at(v, c.competition.OrganizationID).ownerScope())
	}
	c.scope = union(scopes...)
	c.scope.Hidden = !t.public()
	c.listed = c.owner != nil && t.public() && (t.CompetitionID == "" || c.competition != nil && c.competition.current)
	return c
}

func (p *projector) teamIn(v view, t *team) {
	ctx := p.world.teamContext(v, t)
	entry := records.TeamEntry{Team: teamEntry(t, ctx), Hidden: !t.public()}
	record := &records.TeamRecord{
		Team: entry.Team, Scope: ctx.scope,
		Owner: t.OrganizationID, Competition: t.CompetitionID, Group: t.GroupID,
		Gender: t.Gender, Visibility: t.Visibility, Listed: ctx.listed,
	}
	if ctx.owner != nil {
		record.OwnerReach = ctx.owner.reach
		if ctx.owner.public() {
			record.Club = &records.ClubRef{ID: ctx.owner.ID, Name: ctx.owner.Name, Logo: ctx.owner.Logo}
		}
		if ctx.owner.Type == sport.Club {
			p.shelves.clubEntries.put(v, records.ClubEntries(ctx.owner.ID), p.shelves.clubEntries.kind.Key(entry), &entry)
		}
	}
	if ctx.competition != nil && ctx.competition.public() {
		ref := competitionRef(ctx.competition)
		record.In = &ref
	}
	p.items.put(v, records.TeamKey(t.ID), sport.KindTeam, t.ID, record)
	p.id(v, records.Everything(sport.KindTeam), t.ID)
	if t.OrganizationID != "" {
		p.id(v, records.OwnedTeams(t.OrganizationID), t.ID)
	}
	nameKey := p.names.key(t.Name, t.ID)
	if ctx.competition != nil {
		p.shelves.teamsByName.put(v, records.TournamentTeams(t.CompetitionID, ctx.competition.tag()), nameKey, &entry)
	}
	if ctx.listed {
		orders(p.shelves.teamsByID, p.shelves.teamsByName, v, records.IDKey(t.ID), nameKey, &entry,
			func(order records.Order) []string { return teamLists(t, ctx, order) })
	}
}

func teamLists(t *team, ctx teamContext, order records.Order) []string {
	var lists []string
	for _, variant := range []records.Variant{records.All, records.Variant(t.Status)} {
		lists = append(lists, records.TeamsOf(ctx.owner.ID, order, variant))
		for _, r := range ctx.owner.listedRanges() {
			lists = append(lists, records.TeamsBelow(r, order, variant))
		}
	}
	if ctx.competition != nil && ctx.competition.public() {
		for _, r := range ctx.owner.ranges() {
			lists = append(lists, records.TeamsEntered(t.CompetitionID, r, order))
		}
	}
	return lists
}

// teamEntry leaves out what is not to be named: a hidden organization or
// competition (D40).
func teamEntry(t *team, ctx teamContext) records.Team {
	entry := records.Team{
		TeamRef: teamRef(t), Season: t.Season, Status: t.Status,
		StartingPoints: t.StartingPoints, Seed: t.Seed,
	}
	if ctx.owner != nil && ctx.owner.public() {
		entry.OrganizationID = t.OrganizationID
	}
	if ctx.competition != nil && ctx.competition.public() {
		entry.CompetitionID = t.CompetitionID
		if name := groupName(ctx.competition, t.GroupID); name != "" {
			entry.GroupID, entry.GroupName = t.GroupID, name
		}
	}
	return entry
}
