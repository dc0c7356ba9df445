package organizations

import (
	"context"

	"touchline/shared/endpoints/wire"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store/reader"
)

// associations is /v1/{alias}/{id}/associations.
func (e Endpoints) associations(ctx context.Context, call route.Call, p associationsParams) (route.List[wire.Organization], error) {
	return e.organizations(ctx, call, p.query(call), sport.Association, p.ActiveStatus, p.Paging)
}

// clubs is /v1/{alias}/{id}/clubs.
func (e Endpoints) clubs(ctx context.Context, call route.Call, p clubsParams) (route.List[wire.Organization], error) {
	q := p.query(call)
	q.Association = string(p.AssociationID)
	return e.organizations(ctx, call, q, sport.Club, p.ActiveStatus, p.Paging)
}

func (e Endpoints) organizations(
	ctx context.Context, call route.Call, q reader.OrganizationQuery, t sport.OrganizationType, status route.ActiveStatus, p route.Paging,
) (route.List[wire.Organization], error) {
	page, err := e.Sports.Organizations(ctx, call.Viewer(), q, t, status.Status)
	return route.ListOf(page.Entries, wire.OrganizationsFor(call.Viewer()), p, page.Total), err
}

// competitions is /v1/{alias}/{id}/competitions.
func (e Endpoints) competitions(ctx context.Context, call route.Call, p competitionsParams) (route.List[wire.ListedCompetition], error) {
	q := p.query(call)
	q.Association, q.Club, q.Team = string(p.AssociationID), string(p.ClubID), string(p.TeamID)
	filter := reader.CompetitionFilter{Season: p.Season.Season, Gender: p.Gender, Status: p.Status, Now: call.Now}
	page, err := e.Sports.Competitions(ctx, call.Viewer(), q, filter)
	return route.ListOf(page.Entries, wire.ListedCompetitionOf, p.Paging, page.Total), err
}

// teams is /v1/{alias}/{id}/teams.
func (e Endpoints) teams(ctx context.Context, call route.Call, p teamsParams) (route.List[wire.ListedTeam], error) {
	q := p.query(call)
	q.Association, q.Club, q.Competition = string(p.AssociationID), string(p.ClubID), string(p.CompetitionID)
	page, err := e.Sports.Teams(ctx, call.Viewer(), q, p.Season.Season, p.Status)
	return route.ListOf(page.Entries, wire.ListedTeamOf, p.Paging, page.Total), err
}

// players is /v1/{alias}/{id}/players.
func (e Endpoints) players(ctx context.Context, call route.Call, p playersParams) (route.List[wire.ListedPlayer], error) {
	q := p.query(call)
	q.Association, q.Club, q.Competition, q.Team = string(p.AssociationID), string(p.ClubID), string(p.CompetitionID), string(p.TeamID)
	page, err := e.Sports.Players(ctx, call.Viewer(), q, p.Season.Season, p.Status)
	return route.ListOf(page.Entries, e.Players.Listed, p.Paging, page.Total), err
}
