package loader

import (
	"slices"

	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// Guests of a team are the keys that see it, and its players, through its
// competition alone. Of what else it plays they see what is in their own scope
// (D24), so that its numbers are others to them. Nearly all teams have no
// guests, or play nothing else; what is computed here is for the few.

// encounter is as much of a match as tells who sees it.
type encounter struct {
	season     season // without a competition: the id is empty
	home, away sport.ID
}

// sight is what some guests of a team see of its matches.
type sight struct {
	guests records.Scope
	sees   []bool
}

// seen are those of the matches that are in sight.
func seen[G any](s sight, matches []G) []G {
	var in []G
	for i, m := range matches {
		if s.sees[i] {
			in = append(in, m)
		}
	}
	return in
}

// guests of a team, each with descendants or without.
func (w *world) guests(v view, t *team) records.Scope {
	c := w.competitions.at(v, t.season())
	if t.CompetitionID == "" || c == nil || !c.public() {
		return records.Scope{}
	}
	host := w.organizations.at(v, c.OrganizationID).ownerScope()
	owner := w.organizations.at(v, t.OrganizationID).ownerScope()
	return records.Scope{Owners: without(host.Owners, owner.Owners), Reach: without(host.Reach, owner.Reach)}
}

func without(ids, others records.IDs) records.IDs {
	return slices.DeleteFunc(slices.Clone(ids), func(id sport.ID) bool { return slices.Contains(others, id) })
}

// sights are the guests of a team by which of n matches they see: those who see
// the same are together, those who see all of them are left out.
func (p *projector) sights(v view, t *team, n int, match func(int) encounter) []sight {
	elsewhere := make(map[int]records.Scope)
	for i := range n {
		if m := match(i); t.CompetitionID != "" && m.season != t.season() {
			elsewhere[i] = p.world.matchScope(v, p.world.competitions.at(v, m.season), m.home, m.away)
		}
	}
	if len(elsewhere) == 0 {
		return nil
	}
	var all []sight
	at := func(organization sport.ID, descendants bool) *sight {
		sees := make([]bool, n)
		for i := range sees {
			scope, other := elsewhere[i]
			sees[i] = !other || scope.Contains(organization, descendants)
		}
		if !slices.Contains(sees, false) {
			return nil
		}
		same := slices.IndexFunc(all, func(s sight) bool { return slices.Equal(s.sees, sees) })
		if same < 0 {
			same, all = len(all), append(all, sight{sees: sees})
		}
		return &all[same]
	}
	guests := p.world.guests(v, t)
	for _, id := range guests.Owners {
		if s := at(id, false); s != nil {
			s.guests.Owners = append(s.guests.Owners, id)
		}
	}
	for _, id := range guests.Reach {
		if s := at(id, true); s != nil {
			s.guests.Reach = append(s.guests.Reach, id)
		}
	}
	return all
}
