package reader

import (
	"context"

	"touchline/shared/problem"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// selection says which entries of which list a query asks for.
type selection[T any] struct {
	schema pagedlist.Schema[T]
	list   records.List[T]          // empty: there are none
	match  func(records.Facet) bool // nil: all
	where  func(T) bool             // nil: all of these
}

// readPage reads a page after D1 step 20. Where the organizations that the list
// ranges over are not counted yet, they are in the same round trip.
func readPage[T any](ctx context.Context, x *search, s selection[T]) (Page[T], error) {
	q := x.query
	page := &listRead[T]{schema: s.schema, request: pagedlist.Request[T]{
		List: string(s.list), Reverse: q.Reverse, Match: records.ByFacet(s.match), Where: s.where,
		Offset: q.Offset, Limit: q.Limit,
	}}
	size := x.extent()
	queries := size.queries()
	if x.holds(size.heads()...) {
		if err := x.readWithin(ctx, size, queries); err != nil {
			return Page[T]{}, err
		}
	}
	if s.list != "" {
		queries = append(queries, page)
	}
	if err := x.readWithin(ctx, size, queries); err != nil {
		return Page[T]{}, err
	}
	return page.Page, nil
}

// readWithin reads, the extent among the queries, and is D1 step 20.
func (x *search) readWithin(ctx context.Context, size extent, queries []query) error {
	if err := x.read(ctx, queries...); err != nil {
		return err
	}
	return x.checkSize(size.organizations())
}

// The most organizations that a list with includeDescendants=true may range
// over (read-api, Limits): any list, and one of players that no filter narrows.
const (
	maxOrganizations = 5000
	maxUnnarrowed    = 50
)

// extent is how many organizations a list ranges over (D22).
type extent struct {
	self  int                        // 1 where the span is one organization, which counts too
	below *listRead[records.IDEntry] // counts those below the span; nil: none
}

func (x *search) extent() extent {
	if !x.query.Descendants {
		return extent{}
	}
	s := spanOf(x.organization, x.association, x.club)
	var e extent
	if len(s) == 1 {
		e.self = 1
	}
	if !s.isLeaf() {
		e.below = &listRead[records.IDEntry]{
			schema: records.IDSchema(), request: pagedlist.Request[records.IDEntry]{List: string(records.RangeSizeList(s.below()))},
		}
	}
	return e
}

func (e extent) queries() []query {
	if e.below == nil {
		return nil
	}
	return []query{e.below}
}

// heads are what the queries need first.
func (e extent) heads() []store.Key {
	if e.below == nil {
		return nil
	}
	return []store.Key{pagedlist.HeadKey(e.below.request.List)}
}

// organizations is the number, once the queries have been read.
func (e extent) organizations() int {
	if e.below == nil {
		return e.self
	}
	return e.self + e.below.Total
}

// checkSize is D1 step 20: the rule of players before the general one.
func (x *search) checkSize(organizations int) error {
	switch {
	case x.unnarrowed && organizations > maxUnnarrowed:
		return problem.TooLarge(organizations, maxUnnarrowed, byClub, byAssociation, byCompetition, byTeam)
	case organizations > maxOrganizations:
		return problem.TooLarge(organizations, maxOrganizations)
	}
	return nil
}
