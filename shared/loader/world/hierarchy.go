package world

import (
	"slices"

	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// TreeLevels is the deepest a tree can be asked for (read-api, Endpoint table).
const TreeLevels = 3

// Reach computes the organizations whose keys with descendants see id: itself
// and, if it is public, those that see its parents. The parents' own reach must
// be right in the view already.
func (w *World) Reach(v View, o *Organization) []sport.ID {
	reach := []sport.ID{o.ID}
	if o.Public() {
		for _, p := range o.Parents() {
			if parent := w.Organizations.At(v, p); parent != nil {
				reach = append(reach, parent.Reach...)
			}
		}
	}
	slices.Sort(reach)
	return slices.Compact(reach)
}

// Below reports whether a is below b in a view, or is b.
func (w *World) Below(v View, a, b sport.ID) bool {
	o := w.Organizations.At(v, a)
	return o != nil && slices.Contains(o.Reach, b)
}

// IsLeaf reports whether no public organization has id as a parent.
func (w *World) IsLeaf(v View, id sport.ID) bool {
	return !w.Children.Any(v, id, func(child sport.ID) bool {
		o := w.Organizations.At(v, child)
		return o != nil && o.Public()
	})
}

// Above are the organizations of o's reach but itself.
func (o *Organization) Above() []sport.ID {
	return slices.DeleteFunc(slices.Clone(o.Reach), func(id sport.ID) bool { return id == o.ID })
}

// ListedRanges are those that have lists of what lies below them, o's own among them: a
// leaf has none.
func (o *Organization) ListedRanges() []sport.ID {
	if o.Leaf {
		return o.Above()
	}
	return o.Reach
}

// OwnerScope is the scope of what an organization owns; no owner, no scope.
func (o *Organization) OwnerScope() records.Scope {
	if o == nil {
		return records.Scope{}
	}
	return records.Scope{Owners: []sport.ID{o.ID}, Reach: o.Reach}
}

// Union is the scope of what is reached in several ways (D24).
func Union(scopes ...records.Scope) records.Scope {
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

// AboveBesides are the organizations that o is below through another parent than this one.
// They see o and not the parent (D25).
func (w *World) AboveBesides(v View, o *Organization, parent sport.ID) []sport.ID {
	var others []sport.ID
	for _, a := range o.Reach {
		if a != o.ID && parent != "" && !w.Below(v, parent, a) {
			others = append(others, a)
		}
	}
	return others
}

// Guests of a team, each with descendants or without.
func (w *World) Guests(v View, t *Team) records.Scope {
	c := w.Competitions.At(v, t.SeasonID())
	if t.CompetitionID == "" || c == nil || !c.Public() {
		return records.Scope{}
	}
	host := w.Organizations.At(v, c.OrganizationID).OwnerScope()
	owner := w.Organizations.At(v, t.OrganizationID).OwnerScope()
	return records.Scope{Owners: Without(host.Owners, owner.Owners), Reach: Without(host.Reach, owner.Reach)}
}

// Without are those of the ids that are not among others.
func Without[S ~[]sport.ID](ids, others S) S {
	return slices.DeleteFunc(slices.Clone(ids), func(id sport.ID) bool { return slices.Contains(others, id) })
}
