package tournaments

import (
	"context"

	"touchline/shared/endpoints/wire"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// scorers is /v1/tournaments/{id}/top-scorers, by rank (D27).
func (e Endpoints) scorers(ctx context.Context, call route.Call, p scorersParams) (route.ListIn[wire.Competition, wire.Scorer], error) {
	request := pagedlist.Request[records.ScorerEntry]{Offset: p.Offset(), Limit: p.Limit}
	s, page, err := readList(ctx, e, call, p.Season, records.ScorerKind(nil), request, func(id sport.ID, tag records.Tag) string {
		return records.TopScorers(id, tag, records.Ranking(p.Type))
	})
	if err != nil {
		return route.ListIn[wire.Competition, wire.Scorer]{}, err
	}
	items := make([]wire.Scorer, 0, len(page.Entries))
	for i := range page.Entries {
		items = append(items, e.Players.Scorer(&page.Entries[i]))
	}
	return ranked(s, route.NewList(items, p.Paging, page.Total), string(p.Type)), nil
}

// cards is /v1/tournaments/{id}/cards, by rank (D27).
func (e Endpoints) cards(ctx context.Context, call route.Call, p cardsParams) (route.ListIn[wire.Competition, wire.Cards], error) {
	request := pagedlist.Request[records.CardEntry]{Offset: p.Offset(), Limit: p.Limit}
	s, page, err := readList(ctx, e, call, p.Season, records.CardKind(nil), request, func(id sport.ID, tag records.Tag) string {
		return records.Cards(id, tag, records.Ranking(p.Scope))
	})
	if err != nil {
		return route.ListIn[wire.Competition, wire.Cards]{}, err
	}
	items := make([]wire.Cards, 0, len(page.Entries))
	for i := range page.Entries {
		items = append(items, e.Players.Cards(&page.Entries[i]))
	}
	return ranked(s, route.NewList(items, p.Paging, page.Total), string(p.Scope)), nil
}

// ranked is a page of a ranking, with its competition and what it ranks.
func ranked[T any](s season, page route.List[T], kind string) route.ListIn[wire.Competition, T] {
	summary := wire.CompetitionOf(s.summary)
	return route.ListIn[wire.Competition, T]{List: page, Competition: &summary, Meta: &route.Meta{Kind: kind}}
}
