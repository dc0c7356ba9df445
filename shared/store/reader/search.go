package reader

import (
	"context"

	"touchline/shared/problem"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// The names of the id filters.
const (
	byAssociation = "associationId"
	byClub        = "clubId"
	byCompetition = "competitionId"
	byTeam        = "teamId"
)

// search is an OrganizationQuery after D1 step 19: everything it names exists,
// is in the scope and of the right type.
type search struct {
	*snapshot
	viewer sport.Viewer
	query  OrganizationQuery
	// unnarrowed: players, which no filter narrows (read-api, Endpoint rules 8).
	unnarrowed bool

	organization *records.OrganizationRecord // addressed

	// Of the filters; nil: not sent.
	association, club *records.OrganizationRecord
	competition       *records.CompetitionRecord // its current season
	team              *records.TeamRecord
}

// search reads and checks what a query names. The heads in heads, of the lists
// that probably hold the page, come with the same round trip: a wrong guess costs
// read units, never a result.
func (r *Reader) search(ctx context.Context, v sport.Viewer, q OrganizationQuery, heads ...store.Key) *search {
	x := &search{snapshot: r.open(), viewer: v, query: q}
	x.checkID(q.ID, problem.MissingID)
	keys := append(heads, records.OrganizationKey(sport.ID(q.ID)))
	for _, filter := range []struct {
		what, id string
		key      store.Key
	}{
		{byAssociation, q.Association, records.OrganizationKey(sport.ID(q.Association))},
		{byClub, q.Club, records.OrganizationKey(sport.ID(q.Club))},
		{byCompetition, q.Competition, records.CompetitionKey(sport.ID(q.Competition), records.CurrentTag)},
		{byTeam, q.Team, records.TeamKey(sport.ID(q.Team))},
	} {
		if filter.id != "" {
			x.checkID(filter.id, filter.what)
			keys = append(keys, filter.key)
		}
	}
	x.fetch(ctx, keys...)
	x.check()
	return x
}

// check is D1 step 19.
func (x *search) check() {
	q := x.query
	x.organization = x.named(x.viewer, q.ID, q.Type, problem.MissingID)
	if q.Association != "" {
		x.association = x.named(x.viewer, q.Association, sport.Association, byAssociation)
	}
	if q.Club != "" {
		x.club = x.named(x.viewer, q.Club, sport.Club, byClub)
	}
	if q.Competition != "" {
		key := records.CompetitionKey(sport.ID(q.Competition), records.CurrentTag)
		x.competition = find[records.CompetitionRecord](x.snapshot, x.viewer, key, byCompetition)
	}
	if q.Team != "" {
		x.team = find[records.TeamRecord](x.snapshot, x.viewer, records.TeamKey(sport.ID(q.Team)), byTeam)
	}
}

// named is an organization of a type, empty being any, in the key's scope. The key's own
// is in it always, hidden or not (D36). It fails with a notFound about what.
func (s *snapshot) named(v sport.Viewer, id string, t sport.OrganizationType, what string) *records.OrganizationRecord {
	found := recordOr[records.OrganizationRecord](s, records.OrganizationKey(sport.ID(id)))
	if t != "" && found.Type != t || found.ID != v.Organization && !found.Contains(v.Organization, v.Descendants) {
		s.fail(problem.Missed(what))
	}
	return found
}
