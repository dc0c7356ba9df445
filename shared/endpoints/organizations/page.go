package organizations

import (
	"context"

	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// orderOf is the order of lists that a sort names.
func orderOf(s route.Sort) records.Order {
	if s == route.SortName || s == route.SortNameDesc {
		return records.ByName
	}
	return records.ByID
}

// reverse reports whether lists are read from the end: -id and -name are the
// exact reverse of id and name (D15).
func (p listParams) reverse() bool { return p.Sort == route.SortIDDesc || p.Sort == route.SortNameDesc }

func (p listParams) guess(list string) guess { return guess{list: list, reverse: p.reverse()} }

// selection says which entries of which list answer a question.
type selection[T any] struct {
	list  string                     // empty: there are none
	match func(pagedlist.Facet) bool // nil: all
	where func(T) bool               // nil: all of these
}

// readPage reads a page after D1 step 20. Where the organizations that the list
// ranges over are not counted yet, they are in the same round trip.
func readPage[T any](ctx context.Context, q *question, kind pagedlist.Kind[T], s selection[T], p listParams) ([]T, int, error) {
	page := &records.Page[T]{Kind: kind, Request: pagedlist.Request[T]{
		List: s.list, Reverse: p.reverse(), Match: s.match, Where: s.where,
		Offset: p.Offset(), Limit: p.Limit,
	}}
	size := q.extent()
	queries := size.queries()
	if q.snap.Holds(size.heads()...) {
		if err := q.readWithin(ctx, size, queries); err != nil {
			return nil, 0, err
		}
	}
	if s.list != "" {
		queries = append(queries, page)
	}
	if err := q.readWithin(ctx, size, queries); err != nil {
		return nil, 0, err
	}
	return page.Entries, page.Total, nil
}

// readWithin reads, the extent among the queries, and is D1 step 20.
func (q *question) readWithin(ctx context.Context, size extent, queries []records.Query) error {
	if err := q.snap.Read(ctx, queries...); err != nil {
		return err
	}
	return q.checkSize(size.organizations())
}

// The most organizations that a list with includeDescendants=true may range
// over (read-api, Limits): any list, and one of players that no filter narrows.
const (
	maxOrganizations = 5000
	maxAtLarge       = 50
)

// extent is how many organizations a list ranges over (D22).
type extent struct {
	self  int                            // 1 where the span is one organization, which counts too
	below *records.Page[records.IDEntry] // counts those below the span; nil: none
}

func (q *question) extent() extent {
	if !q.deep {
		return extent{}
	}
	s := spanOf(q.organization, q.association, q.club)
	var e extent
	if len(s) == 1 {
		e.self = 1
	}
	if !s.isLeaf() {
		e.below = &records.Page[records.IDEntry]{
			Kind: records.IDKind(), Request: pagedlist.Request[records.IDEntry]{List: records.RangeSizeList(s.theRange())},
		}
	}
	return e
}

func (e extent) queries() []records.Query {
	if e.below == nil {
		return nil
	}
	return []records.Query{e.below}
}

// heads are what the queries need first.
func (e extent) heads() []store.Key {
	if e.below == nil {
		return nil
	}
	return pagedlist.HeadKeys(e.below.Request.List, false)
}

// organizations is the number, once the queries have been read.
func (e extent) organizations() int {
	if e.below == nil {
		return e.self
	}
	return e.self + e.below.Total
}

// checkSize is D1 step 20: the rule of players before the general one.
func (q *question) checkSize(organizations int) error {
	switch {
	case q.atLarge && organizations > maxAtLarge:
		return problem.TooLarge(organizations, maxAtLarge, byClub, byAssociation, byCompetition, byTeam)
	case organizations > maxOrganizations:
		return problem.TooLarge(organizations, maxOrganizations)
	}
	return nil
}
