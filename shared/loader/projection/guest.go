package projection

import (
	"slices"

	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// Guests of a team are the keys that see it, and its players, through its
// competition alone. Of what else it plays they see what is in their own scope
// (D24), so its numbers differ for them. Nearly all teams have no guests, or
// play nothing else; this file is for the few that do.

// matchRef is as much of a match as decides who sees it.
type matchRef struct {
	season     world.SeasonID // without a competition: the id is empty
	home, away sport.ID
}

// guestView is what some guests of a team see of its matches.
type guestView struct {
	guests records.Scope
	sees   []bool
}

// visibleTo are those of the matches that are in sight.
func visibleTo[G any](s guestView, matches []G) []G {
	var in []G
	for i, m := range matches {
		if s.sees[i] {
			in = append(in, m)
		}
	}
	return in
}

// guestViews are the guests of a team by which of n matches they see. Guests who see the
// same matches are together; guests who see all are left out.
func (p *Projector) guestViews(v world.View, t *world.Team, n int, match func(int) matchRef) []guestView {
	elsewhere := make(map[int]records.Scope)
	for i := range n {
		if m := match(i); t.CompetitionID != "" && m.season != t.SeasonID() {
			elsewhere[i] = p.matchScope(v, p.World.Competitions.At(v, m.season), m.home, m.away)
		}
	}
	if len(elsewhere) == 0 {
		return nil
	}
	var all []guestView
	at := func(organization sport.ID, descendants bool) *guestView {
		sees := make([]bool, n)
		for i := range sees {
			scope, other := elsewhere[i]
			sees[i] = !other || scope.Contains(organization, descendants)
		}
		if !slices.Contains(sees, false) {
			return nil
		}
		same := slices.IndexFunc(all, func(s guestView) bool { return slices.Equal(s.sees, sees) })
		if same < 0 {
			same, all = len(all), append(all, guestView{sees: sees})
		}
		return &all[same]
	}
	guests := p.World.Guests(v, t)
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
