package tournaments

import (
	"context"

	"touchline/shared/endpoints/wire"
	"touchline/shared/route"
)

// competition is /v1/tournaments/{id}.
func (e Endpoints) competition(ctx context.Context, call route.Call, p seasonParams) (route.Data[wire.TournamentsCompetitionReply], error) {
	c, err := e.Sports.Competition(ctx, call.Viewer(), call.ID, p.Season.Season)
	if err != nil {
		return route.Data[wire.TournamentsCompetitionReply]{}, err
	}
	return route.Data[wire.TournamentsCompetitionReply]{Data: wire.TournamentsCompetitionReply{Competition: wire.CompetitionDetailOf(c)}}, nil
}

// standings is /v1/tournaments/{id}/standings.
func (e Endpoints) standings(ctx context.Context, call route.Call, p seasonParams) (route.Data[wire.Standings], error) {
	c, tables, err := e.Sports.Tables(ctx, call.Viewer(), call.ID, p.Season.Season)
	if err != nil {
		return route.Data[wire.Standings]{}, err
	}
	return route.Data[wire.Standings]{Data: wire.StandingsOf(c, tables)}, nil
}

// groups is /v1/tournaments/{id}/groups.
func (e Endpoints) groups(ctx context.Context, call route.Call, p seasonParams) (route.Data[wire.Groups], error) {
	g, err := e.Sports.Groups(ctx, call.Viewer(), call.ID, p.Season.Season)
	if err != nil {
		return route.Data[wire.Groups]{}, err
	}
	return route.Data[wire.Groups]{Data: wire.GroupsOf(g.Competition, g.Seasons, g.Groups)}, nil
}

// statistics is /v1/tournaments/{id}/statistics.
func (e Endpoints) statistics(ctx context.Context, call route.Call, p seasonParams) (route.Data[wire.CompetitionStatistics], error) {
	s, err := e.Sports.CompetitionSeason(ctx, call.Viewer(), call.ID, p.Season.Season)
	if err != nil {
		return route.Data[wire.CompetitionStatistics]{}, err
	}
	return route.Data[wire.CompetitionStatistics]{Data: e.Players.CompetitionStatistics(s.Competition, s.Numbers, s.Players)}, nil
}
