package matches

import (
	"context"

	"touchline/shared/endpoints/wire"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// lineups is /v1/matches/{id}/lineups.
func (e Endpoints) lineups(ctx context.Context, call route.Call, p route.Season) (route.Data[wire.Lineups], error) {
	m, part, err := findPart[records.LineupsRecord](ctx, e, call, p, records.LineupsKey)
	if err != nil {
		return route.Data[wire.Lineups]{}, err
	}
	return route.Data[wire.Lineups]{Data: e.Players.Lineups(&m.Match, part)}, nil
}

// events is /v1/matches/{id}/events.
func (e Endpoints) events(ctx context.Context, call route.Call, p route.Season) (route.Data[wire.Events], error) {
	m, part, err := findPart[records.EventsRecord](ctx, e, call, p, records.EventsKey)
	if err != nil {
		return route.Data[wire.Events]{}, err
	}
	return route.Data[wire.Events]{Data: e.Players.Events(&m.Match, part)}, nil
}

// statistics is /v1/matches/{id}/statistics.
func (e Endpoints) statistics(ctx context.Context, call route.Call, p route.Season) (route.Data[wire.MatchStatistics], error) {
	m, part, err := findPart[records.FiguresRecord](ctx, e, call, p, records.FiguresKey)
	if err != nil {
		return route.Data[wire.MatchStatistics]{}, err
	}
	return route.Data[wire.MatchStatistics]{Data: wire.MatchStatisticsOf(&m.Match, part)}, nil
}

// findPart gives a match and a part of it in one round trip; the part is nil
// where the match has none.
func findPart[T any](
	ctx context.Context, e Endpoints, call route.Call, p route.Season, at func(sport.ID) store.Key,
) (*records.MatchRecord, *T, error) {
	snap, m, err := e.find(ctx, call, p, at)
	if err != nil {
		return nil, nil, err
	}
	part, err := records.Record[T](snap, at(m.ID))
	return m, part, err
}
