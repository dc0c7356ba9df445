package organizations

import (
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store/reader"
)

// The parameters of the group's operations, in the order of the contract.

type treeParams struct {
	Depth int `query:"depth" default:"2" min:"1" max:"3" doc:"Levels below the organization."`
	route.Descendants
}

type associationsParams struct {
	route.ActiveStatus
	listParams
}

type clubsParams struct {
	associationFilter
	route.ActiveStatus
	listParams
}

type competitionsParams struct {
	associationFilter
	clubFilter
	teamFilter
	route.Season
	Gender sport.Gender             `query:"gender" enum:"men,women" doc:"Gender of the competition."`
	Status reader.CompetitionStatus `query:"status" enum:"active,completed" doc:"Whether the competition is under way or completed."`
	listParams
}

type teamsParams struct {
	associationFilter
	clubFilter
	competitionFilter
	route.Season
	route.ActiveStatus
	listParams
}

type playersParams struct {
	associationFilter
	clubFilter
	competitionFilter
	teamFilter
	route.Season
	route.ActiveStatus
	listParams
}

// listParams are what all lists of the group take.
type listParams struct {
	route.Descendants
	route.Sorting
	route.Paging
}

type associationFilter struct {
	AssociationID route.FilterID `query:"associationId" doc:"Only what is in this association or below it."`
}

type clubFilter struct {
	ClubID route.FilterID `query:"clubId" doc:"Only what is in this club or below it."`
}

type competitionFilter struct {
	CompetitionID route.FilterID `query:"competitionId" doc:"Only what belongs to this competition."`
}

type teamFilter struct {
	TeamID route.FilterID `query:"teamId" doc:"Only what belongs to this team."`
}

// query is what every list asks for; the filters are still to be set.
func (p listParams) query(call route.Call) reader.OrganizationQuery {
	q := addressed(call, p.Descendants)
	q.ByName = p.Sort == route.SortName || p.Sort == route.SortNameDesc
	q.Reverse = p.Sort == route.SortIDDesc || p.Sort == route.SortNameDesc
	q.Offset, q.Limit = p.Offset(), p.Limit
	return q
}

// addressed is the organization of the path.
func addressed(call route.Call, p route.Descendants) reader.OrganizationQuery {
	return reader.OrganizationQuery{ID: call.ID, Type: call.Alias.Type(), Descendants: p.IncludeDescendants}
}
