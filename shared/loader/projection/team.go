package projection

import (
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

func (p *Projector) team(id sport.ID) {
	for v, t := range p.World.Teams.Views(id) {
		p.teamIn(v, t)
	}
}

// teamContext is what a team's responses depend on besides the team.
type teamContext struct {
	owner       *world.Organization // nil: none
	competition *world.Competition  // nil: none
	scope       records.Scope
	listed      bool // in organization lists (D37, D38)
}

func (p *Projector) teamContext(v world.View, t *world.Team) teamContext {
	w := p.World
	c := teamContext{owner: w.Organizations.At(v, t.OrganizationID), competition: w.Competitions.At(v, t.SeasonID())}
	scopes := []records.Scope{c.owner.OwnerScope()}
	if c.competition != nil && c.competition.Public() {
		scopes = append(scopes, w.Organizations.At(v, c.competition.OrganizationID).OwnerScope())
	}
	c.scope = world.Union(scopes...)
	c.scope.Hidden = !t.Public()
	c.listed = c.owner != nil && t.Public() && (t.CompetitionID == "" || c.competition != nil && c.competition.IsCurrent)
	return c
}

func (p *Projector) teamIn(v world.View, t *world.Team) {
	ctx := p.teamContext(v, t)
	entry := records.TeamEntry{Team: teamEntry(t, ctx), Hidden: !t.Public()}
	record := &records.TeamRecord{
		Team: entry.Team, Scope: ctx.scope, Key: t.Key,
		Owner: t.OrganizationID, Competition: t.CompetitionID, Group: t.GroupID,
		Gender: t.Gender, Visibility: t.Visibility, Listed: ctx.listed,
	}
	if ctx.owner != nil {
		record.OwnerReach = ctx.owner.Reach
		if ctx.owner.Public() {
			record.Club = &records.ClubRef{ID: ctx.owner.ID, Name: ctx.owner.Name, Logo: ctx.owner.Logo}
		}
		if ctx.owner.Type == sport.Club {
			club := entry
			club.Archived = ctx.competition != nil && !ctx.competition.IsCurrent
			p.Lists.ClubEntries.Put(v, records.ClubEntries(ctx.owner.ID), p.Lists.ClubEntries.Key(club), &club)
		}
	}
	if ctx.competition != nil && ctx.competition.Public() {
		ref := records.CompetitionRefOf(&ctx.competition.Competition)
		record.In = &ref
	}
	p.Items.Put(v, records.TeamKey(t.ID), record)
	p.id(v, records.Everything(sport.KindTeam), t.ID)
	if t.OrganizationID != "" {
		p.id(v, records.OwnedTeams(t.OrganizationID), t.ID)
	}
	nameKey := p.Names.Key(t.Name, t.ID)
	if ctx.competition != nil {
		p.Lists.TeamsByName.Put(v, records.TournamentTeams(t.CompetitionID, ctx.competition.Tag()), nameKey, &entry)
	}
	if ctx.listed {
		var entered []sport.ID
		if ctx.competition != nil && ctx.competition.Public() {
			entered = []sport.ID{t.CompetitionID}
		}
		orders(p.Lists.TeamsByID, p.Lists.TeamsByName, v, records.IDKey(t.ID), nameKey, &entry,
			func(order records.Order) []records.List[records.TeamEntry] {
				return ofOwner(records.Teams, ctx.owner, entered, order)
			})
	}
}

// teamEntry leaves out what is not to be named: a hidden organization or
// competition (D40).
func teamEntry(t *world.Team, ctx teamContext) records.Team {
	entry := records.Team{
		TeamRef: records.TeamRefOf(&t.Team), Season: t.Season, Status: t.Status,
		StartingPoints: t.StartingPoints, Seed: t.Seed,
	}
	if ctx.owner != nil && ctx.owner.Public() {
		entry.OrganizationID = t.OrganizationID
	}
	if ctx.competition != nil && ctx.competition.Public() {
		entry.CompetitionID = t.CompetitionID
		if name := world.GroupName(ctx.competition, t.GroupID); name != "" {
			entry.GroupID, entry.GroupName = t.GroupID, name
		}
	}
	return entry
}
