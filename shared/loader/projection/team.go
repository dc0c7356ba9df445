package projection

import (
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/statistics"
	"touchline/shared/store/records"
)

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

func (p *Projector) team(v world.View, t *world.Team) {
	p.teamSeasons(v, t)
	ctx := p.teamContext(v, t)
	entry := records.TeamEntry{Team: teamEntry(t, ctx), Hidden: !t.Public()}
	record := &records.TeamRecord{
		Team: entry.Team, Scope: ctx.scope, Key: t.Key,
		Owner: t.OrganizationID, Competition: t.CompetitionID, Group: t.GroupID,
		Gender: t.Gender, Visibility: t.Visibility, HidesPlayers: t.HidesPlayers, Listed: ctx.listed,
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

// teamSeasons projects what a team's finished matches add up to, by season.
func (p *Projector) teamSeasons(v world.View, t *world.Team) {
	if !t.Public() {
		return
	}
	bySeason := map[int][]statistics.TeamGame{}
	for m := range p.World.Fixtures.In(v, t.ID) {
		if e := p.World.Listed(v, m); e != nil && !e.Hidden && e.Status == sport.Finished {
			bySeason[e.Season] = append(bySeason[e.Season], p.teamGame(v, e))
		}
	}
	sum := func(games []statistics.TeamGame) records.TeamSeason { return p.teamSeason(v, t.ID, games) }
	if record := seasonsOf(p, v, t, bySeason, refOfGame, sum); record != nil {
		p.Items.Put(v, records.TeamSeasonsKey(t.ID), record)
	}
}

func refOfGame(g *statistics.TeamGame) matchRef {
	return matchRef{world.SeasonID{ID: g.Match.CompetitionID, Season: g.Match.Season}, g.Match.HomeTeamID, g.Match.AwayTeamID}
}

func (p *Projector) teamGame(v world.View, e *records.MatchEntry) statistics.TeamGame {
	game := statistics.TeamGame{Match: *world.DecodeOutcome(e)}
	if c := p.World.Competitions.At(v, world.SeasonID{ID: game.Match.CompetitionID, Season: game.Match.Season}); c != nil {
		game.Rules = c.Rules
	}
	if all := p.World.Contributions(v, []sport.ID{e.ID}); len(all) > 0 {
		game.Contribution = all[0]
	}
	return game
}

func (p *Projector) teamSeason(v world.View, id sport.ID, games []statistics.TeamGame) records.TeamSeason {
	s := statistics.OfTeam(id, games)
	record := records.TeamSeason{
		Overall: s.Overall, Home: s.Home, Away: s.Away,
		BiggestWin: p.shownMatch(v, s.BiggestWin), BiggestLoss: p.shownMatch(v, s.BiggestLoss),
		Yellow: s.Cards.Yellow, SecondYellow: s.Cards.SecondYellow, Red: s.Cards.Red,
	}
	for _, o := range s.Form {
		record.Form = append(record.Form, o.Letter())
	}
	if s.Streak != nil {
		record.StreakType, record.StreakLength = string(s.Streak.Type), s.Streak.Length
	}
	for _, b := range s.GoalsByBand {
		record.GoalsFor = append(record.GoalsFor, b.For)
		record.GoalsAgainst = append(record.GoalsAgainst, b.Against)
	}
	for _, c := range s.Competitions {
		if in := p.World.Competitions.At(v, world.SeasonID{ID: c.CompetitionID, Season: c.Season}); in != nil {
			record.ByCompetition = append(record.ByCompetition, records.TeamCompetition{
				Competition: records.CompetitionRefOf(&in.Competition), Overall: c.Overall,
			})
		}
	}
	return record
}
