package reader

import (
	"cmp"
	"context"
	"math"
	"slices"

	"touchline/shared/problem"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// Lists by what they range over (D21). Without descendants that is the addressed
// organization itself; with them, everything below it and below each
// organization that a filter names. A filter by an organization nearly always names
// one below the addressed organization, or above it: then one of them is the whole
// overlap, and has a list. Where neither is, the organizations below both decide: the
// list of the narrowest is read, filtered by the owners of its entries.

// family is a list in the forms that it is prepared in.
type family[T any] struct {
	// direct is the list of an organization itself.
	direct func(sport.ID) records.List[T]
	// below is the list of a range.
	below func(sport.ID) records.List[T]
	// leaf is the list of an organization without others below it, which has no
	// range; nil: nothing can be on it.
	leaf func(sport.ID) records.List[T]
}

// familyOf is the family of what organizations own, or of what one enters or has entered
// of it: by is what a filter names, empty where not sent. Entered lists are prepared for
// every organization, those without others below them too.
func familyOf[T any](lists records.Owned[T], q OrganizationQuery, by string) family[T] {
	own := func(id sport.ID) records.List[T] { return lists.Of(id, q.order()) }
	below := func(above sport.ID) records.List[T] { return lists.Below(above, q.order()) }
	if by != "" {
		below = func(above sport.ID) records.List[T] { return lists.Entered(sport.ID(by), above, q.order()) }
		own = below
	}
	return family[T]{direct: own, below: below, leaf: own}
}

// whole are the lists of everything below an organization, of which one exists.
func (f family[T]) whole(id sport.ID) []records.List[T] {
	below := f.below(id)
	if f.leaf == nil || f.leaf(id) == below {
		return []records.List[T]{below}
	}
	return []records.List[T]{below, f.leaf(id)}
}

// guess foresees what listOf is going to choose, from the query alone, and is the heads of
// the lists that it may be; narrowed are the ids of the organizations that narrow the
// list, empty where not sent. Nothing is guessed for a list that two of them narrow. With
// these a page takes two round trips with empty caches, in place of three of some 4 ms
// each; a wrong one costs half a unit.
func guess[T any](f family[T], v sport.Viewer, q OrganizationQuery, narrowed ...string) (heads []store.Key) {
	ids := append(others(q, narrowed), sport.ID(q.ID))
	switch {
	case !q.Descendants:
		return []store.Key{headOf(f.direct(sport.ID(q.ID)))}
	case len(ids) > 2:
		return nil
	case v.Organization != sport.ID(q.ID) && q.Type == sport.Club:
		ids[0] = sport.ID(q.ID) // rather below the other than above it
	}
	for _, list := range f.whole(ids[0]) {
		heads = append(heads, headOf(list))
	}
	return heads
}

// others are the organizations that narrow a list, without the addressed one.
func others(q OrganizationQuery, narrowed []string) []sport.ID {
	var ids []sport.ID
	for _, id := range narrowed {
		if id != "" && id != q.ID && !slices.Contains(ids, sport.ID(id)) {
			ids = append(ids, sport.ID(id))
		}
	}
	return ids
}

// overlap is a set of organizations, none below another, in id order. It means
// what is below all of them; one organization's overlap contains itself.
type overlap []*records.OrganizationRecord

// isWithin reports whether o is above, or lies below it.
func isWithin(o, above *records.OrganizationRecord) bool {
	return slices.Contains(o.Reach, above.ID)
}

// overlapOf is what lies below all of the organizations; nil is one that was not
// named.
func overlapOf(organizations ...*records.OrganizationRecord) overlap {
	var s overlap
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

// narrowest is the organization of an overlap with the fewest below it, most likely.
func (s overlap) narrowest() *records.OrganizationRecord {
	return slices.MaxFunc(s, func(a, b *records.OrganizationRecord) int { return cmp.Compare(level(a), level(b)) })
}

// level grows from federations down to clubs.
func level(o *records.OrganizationRecord) int {
	return slices.Index(sport.OrganizationTypes(), o.Type)
}

// isLeaf reports whether the overlap is one organization and nothing below it.
func (s overlap) isLeaf() bool { return len(s) == 1 && s[0].Leaf }

// listOf is the one of the family that holds the addressed organization's entries
// narrowed by other organizations, nil where not sent. It is empty where nothing
// can be on it. Where their overlap is more than one organization it holds others too
// (search.below).
func listOf[T any](x *search, f family[T], narrowed ...*records.OrganizationRecord) records.List[T] {
	if !x.query.Descendants {
		for _, o := range narrowed {
			if o != nil && !isWithin(x.organization, o) {
				return ""
			}
		}
		return f.direct(x.organization.ID)
	}
	s := overlapOf(append(narrowed, x.organization)...)
	switch {
	case !s.isLeaf():
		return f.below(s.narrowest().ID)
	case f.leaf == nil:
		return ""
	}
	return f.leaf(s[0].ID)
}

// selection says which entries of which list a query asks for.
type selection[T any] struct {
	schema   pagedlist.Schema[T]
	list     records.List[T]          // empty: no list
	match    func(records.Facet) bool // nil: all
	from, to []byte                   // as in pagedlist.Request
	where    func(T) bool             // nil: all of these
}

// readPage reads a page, and in the same round trip over how many organizations the list
// ranges (D1 step 20).
func readPage[T any](ctx context.Context, x *search, s selection[T]) (Page[T], error) {
	q := x.query
	page := listed(s.list, s.schema, pagedlist.Request[T]{
		Reverse: q.Reverse, Match: records.ByFacet(s.match), From: s.from, To: s.to, Where: s.where, Offset: q.Offset, Limit: q.Limit,
	})
	var queries []query
	if s.list != "" {
		queries = append(queries, page)
	}
	over := overlapOf(x.organization, x.association, x.club)
	switch {
	case !q.Descendants || over.isLeaf():
		x.read(ctx, queries...)
		return pageOf(page), x.err
	case len(over) > 1:
		x.fail(x.checkSize(len(x.below(ctx, over))))
		x.read(ctx, queries...)
		return pageOf(page), x.err
	}
	below := listed(records.RangeSizeList(over[0].ID), records.IDSchema(), pagedlist.Request[records.IDEntry]{})
	x.read(ctx, append(queries, below)...)
	x.fail(x.checkSize(1 + below.Total)) // with the organization itself (D22)
	return pageOf(page), x.err
}

// below are the organizations below all of an overlap: the ids that the lists of all of
// them have.
func (x *search) below(ctx context.Context, s overlap) map[sport.ID]bool {
	lists := make([]*pagedlist.Reading[records.IDEntry], len(s))
	queries := make([]query, len(s))
	for i, o := range s {
		lists[i] = listed(records.RangeSizeList(o.ID), records.IDSchema(), pagedlist.Request[records.IDEntry]{Limit: math.MaxInt})
		queries[i] = lists[i]
	}
	x.read(ctx, queries...)
	below := map[sport.ID]bool{}
	for i, l := range lists {
		had := below
		below = map[sport.ID]bool{}
		for _, e := range l.Entries {
			if i == 0 || had[e.ID] {
				below[e.ID] = true
			}
		}
	}
	return below
}

// ownedBelow selects the entries whose owner is below the addressed organization and
// all that narrow it; nil: the list has no others.
func ownedBelow[T any](ctx context.Context, x *search, owner func(T) sport.ID, narrowed ...*records.OrganizationRecord) func(T) bool {
	s := overlapOf(append(narrowed, x.organization)...)
	if !x.query.Descendants || len(s) == 1 {
		return nil
	}
	below := x.below(ctx, s)
	return func(t T) bool { return below[owner(t)] }
}

// The most organizations that a list with includeDescendants=true may range
// over (read-api, Limits): any list, and one of players that no filter narrows.
const (
	maxOrganizations = 5000
	maxUnnarrowed    = 50
)

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
