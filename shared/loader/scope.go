package loader

import (
	"slices"

	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// What follows from the hierarchy: who sees an organization, in which ranges
// it lies, and whether it has a range of its own (D19 to D22, D36).

// reach computes the organizations whose keys with descendants see id: itself
// and, where it is public, everything its parents' keys are seen by. The
// parents' own reach must be right in the view already.
func (w *world) reach(v view, o *organization) []sport.ID {
	reach := []sport.ID{o.ID}
	if o.public() {
		for _, p := range o.Parents() {
			if parent := w.organizations.at(v, p); parent != nil {
				reach = append(reach, parent.reach...)
			}
		}
	}
	slices.Sort(reach)
	return slices.Compact(reach)
}

// below reports whether a lies below b in a view, or is b.
func (w *world) below(v view, a, b sport.ID) bool {
	o := w.organizations.at(v, a)
	return o != nil && slices.Contains(o.reach, b)
}

// crossRanges finds the ranges of two or three organizations, none below
// another, that one with this reach lies in. A chain, which is what all but
// organizations with several parents have, has none.
func (w *world) crossRanges(v view, reach []sport.ID) []records.Range {
	apart := func(a, b sport.ID) bool { return !w.below(v, a, b) && !w.below(v, b, a) }
	var ranges []records.Range
	for i, a := range reach {
		for j, b := range reach[i+1:] {
			if !apart(a, b) {
				continue
			}
			ranges = append(ranges, records.RangeOf(a, b))
			for _, c := range reach[i+1+j+1:] {
				if apart(a, c) && apart(b, c) {
					ranges = append(ranges, records.RangeOf(a, b, c))
				}
			}
		}
	}
	return ranges
}

// isLeaf reports whether no public organization has id as a parent.
func (w *world) isLeaf(v view, id sport.ID) bool {
	return !w.children.any(v, id, func(child sport.ID) bool {
		o := w.organizations.at(v, child)
		return o != nil && o.public()
	})
}

// rangesAbove are the ranges an organization itself is an entry of.
func (o *organization) rangesAbove() []records.Range {
	ranges := make([]records.Range, 0, len(o.reach)-1+len(o.cross))
	for _, a := range o.reach {
		if a != o.ID {
			ranges = append(ranges, records.RangeOf(a))
		}
	}
	return append(ranges, o.cross...)
}

// ranges are the ranges that what an organization owns lies in, its own among
// them.
func (o *organization) ranges() []records.Range {
	return append(o.rangesAbove(), records.RangeOf(o.ID))
}

// listedRanges are those of the ranges that have lists: a leaf's own has none.
func (o *organization) listedRanges() []records.Range {
	if o.leaf {
		return o.rangesAbove()
	}
	return o.ranges()
}

// ownerScope is the scope of what an organization owns; no owner, no scope.
func (o *organization) ownerScope() records.Scope {
	if o == nil {
		return records.Scope{}
	}
	return records.Scope{Owners: []sport.ID{o.ID}, Reach: o.reach}
}

// union is the scope of what is reached in several ways (D24).
func union(scopes ...records.Scope) records.Scope {
	var u records.Scope
	for _, s := range scopes {
		u.Owners = append(u.Owners, s.Owners...)
		u.Reach = append(u.Reach, s.Reach...)
		u.Hidden = u.Hidden || s.Hidden
	}
	slices.Sort(u.Owners)
	slices.Sort(u.Reach)
	u.Owners, u.Reach = slices.Compact(u.Owners), slices.Compact(u.Reach)
	return u
}

// parentMasked are those that see the organization but not its parent (D25).
func (w *world) parentMasked(v view, o *organization) []sport.ID {
	if o.ParentID == "" {
		return nil
	}
	var masked []sport.ID
	for _, a := range o.reach {
		if a != o.ID && !w.below(v, o.ParentID, a) {
			masked = append(masked, a)
		}
	}
	return masked
}
