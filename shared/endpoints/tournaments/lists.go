package tournaments

import (
	"context"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/wire"
	"touchline/shared/route"
	"touchline/shared/store/reader"
)

// matches is /v1/tournaments/{id}/matches.
func (e Endpoints) matches(ctx context.Context, call route.Call, p endpoints.MatchesParams) (route.ListIn[wire.Competition, wire.Match], error) {
	page, err := e.Sports.CompetitionMatches(ctx, call.Viewer(), call.ID, p.Filter(), p.Offset(), p.Limit)
	return listIn(page, err, wire.MatchEntryOf, p.Paging, nil)
}

// teams is /v1/tournaments/{id}/teams.
func (e Endpoints) teams(ctx context.Context, call route.Call, p pageParams) (route.List[wire.ListedTeam], error) {
	page, err := e.Sports.CompetitionTeams(ctx, call.Viewer(), call.ID, p.Season.Season, p.Offset(), p.Limit)
	return route.ListOf(page.Entries, wire.ListedTeamOf, p.Paging, page.Total), err
}

// players is /v1/tournaments/{id}/players.
func (e Endpoints) players(ctx context.Context, call route.Call, p pageParams) (route.List[wire.ListedPlayer], error) {
	page, err := e.Sports.CompetitionPlayers(ctx, call.Viewer(), call.ID, p.Season.Season, p.Offset(), p.Limit)
	return route.ListOf(page.Entries, e.Players.Listed, p.Paging, page.Total), err
}

// scorers is /v1/tournaments/{id}/top-scorers.
func (e Endpoints) scorers(ctx context.Context, call route.Call, p scorersParams) (route.ListIn[wire.Competition, wire.Scorer], error) {
	page, err := e.Sports.TopScorers(ctx, call.Viewer(), call.ID, p.Season.Season, string(p.Type), p.Offset(), p.Limit)
	return listIn(page, err, e.Players.Scorer, p.Paging, &route.Meta{Kind: string(p.Type)})
}

// cards is /v1/tournaments/{id}/cards.
func (e Endpoints) cards(ctx context.Context, call route.Call, p cardsParams) (route.ListIn[wire.Competition, wire.Cards], error) {
	page, err := e.Sports.Cards(ctx, call.Viewer(), call.ID, p.Season.Season, string(p.Scope), p.Offset(), p.Limit)
	return listIn(page, err, e.Players.Cards, p.Paging, &route.Meta{Kind: string(p.Scope)})
}

// listIn is a page with its competition, unless reading it failed.
func listIn[E, T any](page reader.SeasonPage[E], err error, show func(*E) T, p route.Paging, meta *route.Meta) (route.ListIn[wire.Competition, T], error) {
	if err != nil {
		return route.ListIn[wire.Competition, T]{}, err
	}
	return route.ListIn[wire.Competition, T]{
		List:        route.ListOf(page.Entries, show, p, page.Total),
		Competition: new(wire.CompetitionOf(page.Competition)),
		Meta:        meta,
	}, nil
}
