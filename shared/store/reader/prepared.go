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

// whole are the lists of everything below an organization, of which one exists.
func (f family[T]) whole(id sport.ID) []records.List[T] {
	below := f.below(records.RangeOf(id))
	if f.leaf == nil || f.leaf(id) == below {
		return []records.List[T]{below}
	}
	return []records.List[T]{below, f.leaf(id)}
}

// guess foresees what listOf is going to choose, from the query alone;
// narrowed are the ids of the organizations that narrow the list, empty where
// not sent. A list that two of them narrow has a round trip to itself, so that
// nothing is guessed for it. It returns the heads of lists.
func guess[T any](r *Reader, f family[T], v sport.Viewer, q OrganizationQuery, narrowed ...string) (heads []store.Key) {
	for _, list := range guessLists(r, f, v, q, others(q, narrowed)) {
		heads = append(heads, headOf(list))
	}
	return heads
}

func guessLists[T any](r *Reader, f family[T], v sport.Viewer, q OrganizationQuery, narrowed []sport.ID) []records.List[T] {
	addressed := sport.ID(q.ID)
	leaf, known := r.isLeaf(v, addressed)
	switch {
	case !q.Descendants:
		return []records.List[T]{f.direct(addressed)}
	case len(narrowed) > 1:
		return nil
	case len(narrowed) == 0 && known && !leaf:
		return []records.List[T]{f.below(records.RangeOf(addressed))}
	case len(narrowed) == 0:
		return f.whole(addressed)
	}
	other := narrowed[0]
	both := records.RangeOf(min(addressed, other), max(addressed, other))
	switch {
	case v.Organization == addressed:
		return f.whole(other) // what is in the scope is below the addressed organization
	case q.Type == sport.Club:
		return append(f.whole(addressed), f.below(both)) // rather below the other than above it
	}
	return append(f.whole(other), f.below(both))
}

// guessRange foresees what a list with descendants ranges over; empty: it is one
// organization alone, or cannot be known yet.
func (r *Reader) guessRange(v sport.Viewer, q OrganizationQuery) records.Range {
	narrowed := others(q, []string{q.Association, q.Club})
	leaf, _ := r.isLeaf(v, sport.ID(q.ID))
	switch {
	case len(narrowed) == 0 && !leaf:
		return records.RangeOf(sport.ID(q.ID))
	case len(narrowed) == 1 && v.Organization == sport.ID(q.ID):
		return records.RangeOf(narrowed[0])
	}
	return ""
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

// isLeaf reports whether an organization has no others below it, and whether that is
// known: it is of the key's own, which the check of D1 step 14 has just read.
func (r *Reader) isLeaf(v sport.Viewer, id sport.ID) (leaf, known bool) {
	item, _ := r.Items.Peek(records.OrganizationKey(id))
	if item == nil || v.Organization != id {
		return false, false
	}
	return records.IsLeaf(item), true
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
	schema   pagedlist.Schema[T]
	list     records.List[T]          // empty: no list
	match    func(records.Facet) bool // nil: all
	from, to []byte                   // as in pagedlist.Request
	where    func(T) bool             // nil: all of these
}

// readPage reads a page after D1 step 20. Where the organizations that the list
// ranges over are not counted yet, they are in the same round trip.
func readPage[T any](ctx context.Context, x *search, s selection[T]) (Page[T], error) {
	q := x.query
	page := listed(s.list, s.schema, pagedlist.Request[T]{
		Reverse: q.Reverse, Match: records.ByFacet(s.match), From: s.from, To: s.to, Where: s.where, Offset: q.Offset, Limit: q.Limit,
	})
	var queries []query
	if s.list != "" {
		queries = append(queries, page)
	}
	over := spanOf(x.organization, x.association, x.club)
	if !q.Descendants || over.isLeaf() {
		x.read(ctx, queries...)
		return pageOf(page), x.err
	}
	below := listed(records.RangeSizeList(over.below()), records.IDSchema(), pagedlist.Request[records.IDEntry]{})
	organizations := func() int { // that the list ranges over (D22): one organization's span has itself
		if len(over) == 1 {
			return 1 + below.Total
		}
		return below.Total
	}
	if x.has(pagedlist.HeadKey(below.Request.List)) {
		x.read(ctx, below)
		x.fail(x.checkSize(organizations()))
	}
	x.read(ctx, append(queries, below)...)
	x.fail(x.checkSize(organizations()))
	return pageOf(page), x.err
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
