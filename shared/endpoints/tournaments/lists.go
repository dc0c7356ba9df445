package tournaments

import (
	"context"

	"touchline/shared/endpoints/fixtures"
	"touchline/shared/endpoints/wire"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// matches is /v1/tournaments/{id}/matches.
func (e Endpoints) matches(ctx context.Context, call route.Call, p matchesParams) (route.ListIn[wire.Competition, wire.Match], error) {
	request := pagedlist.Request[records.MatchEntry]{Offset: p.Offset(), Limit: p.Limit}
	request.From, request.To = fixtures.Within(p.TimeRange)
	variant := records.Variant(p.Status)
	s, page, err := readList(ctx, e, call, p.Season, records.MatchKind(), request, func(id sport.ID, tag records.Tag) string {
		return records.TournamentMatches(id, tag, variant)
	})
	if err != nil {
		return route.ListIn[wire.Competition, wire.Match]{}, err
	}
	items := make([]wire.Match, 0, len(page.Entries))
	for i := range page.Entries {
		items = append(items, wire.MatchOf(&page.Entries[i].Match))
	}
	summary := wire.CompetitionOf(s.summary)
	return route.ListIn[wire.Competition, wire.Match]{
		List: route.NewList(items, p.Paging, page.Total), Competition: &summary,
	}, nil
}

// teams is /v1/tournaments/{id}/teams.
func (e Endpoints) teams(ctx context.Context, call route.Call, p pageParams) (route.List[wire.ListedTeam], error) {
	request := pagedlist.Request[records.TeamEntry]{Offset: p.Offset(), Limit: p.Limit}
	_, page, err := readList(ctx, e, call, p.Season, records.TeamKind(nil), request, records.TournamentTeams)
	if err != nil {
		return route.List[wire.ListedTeam]{}, err
	}
	items := make([]wire.ListedTeam, 0, len(page.Entries))
	for i := range page.Entries {
		items = append(items, wire.ListedTeamOf(&page.Entries[i]))
	}
	return route.NewList(items, p.Paging, page.Total), nil
}

// players is /v1/tournaments/{id}/players.
func (e Endpoints) players(ctx context.Context, call route.Call, p pageParams) (route.List[wire.ListedPlayer], error) {
	request := pagedlist.Request[records.PlayerEntry]{Offset: p.Offset(), Limit: p.Limit}
	_, page, err := readList(ctx, e, call, p.Season, records.PlayerKind(nil), request, records.TournamentPlayers)
	if err != nil {
		return route.List[wire.ListedPlayer]{}, err
	}
	items := make([]wire.ListedPlayer, 0, len(page.Entries))
	for i := range page.Entries {
		items = append(items, e.Players.Listed(&page.Entries[i]))
	}
	return route.NewList(items, p.Paging, page.Total), nil
}

// readList reads a part of a season's list: its record and the head of the list
// in one round trip, the page in another.
func readList[T any](
	ctx context.Context, e Endpoints, call route.Call, asked route.Season,
	kind pagedlist.Kind[T], request pagedlist.Request[T], name func(sport.ID, records.Tag) string,
) (season, *records.Page[T], error) {
	id := sport.ID(call.ID)
	s, err := e.find(ctx, call, asked, func(tag records.Tag) []store.Key { return pagedlist.HeadKeys(name(id, tag), false) })
	if err != nil {
		return season{}, nil, err
	}
	request.List = name(id, s.tag)
	page := &records.Page[T]{Kind: kind, Request: request}
	return s, page, s.snap.Read(ctx, page)
}
