package tournaments

import (
	"context"

	"touchline/shared/endpoints/wire"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/sports"
)

// competitionReply is the data of competition.
type competitionReply struct {
	Competition wire.CompetitionDetail `json:"competition"`
}

// competition is /v1/tournaments/{id}.
func (e Endpoints) competition(ctx context.Context, call route.Call, p seasonParams) (route.Data[competitionReply], error) {
	s, err := e.find(ctx, call, p.Season, func(store.Tag) []store.Key { return nil })
	if err != nil {
		return route.Data[competitionReply]{}, err
	}
	return route.Data[competitionReply]{Data: competitionReply{
		Competition: wire.CompetitionDetailOf(&s.record.Competition),
	}}, nil
}

// standings is /v1/tournaments/{id}/standings.
func (e Endpoints) standings(ctx context.Context, call route.Call, p seasonParams) (route.Data[wire.Standings], error) {
	id := sport.ID(call.ID)
	s, err := e.find(ctx, call, p.Season, func(tag store.Tag) []store.Key {
		return []store.Key{store.TableKey(id, tag)}
	})
	if err != nil {
		return route.Data[wire.Standings]{}, err
	}
	tables, err := sports.Record[store.TableRecord](s.snap, store.TableKey(id, s.tag))
	if err != nil {
		return route.Data[wire.Standings]{}, err
	}
	if tables == nil {
		tables = &store.TableRecord{} // a season nobody is entered in yet
	}
	return route.Data[wire.Standings]{Data: wire.StandingsOf(&s.record.CompetitionRef, tables)}, nil
}
