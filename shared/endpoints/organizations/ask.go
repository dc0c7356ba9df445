package organizations

import (
	"context"
	"slices"

	"touchline/shared/endpoints/scope"
	"touchline/shared/endpoints/wire"
	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// The names of the id filters.
const (
	byAssociation = "associationId"
	byClub        = "clubId"
	byCompetition = "competitionId"
	byTeam        = "teamId"
)

// filters are the ids that a list is to be narrowed by; empty: not sent.
type filters struct {
	association, club, competition, team route.FilterID
}

// question is a request of the group after D1 step 19: everything it names
// exists, is in the key's scope and of the right type.
type question struct {
	call route.Call
	snap *records.Snapshot
	deep bool // includeDescendants
	// atLarge: players, which no filter narrows (read-api, Endpoint rules 8).
	atLarge bool

	organization *records.OrganizationRecord // addressed

	// Of the filters; nil: not sent.
	association, club *records.OrganizationRecord
	competition       *records.CompetitionRecord // its current season
	team              *records.TeamRecord
}

// guess is a list that probably holds an answer, and the end from which it is
// going to be read.
type guess struct {
	list    string
	reverse bool
}

// ask reads and judges what a request names. The heads of the lists guessed
// come with the same round trip; a wrong guess costs a trip, never an answer.
func (e Endpoints) ask(ctx context.Context, call route.Call, f filters, deep bool, guesses ...guess) (*question, error) {
	for _, named := range []struct {
		what string
		id   route.FilterID
	}{
		{problem.MissingID, route.FilterID(call.ID)}, {byAssociation, f.association}, {byClub, f.club},
		{byCompetition, f.competition}, {byTeam, f.team},
	} {
		if named.id != "" && !sport.IsID(string(named.id)) {
			return nil, scope.NotFound(named.what)
		}
	}
	q := &question{call: call, snap: e.Sports.Open(), deep: deep}
	own := e.Sports.Root(call.Organization)
	var keys []store.Key
	organization := func(id string) {
		if id != "" && (own == nil || own.ID != sport.ID(id)) {
			keys = append(keys, records.OrganizationKey(sport.ID(id)))
		}
	}
	organization(call.ID)
	organization(string(f.association))
	organization(string(f.club))
	if f.competition != "" {
		keys = append(keys, records.CompetitionKey(sport.ID(f.competition), records.CurrentTag))
	}
	if f.team != "" {
		keys = append(keys, records.TeamKey(sport.ID(f.team)))
	}
	for _, g := range guesses {
		keys = append(keys, pagedlist.HeadKeys(g.list, g.reverse)...)
	}
	if err := q.snap.Fetch(ctx, keys...); err != nil {
		return nil, err
	}
	return q, q.judge(f, own)
}

// askList is ask for a list. The count of what it ranges over comes with the
// same round trip, where the request alone says which it is: what is refused for
// its size need not be read (D1 step 20).
func (e Endpoints) askList(ctx context.Context, call route.Call, f filters, deep bool, guesses ...guess) (*question, error) {
	if r := guessRange(call, e.Sports.Root(call.Organization), f.association, f.club); deep && r != "" {
		guesses = append(guesses, guess{list: records.RangeSizeList(r)})
	}
	return e.ask(ctx, call, f, deep, guesses...)
}

// judge is D1 step 19; own is the key's organization where it was known before.
func (q *question) judge(f filters, own *records.OrganizationRecord) (err error) {
	if q.organization, err = q.find(q.call.ID, own, q.call.Alias.Accepts); err != nil {
		return err
	}
	if f.association != "" {
		if q.association, err = q.find(string(f.association), own, route.Associations.Accepts); err != nil {
			return scope.About(byAssociation, err)
		}
	}
	if f.club != "" {
		if q.club, err = q.find(string(f.club), own, route.Clubs.Accepts); err != nil {
			return scope.About(byClub, err)
		}
	}
	if f.competition != "" {
		key := records.CompetitionKey(sport.ID(f.competition), records.CurrentTag)
		if q.competition, err = scope.Find[records.CompetitionRecord](q.snap, q.call, key); err != nil {
			return scope.About(byCompetition, err)
		}
	}
	if f.team != "" {
		key := records.TeamKey(sport.ID(f.team))
		if q.team, err = scope.Find[records.TeamRecord](q.snap, q.call, key); err != nil {
			return scope.About(byTeam, err)
		}
	}
	return nil
}

// find gives an organization of an accepted type in the key's scope. The key's
// own is in it always, hidden or not (D36).
func (q *question) find(id string, own *records.OrganizationRecord, accepts func(sport.OrganizationType) bool) (*records.OrganizationRecord, error) {
	record := own
	if own == nil || own.ID != sport.ID(id) {
		var err error
		if record, err = records.Record[records.OrganizationRecord](q.snap, records.OrganizationKey(sport.ID(id))); err != nil {
			return nil, err
		}
	}
	if record == nil || !accepts(record.Type) {
		return nil, scope.NotFound(problem.MissingID)
	}
	if record.ID != q.call.Organization && !record.Contains(q.call.Organization, q.call.Descendants) {
		return nil, scope.NotFound(problem.MissingID)
	}
	return record, nil
}

// alone reports that the scope of the key ends with its own organization
// (D20).
func (q *question) alone() bool { return !q.call.Descendants }

// show shows an organization in the scope, and its parent where that is in the
// scope as well (D25).
func (q *question) show(o *records.Organization) wire.Organization {
	root := o.ID == q.call.Organization
	return wire.OrganizationOf(o, !root && !slices.Contains(o.ParentMasked, q.call.Organization))
}
