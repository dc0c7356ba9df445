package teams

import (
	"context"

	"touchline/shared/endpoints/wire"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// reply is the data of team.
type reply struct {
	Team wire.TeamDetail `json:"team"`
}

// team is /v1/teams/{id}.
func (e Endpoints) team(ctx context.Context, call route.Call, _ route.None) (route.Data[reply], error) {
	t, squad, err := e.squad(ctx, call, 0, 0)
	if err != nil {
		return route.Data[reply]{}, err
	}
	return route.Data[reply]{Data: reply{Team: wire.TeamDetailOf(t, squad.Total)}}, nil
}

// players is /v1/teams/{id}/players, by number, then id (D15).
func (e Endpoints) players(ctx context.Context, call route.Call, p route.Paging) (route.List[wire.SquadPlayer], error) {
	_, squad, err := e.squad(ctx, call, p.Offset(), p.Limit)
	if err != nil {
		return route.List[wire.SquadPlayer]{}, err
	}
	items := make([]wire.SquadPlayer, 0, len(squad.Entries))
	for i := range squad.Entries {
		items = append(items, e.Players.Squad(&squad.Entries[i]))
	}
	return route.NewList(items, p, squad.Total), nil
}

// squad reads the team and a part of its players; with limit 0 it counts them.
func (e Endpoints) squad(ctx context.Context, call route.Call, offset, limit int) (*records.TeamRecord, *records.Page[records.PlayerEntry], error) {
	squad := records.Squad(sport.ID(call.ID))
	snap, t, err := e.find(ctx, call, pagedlist.HeadKeys(squad, false)...)
	if err != nil {
		return nil, nil, err
	}
	page := &records.Page[records.PlayerEntry]{Kind: records.SquadKind(), Request: pagedlist.Request[records.PlayerEntry]{
		List: squad, Offset: offset, Limit: limit,
	}}
	return t, page, snap.Read(ctx, page)
}

// statistics is /v1/teams/{id}/statistics: of the season asked for, else of the
// entry's own (D39), as far as its matches are in the key's scope (D24). A season
// without a record has no finished matches (D16).
func (e Endpoints) statistics(ctx context.Context, call route.Call, p route.Season) (route.Data[wire.TeamStatistics], error) {
	tag := records.OwnSeason
	if p.Season != 0 {
		tag = records.SeasonTag(p.Season)
	}
	key := records.TeamSeasonKey(sport.ID(call.ID), tag)
	snap, t, err := e.find(ctx, call, key)
	if err != nil {
		return route.Data[wire.TeamStatistics]{}, err
	}
	numbers, err := records.Record[records.TeamSeasonRecord](snap, key)
	if err != nil {
		return route.Data[wire.TeamStatistics]{}, err
	}
	if numbers == nil {
		numbers = &records.TeamSeasonRecord{}
	}
	seen := numbers.SeenBy(call.Organization, call.Descendants)
	return route.Data[wire.TeamStatistics]{Data: wire.TeamStatisticsOf(&t.TeamRef, p.Season, seen)}, nil
}
