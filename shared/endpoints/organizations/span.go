package organizations

import (
	"cmp"
	"slices"

	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// Lists by what they range over (D21). Without descendants that is the addressed
// organization itself; with them, everything below it and below each
// organization that a filter names. Since a filter by an organization nearly
// always names one below the addressed organization, or above it, one of them is
// the whole span; where neither is, there is a list for both (store.RangeOf).

// family is a list in the forms that it is prepared in.
type family struct {
	// direct is the list of an organization itself.
	direct func(sport.ID) string
	// below is the list of a range.
	below func(records.Range) string
	// within is the list of an organization's own entries that are also below
	// another, which it is not below itself; nil but for organizations.
	within func(id, other sport.ID) string
	// leaf is the list of an organization without others below it, which has no
	// range; nil: nothing can be on it.
	leaf func(sport.ID) string
}

// owned is the family of what organizations own.
func owned(
	of func(sport.ID, records.Order, records.Variant) string,
	below func(records.Range, records.Order, records.Variant) string,
	sort route.Sort, variant records.Variant,
) family {
	own := func(id sport.ID) string { return of(id, orderOf(sort), variant) }
	return family{
		direct: own,
		below:  func(r records.Range) string { return below(r, orderOf(sort), variant) },
		leaf:   own,
	}
}

// entered is the family of a filter by competition or club: these lists are
// prepared for every organization, those without others below them too.
func entered(of func(records.Range) string) family {
	own := func(id sport.ID) string { return of(records.RangeOf(id)) }
	return family{direct: own, below: of, leaf: own}
}

// span are organizations none of which is below another, in id order. It stands
// for what is below all of them; one organization's span contains itself.
type span []*records.OrganizationRecord

// within reports whether o is above, or lies below it.
func within(o, above *records.OrganizationRecord) bool {
	return slices.Contains(o.Reach, above.ID)
}

// spanOf is what lies below all of the organizations; nil is one that was not
// named.
func spanOf(organizations ...*records.OrganizationRecord) span {
	var s span
	for _, o := range organizations {
		if o == nil || slices.ContainsFunc(s, func(other *records.OrganizationRecord) bool { return within(other, o) }) {
			continue
		}
		s = slices.DeleteFunc(s, func(other *records.OrganizationRecord) bool { return within(o, other) })
		s = append(s, o)
	}
	slices.SortFunc(s, func(a, b *records.OrganizationRecord) int { return cmp.Compare(a.ID, b.ID) })
	return s
}

func (s span) theRange() records.Range {
	ids := make([]sport.ID, len(s))
	for i, o := range s {
		ids[i] = o.ID
	}
	return records.RangeOf(ids...)
}

// isLeaf reports whether the span is one organization and nothing below it.
func (s span) isLeaf() bool { return len(s) == 1 && s[0].Leaf }

// list is the one of the family that holds the addressed organization's entries
// narrowed by other organizations, nil where not sent. It is empty where nothing
// can be on it.
func (q *question) list(f family, narrowed ...*records.OrganizationRecord) string {
	if !q.deep {
		for _, o := range narrowed {
			if o != nil && !within(q.organization, o) {
				return ""
			}
		}
		return f.direct(q.organization.ID)
	}
	s := spanOf(append(narrowed, q.organization)...)
	switch {
	case !s.isLeaf():
		return f.below(s.theRange())
	case f.leaf == nil:
		return ""
	}
	return f.leaf(s[0].ID)
}

// guess foresees what q.list is going to choose, from the request alone. More
// than one narrowing organization has a trip to itself (design.md), so that
// nothing is guessed for it.
func (e Endpoints) guess(f family, call route.Call, p listParams, narrowed ...route.FilterID) []guess {
	var guesses []guess
	for i, list := range guessLists(f, call, e.Sports.Root(call.Organization), p.IncludeDescendants, narrowed) {
		// What a long list has beside its head for a reverse read is only worth
		// having for the likeliest.
		guesses = append(guesses, guess{list: list, reverse: p.reverse() && i == 0})
	}
	return guesses
}

// guessLists takes own, the key's organization, where it is known; else nil.
func guessLists(f family, call route.Call, own *records.OrganizationRecord, deep bool, narrowed []route.FilterID) []string {
	addressed := sport.ID(call.ID)
	narrowed = others(call, narrowed)
	switch {
	case !deep:
		return []string{f.direct(addressed)}
	case len(narrowed) > 1:
		return nil
	case len(narrowed) == 0 && own != nil && own.ID == addressed && !own.Leaf:
		return []string{f.below(records.RangeOf(addressed))}
	case len(narrowed) == 0:
		return f.whole(addressed)
	}
	other := sport.ID(narrowed[0])
	both := records.RangeOf(min(addressed, other), max(addressed, other))
	switch {
	case call.Organization == addressed:
		return f.whole(other) // what is in the scope is below the addressed organization
	case call.Alias == route.Clubs:
		return append(f.whole(addressed), f.below(both)) // rather below the other than above it
	}
	return append(f.whole(other), f.below(both))
}

// guessRange foresees what a list with descendants ranges over; empty: it is
// nothing but one organization, or cannot be told.
func guessRange(call route.Call, own *records.OrganizationRecord, narrowed ...route.FilterID) records.Range {
	addressed := sport.ID(call.ID)
	narrowed = others(call, narrowed)
	switch {
	case len(narrowed) == 0 && own != nil && own.ID == addressed && own.Leaf:
		return ""
	case len(narrowed) == 0:
		return records.RangeOf(addressed)
	case len(narrowed) == 1 && call.Organization == addressed:
		return records.RangeOf(sport.ID(narrowed[0]))
	}
	return ""
}

// others are the organizations that narrow a list, without the addressed one.
func others(call route.Call, narrowed []route.FilterID) []route.FilterID {
	return slices.DeleteFunc(slices.Clone(narrowed), func(id route.FilterID) bool { return id == "" || string(id) == call.ID })
}

// whole are the lists of everything below an organization, of which one exists.
func (f family) whole(id sport.ID) []string {
	below := f.below(records.RangeOf(id))
	if f.leaf == nil || f.leaf(id) == below {
		return []string{below}
	}
	return []string{below, f.leaf(id)}
}
