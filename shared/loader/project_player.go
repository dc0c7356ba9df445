package loader

import (
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

func (p *projector) player(id sport.ID) {
	for _, v := range []view{before, after} {
		if x := p.world.players.at(v, id); x != nil {
			p.playerIn(v, x)
		}
	}
}

func (p *projector) playerIn(v view, x *player) {
	t := p.world.teams.at(v, x.TeamID)
	if t == nil {
		return // a broken reference, refused before anything is projected
	}
	ctx := p.world.teamContext(v, t)
	hidden := x.Visibility != sport.Public || !t.public()
	scope := ctx.scope
	scope.Hidden = hidden
	entry := records.PlayerEntry{
		Player: records.Player{
			ID: x.ID, Name: x.Name, Number: x.Number, Position: x.Position,
			Photo: x.Photo, Team: teamRef(t),
		},
		Inactive: x.Status == sport.Inactive, Hidden: hidden,
	}
	if ctx.competition != nil && ctx.competition.public() {
		entry.Season = t.Season
	}
	record := &records.PlayerRecord{
		Owner: t.OrganizationID, Competition: t.CompetitionID,
		Player: entry.Player, Scope: scope, Status: x.Status, Visibility: x.Visibility,
		Season: t.Season, Lineups: x.lineups,
	}
	if ctx.owner != nil {
		record.OwnerReach = ctx.owner.reach
	}
	p.items.put(v, records.PlayerKey(x.ID), sport.KindPlayer, x.ID, record)
	p.id(v, records.Everything(sport.KindPlayer), x.ID)
	p.shelves.squads.put(v, records.Squad(t.ID), records.NumberKey(x.Number, x.ID), &entry)
	if hidden {
		return
	}
	nameKey := p.names.key(x.Name, x.ID)
	current := p.tournaments(v, x, ctx, nameKey, &entry)
	if ctx.listed {
		orders(p.shelves.playersByID, p.shelves.playersByName, v, records.IDKey(x.ID), nameKey, &entry,
			func(order records.Order) []string { return playerLists(x, ctx, current, order) })
	}
}

// tournaments puts the player on the lists of the competitions it belongs to:
// its team's, and those in whose line-ups it is (dataset.md). It returns those
// whose season is the current one.
func (p *projector) tournaments(v view, x *player, ctx teamContext, nameKey []byte, entry *records.PlayerEntry) []sport.ID {
	var current []sport.ID
	join := func(c *competition) {
		if c == nil || !c.public() {
			return
		}
		p.shelves.playersByName.put(v, records.TournamentPlayers(c.ID, c.tag()), nameKey, entry)
		if c.current {
			current = append(current, c.ID)
		}
	}
	join(ctx.competition)
	for _, id := range x.lineups {
		if c := p.world.competitions.at(v, id); c != ctx.competition {
			join(c)
		}
	}
	return current
}

func playerLists(x *player, ctx teamContext, competitions []sport.ID, order records.Order) []string {
	lists := []string{records.PlayersOfTeam(x.TeamID, order)}
	for _, variant := range []records.Variant{records.All, records.Variant(x.Status)} {
		lists = append(lists, records.PlayersOf(ctx.owner.ID, order, variant))
		for _, r := range ctx.owner.listedRanges() {
			lists = append(lists, records.PlayersBelow(r, order, variant))
		}
	}
	for _, c := range competitions {
		for _, r := range ctx.owner.ranges() {
			lists = append(lists, records.PlayersEntered(c, r, order))
		}
	}
	return lists
}
