package tournaments

import (
	"context"

	"touchline/shared/endpoints/wire"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// competitionReply is the data of competition.
type competitionReply struct {
	Competition wire.CompetitionDetail `json:"competition"`
}

// competition is /v1/tournaments/{id}.
func (e Endpoints) competition(ctx context.Context, call route.Call, p seasonParams) (route.Data[competitionReply], error) {
	s, err := e.find(ctx, call, p.Season, func(records.Tag) []store.Key { return nil })
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
	s, err := e.findParts(ctx, call, p.Season, func(tag records.Tag) []store.Key {
		return []store.Key{records.TableKey(id, tag)}
	})
	if err != nil {
		return route.Data[wire.Standings]{}, err
	}
	tables, err := records.Record[records.TableRecord](s.snap, records.TableKey(id, s.tag))
	if err != nil {
		return route.Data[wire.Standings]{}, err
	}
	if tables == nil {
		tables = &records.TableRecord{} // a season nobody is entered in yet
	}
	return route.Data[wire.Standings]{Data: wire.StandingsOf(s.summary, tables)}, nil
}

// groups is /v1/tournaments/{id}/groups.
func (e Endpoints) groups(ctx context.Context, call route.Call, p seasonParams) (route.Data[wire.Groups], error) {
	id := sport.ID(call.ID)
	s, err := e.findParts(ctx, call, p.Season, func(tag records.Tag) []store.Key {
		return []store.Key{records.GroupsKey(id, tag)}
	})
	if err != nil {
		return route.Data[wire.Groups]{}, err
	}
	groups, err := records.Record[records.GroupsRecord](s.snap, records.GroupsKey(id, s.tag))
	if err != nil {
		return route.Data[wire.Groups]{}, err
	}
	return route.Data[wire.Groups]{Data: wire.GroupsOf(s.summary, groups)}, nil
}

// statistics is /v1/tournaments/{id}/statistics.
func (e Endpoints) statistics(ctx context.Context, call route.Call, p seasonParams) (route.Data[wire.CompetitionStatistics], error) {
	id := sport.ID(call.ID)
	s, err := e.findParts(ctx, call, p.Season, func(tag records.Tag) []store.Key {
		return append(pagedlist.HeadKeys(records.TournamentPlayers(id, tag), false), records.StatisticsKey(id, tag))
	})
	if err != nil {
		return route.Data[wire.CompetitionStatistics]{}, err
	}
	numbers, err := records.Record[records.CompetitionStatisticsRecord](s.snap, records.StatisticsKey(id, s.tag))
	if err != nil {
		return route.Data[wire.CompetitionStatistics]{}, err
	}
	if numbers == nil {
		numbers = &records.CompetitionStatisticsRecord{} // a season nobody is entered in yet
	}
	players := &records.Page[records.PlayerEntry]{
		Kind:    records.PlayerKind(nil),
		Request: pagedlist.Request[records.PlayerEntry]{List: records.TournamentPlayers(id, s.tag)},
	}
	if err := s.snap.Read(ctx, players); err != nil {
		return route.Data[wire.CompetitionStatistics]{}, err
	}
	return route.Data[wire.CompetitionStatistics]{
		Data: e.Players.CompetitionStatistics(s.summary, numbers, players.Total),
	}, nil
}
