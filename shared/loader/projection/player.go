package projection

import (
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/statistics"
	"touchline/shared/store/records"
)

func (p *Projector) player(v world.View, x *world.Player) {
	t := p.World.Teams.At(v, x.TeamID)
	if t == nil {
		return // a broken reference is refused before
	}
	ctx := p.teamContext(v, t)
	hidden := !p.World.Visible(v, x)
	scope := ctx.scope
	scope.Hidden = hidden
	entry := records.PlayerEntry{
		Player:   records.Player{PlayerRef: records.PlayerRefOf(&x.Player), Team: records.TeamRefOf(&t.Team)},
		Inactive: x.Status == sport.Inactive, Hidden: hidden,
	}
	if ctx.competition != nil && ctx.competition.Public() {
		entry.Season = t.Season
	}
	record := &records.PlayerRecord{
		Owner: t.OrganizationID, Competition: t.CompetitionID,
		Player: entry.Player, Scope: scope, Key: x.Key, Status: x.Status, Visibility: x.Visibility,
		Season: t.Season, Lineups: x.Lineups, FormerNumbers: x.FormerNumbers,
	}
	if ctx.owner != nil {
		record.OwnerReach = ctx.owner.Reach
	}
	p.Items.Put(v, records.PlayerKey(x.ID), record)
	if !hidden {
		p.playerSums(v, x, t)
	}
	p.inLists(v, x, ctx, &entry)
}

// inLists puts the player on its lists.
func (p *Projector) inLists(v world.View, x *world.Player, ctx teamContext, entry *records.PlayerEntry) {
	p.id(v, records.Everything(sport.KindPlayer), x.ID)
	p.Lists.Squads.Put(v, records.Squad(x.TeamID), records.NumberKey(x.Number, x.ID), entry)
	if entry.Hidden && ctx.owner != nil {
		p.id(v, records.HiddenPlayers(ctx.owner.ID), x.ID)
	}
	if entry.Hidden {
		return
	}
	nameKey := p.Names.Key(x.Name, x.ID)
	current := p.tournaments(v, x, ctx, nameKey, entry)
	if ctx.listed {
		orders(p.Lists.PlayersByID, p.Lists.PlayersByName, v, records.IDKey(x.ID), nameKey, entry,
			func(order records.Order) []records.List[records.PlayerEntry] {
				return append(ofOwner(records.Players, ctx.owner, current, order), records.PlayersOfTeam(x.TeamID, order))
			})
	}
}

// tournaments puts the player on the lists of the competitions it belongs to:
// its team's, and those in whose line-ups it is (dataset.md). It returns those
// whose season is the current one.
func (p *Projector) tournaments(v world.View, x *world.Player, ctx teamContext, nameKey []byte, entry *records.PlayerEntry) []sport.ID {
	var current []sport.ID
	join := func(c *world.Competition) {
		if c == nil || !c.Public() || c.Rules.HidePlayers {
			return
		}
		p.Lists.PlayersByName.Put(v, records.TournamentPlayers(c.ID, c.Tag()), nameKey, entry)
		if c.IsCurrent {
			current = append(current, c.ID)
		}
	}
	join(ctx.competition)
	for _, id := range x.Lineups {
		if c := p.World.Competitions.At(v, id); c != ctx.competition {
			join(c)
		}
	}
	return current
}

// playerSums is what a player's finished matches add up to, by season (D16, D39).
func (p *Projector) playerSums(v world.View, x *world.Player, t *world.Team) {
	bySeason := map[int][]records.PerformanceEntry{}
	for _, e := range p.World.PlayedBy(v, x.ID) {
		if e.Status == sport.Finished {
			bySeason[e.Season] = append(bySeason[e.Season], e)
		}
	}
	ref := func(e *records.PerformanceEntry) matchRef {
		in := matchRef{season: world.SeasonID{ID: e.Competition, Season: e.Season}}
		if m := p.World.Matches.At(v, e.Match); m != nil {
			in.home, in.away = m.HomeTeamID, m.AwayTeamID
		}
		return in
	}
	sum := func(entries []records.PerformanceEntry) records.PlayerSeason { return p.playerSeason(v, x, entries) }
	if seasons := seasonsOf(p, v, t, bySeason, ref, sum); seasons != nil {
		p.Items.Put(v, records.PlayerSeasonsKey(x.ID), seasons)
	}
}

func (p *Projector) playerSeason(v world.View, x *world.Player, entries []records.PerformanceEntry) records.PlayerSeason {
	games := make([]statistics.PlayerGame, len(entries))
	for i, e := range entries {
		games[i] = statistics.PlayerGame{CompetitionID: e.Competition, Season: e.Season, TeamID: e.Team, Figures: e.Figures}
	}
	sum := statistics.OfPlayer(x.Position, games)
	record := records.PlayerSeason{Totals: sum.Totals}
	for _, c := range sum.Competitions {
		in := p.World.Competitions.At(v, world.SeasonID{ID: c.CompetitionID, Season: c.Season})
		t := p.World.Teams.At(v, c.TeamID)
		if in != nil && t != nil {
			record.Competitions = append(record.Competitions, records.PlayerCompetition{
				Competition: records.CompetitionRefOf(&in.Competition), Team: records.TeamRefOf(&t.Team), Totals: c.Figures,
			})
		}
	}
	return record
}
