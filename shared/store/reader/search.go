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

// search reads and checks what a query names. The heads in ahead, of the lists
// that probably hold the page, come with the same round trip: a wrong guess costs
// read units, never a result.
func (r *Reader) search(ctx context.Context, v sport.Viewer, q OrganizationQuery, ahead ...store.Key) (*search, error) {
	for _, named := range []struct{ what, id string }{
		{problem.MissingID, q.ID}, {byAssociation, q.Association}, {byClub, q.Club},
		{byCompetition, q.Competition}, {byTeam, q.Team},
	} {
		if (named.id != "" || named.what == problem.MissingID) && !sport.IsID(named.id) {
			return nil, problem.Missed(named.what)
		}
	}
	x := &search{snapshot: r.open(), viewer: v, query: q}
	keys := ahead
	for _, id := range []string{q.ID, q.Association, q.Club} {
		if id != "" {
			keys = append(keys, records.OrganizationKey(sport.ID(id)))
		}
	}
	if q.Competition != "" {
		keys = append(keys, records.CompetitionKey(sport.ID(q.Competition), records.CurrentTag))
	}
	if q.Team != "" {
		keys = append(keys, records.TeamKey(sport.ID(q.Team)))
	}
	if err := x.fetch(ctx, keys...); err != nil {
		return nil, err
	}
	return x, x.check()
}

// searchList is search for a list. Where the request alone says what the list ranges
// over, the count of that comes with the same round trip. What is refused for its size
// is then not read (D1 step 20).
func (r *Reader) searchList(ctx context.Context, v sport.Viewer, q OrganizationQuery, ahead ...store.Key) (*search, error) {
	if below := r.guessRange(v, q); q.Descendants && below != "" {
		ahead = append(ahead, headOf(records.RangeSizeList(below)))
	}
	return r.search(ctx, v, q, ahead...)
}

// check is D1 step 19.
func (x *search) check() (err error) {
	q := x.query
	if x.organization, err = x.named(q.ID, q.Type, problem.MissingID); err != nil {
		return err
	}
	if q.Association != "" {
		if x.association, err = x.named(q.Association, sport.Association, byAssociation); err != nil {
			return err
		}
	}
	if q.Club != "" {
		if x.club, err = x.named(q.Club, sport.Club, byClub); err != nil {
			return err
		}
	}
	if q.Competition != "" {
		key := records.CompetitionKey(sport.ID(q.Competition), records.CurrentTag)
		if x.competition, err = find[records.CompetitionRecord](x.snapshot, x.viewer, key); err != nil {
			return about(byCompetition, err)
		}
	}
	if q.Team != "" {
		if x.team, err = find[records.TeamRecord](x.snapshot, x.viewer, records.TeamKey(sport.ID(q.Team))); err != nil {
			return about(byTeam, err)
		}
	}
	return nil
}

// named returns an organization of a type, empty being any, in the key's scope.
// The key's own is in it always, hidden or not (D36). It fails with a notFound
// about what.
func (x *search) named(id string, t sport.OrganizationType, what string) (*records.OrganizationRecord, error) {
	found, err := record[records.OrganizationRecord](x.snapshot, records.OrganizationKey(sport.ID(id)))
	if err != nil {
		return nil, err
	}
	v := x.viewer
	if found == nil || t != "" && found.Type != t || found.ID != v.Organization && !found.Contains(v.Organization, v.Descendants) {
		return nil, problem.Missed(what)
	}
	return found, nil
}

// about makes a notFound one about what; it leaves other errors as they are.
func about(what string, err error) error {
	if problem.From(err).Code == problem.NotFound {
		return problem.Missed(what)
	}
	return err
}
