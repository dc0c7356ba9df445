package projection

import (
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

func (p *Projector) player(id sport.ID) {
	for v, x := range p.World.Players.Views(id) {
		if t := p.World.Teams.At(v, x.TeamID); t != nil { // a broken reference is refused before
			p.playerIn(v, x, t)
		}
	}
}

func (p *Projector) playerIn(v world.View, x *world.Player, t *world.Team) {
	ctx := p.teamContext(v, t)
	hidden := x.Visibility != sport.Public || !t.Public()
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
		Season: t.Season, Lineups: x.Lineups, PlayerSums: p.playerSums(v, x, t), FormerNumbers: x.FormerNumbers,
	}
	if ctx.owner != nil {
		record.OwnerReach = ctx.owner.Reach
	}
	p.Items.Put(v, records.PlayerKey(x.ID), record)
	if p.affected.Players.Has(x.ID) {
		p.inLists(v, x, ctx, &entry)
	}
}

// inLists puts the player on its lists.
func (p *Projector) inLists(v world.View, x *world.Player, ctx teamContext, entry *records.PlayerEntry) {
	p.id(v, records.Everything(sport.KindPlayer), x.ID)
	p.Lists.Squads.Put(v, records.Squad(x.TeamID), records.NumberKey(x.Number, x.ID), entry)
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
