package reader

import (
	"cmp"
	"slices"

	"touchline/shared/sport"
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

// owned is the family of what organizations own.
func owned[T any](
	of func(sport.ID, records.Order, records.Variant) records.List[T],
	below func(records.Range, records.Order, records.Variant) records.List[T],
	order records.Order, variant records.Variant,
) family[T] {
	own := func(id sport.ID) records.List[T] { return of(id, order, variant) }
	return family[T]{
		direct: own,
		below:  func(r records.Range) records.List[T] { return below(r, order, variant) },
		leaf:   own,
	}
}

// entered is the family of a filter by competition or club: these lists are
// prepared for every organization, those without others below them too.
func entered[T any](of func(records.Range) records.List[T]) family[T] {
	own := func(id sport.ID) records.List[T] { return of(records.RangeOf(id)) }
	return family[T]{direct: own, below: of, leaf: own}
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
