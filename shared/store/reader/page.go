package reader

import (
	"cmp"
	"context"
	"slices"

	"touchline/shared/problem"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// Lists by what they range over (D21). Without descendants that is the addressed
// organization itself; with them, everything below it and below each
// organization that a filter names. Since a filter by an organization nearly
// always names one below the addressed organization, or above it, one of them is
// the whole span; where neither is, there is a list for both (records.RangeOf).

// family is a list in the forms that it is prepared in.
type family[T any] struct {
	// direct is the list of an organization itself.
	direct func(sport.ID) records.List[T]
	// below is the list of a range.
	below func(records.Range) records.List[T]
	// leaf is the list of an organization without others below it, which has no
	// range; nil: nothing can be on it.
	leaf func(sport.ID) records.List[T]
}

// familyOf is the family of what organizations own, or of what one enters or has entered
// of it: by is what a filter names, empty where not sent. Entered lists are prepared for
// every organization, those without others below them too.
func familyOf[T any](lists records.Owned[T], q OrganizationQuery, by string, variant records.Variant) family[T] {
	own := func(id sport.ID) records.List[T] { return lists.Of(id, q.order(), variant) }
	below := func(r records.Range) records.List[T] { return lists.Below(r, q.order(), variant) }
	if by != "" {
		below = func(r records.Range) records.List[T] { return lists.Entered(sport.ID(by), r, q.order()) }
		own = func(id sport.ID) records.List[T] { return below(records.RangeOf(id)) }
	}
	return family[T]{direct: own, below: below, leaf: own}
}

// span is a set of organizations, none below another, in id order. It means
// what is below all of them; one organization's span contains itself.
type span []*records.OrganizationRecord

// isWithin reports whether o is above, or lies below it.
func isWithin(o, above *records.OrganizationRecord) bool {
	return slices.Contains(o.Reach, above.ID)
}

// spanOf is what lies below all of the organizations; nil is one that was not
// named.
func spanOf(organizations ...*records.OrganizationRecord) span {
	var s span
	for _, o := range organizations {
		if o == nil || slices.ContainsFunc(s, func(other *records.OrganizationRecord) bool { return isWithin(other, o) }) {
			continue
		}
		s = slices.DeleteFunc(s, func(other *records.OrganizationRecord) bool { return isWithin(o, other) })
		s = append(s, o)
	}
	slices.SortFunc(s, func(a, b *records.OrganizationRecord) int { return cmp.Compare(a.ID, b.ID) })
	return s
}

// below is the range of the span.
func (s span) below() records.Range {
	ids := make([]sport.ID, len(s))
	for i, o := range s {
		ids[i] = o.ID
	}
	return records.RangeOf(ids...)
}

// isLeaf reports whether the span is one organization and nothing below it.
func (s span) isLeaf() bool { return len(s) == 1 && s[0].Leaf }

// listOf is the one of the family that holds the addressed organization's entries
// narrowed by other organizations, nil where not sent. It is empty where nothing
// can be on it.
func listOf[T any](x *search, f family[T], narrowed ...*records.OrganizationRecord) records.List[T] {
	if !x.query.Descendants {
		for _, o := range narrowed {
			if o != nil && !isWithin(x.organization, o) {
				return ""
			}
		}
		return f.direct(x.organization.ID)
	}
	s := spanOf(append(narrowed, x.organization)...)
	switch {
	case !s.isLeaf():
		return f.below(s.below())
	case f.leaf == nil:
		return ""
	}
	return f.leaf(s[0].ID)
}

// selection says which entries of which list a query asks for.
type selection[T any] struct {
	schema pagedlist.Schema[T]
	list   records.List[T]          // empty: no list
	match  func(records.Facet) bool // nil: all
	where  func(T) bool             // nil: all of these
}

// readPage reads a page after D1 step 20. Where the organizations that the list
// ranges over are not counted yet, they are in the same round trip.
func readPage[T any](ctx context.Context, x *search, s selection[T]) (Page[T], error) {
	q := x.query
	page := listed(s.list, s.schema, pagedlist.Request[T]{
		Reverse: q.Reverse, Match: records.ByFacet(s.match), Where: s.where, Offset: q.Offset, Limit: q.Limit,
	})
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
	return pageOf(page), nil
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
	self  int                                 // 1 where the span is one organization, which counts too
	below *pagedlist.Reading[records.IDEntry] // counts those below the span; nil: none
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
		e.below = listed(records.RangeSizeList(s.below()), records.IDSchema(), pagedlist.Request[records.IDEntry]{})
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
	return []store.Key{pagedlist.HeadKey(e.below.Request.List)}
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
