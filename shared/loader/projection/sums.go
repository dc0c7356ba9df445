package projection

import (
	"maps"
	"slices"

	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// seasonsOf is what the finished matches of a team, or of a player of it, add up to, by
// season; nil: there aren't any. Where no season is asked for, the entry's own season and
// friendlies without one count, and everything where the entry has none either (D39).
func seasonsOf[G, S any](p *Projector, v world.View, t *world.Team, bySeason map[int][]G, match func(*G) matchRef, sum func([]G) S) *records.SeasonsRecord[S] {
	if len(bySeason) == 0 {
		return nil
	}
	byYear := map[int]*records.Seen[S]{}
	for year, matches := range bySeason {
		if year != 0 {
			byYear[year] = seen(p, v, t, matches, match, sum)
		}
	}
	own := byYear[t.Season]
	if t.Season == 0 || len(bySeason[0]) > 0 {
		years := []int{t.Season, 0}
		if t.Season == 0 {
			years = slices.Sorted(maps.Keys(bySeason)) // the order is the same at every load
		}
		var matches []G
		for _, year := range years {
			matches = append(matches, bySeason[year]...)
		}
		own = seen(p, v, t, matches, match, sum)
	}
	return records.NewSeasons(byYear, t.Season, own)
}

// Guests of a team are the keys that see it, and its players, through its
// competition alone. Of what else it plays they see what is in their own scope
// (D24), so its numbers differ for them. Nearly all teams have no guests, or
// play nothing else.

// matchRef is as much of a match as decides who sees it.
type matchRef struct {
	season     world.SeasonID // without a competition: the id is empty
	home, away sport.ID
}

// seen is what matches add up to, for those who see them all, and for the guests of a
// team. Guests who see the same matches are together; guests who see all are left out.
func seen[G, S any](p *Projector, v world.View, t *world.Team, matches []G, match func(*G) matchRef, sum func([]G) S) *records.Seen[S] {
	r := &records.Seen[S]{All: sum(matches)}
	elsewhere := make(map[int]records.Scope)
	for i := range matches {
		if m := match(&matches[i]); t.CompetitionID != "" && m.season != t.SeasonID() {
			elsewhere[i] = p.matchScope(v, p.World.Competitions.At(v, m.season), m.home, m.away)
		}
	}
	if len(elsewhere) == 0 {
		return r
	}
	var sights [][]bool // which matches each of the guests sees
	guestsLike := func(organization sport.ID, descendants bool) *records.Scope {
		sees := make([]bool, len(matches))
		var in []G
		for i, m := range matches {
			scope, other := elsewhere[i]
			if sees[i] = !other || scope.Contains(organization, descendants); sees[i] {
				in = append(in, m)
			}
		}
		if len(in) == len(matches) {
			return &records.Scope{} // they are no guests of these matches
		}
		same := slices.IndexFunc(sights, func(other []bool) bool { return slices.Equal(other, sees) })
		if same < 0 {
			same, sights = len(sights), append(sights, sees)
			r.Guests = append(r.Guests, records.Guest[S]{Season: sum(in)})
		}
		return &r.Guests[same].Scope
	}
	guests := p.World.Guests(v, t)
	for _, id := range guests.Owners {
		s := guestsLike(id, false)
		s.Owners = append(s.Owners, id)
	}
	for _, id := range guests.Reach {
		s := guestsLike(id, true)
		s.Reach = append(s.Reach, id)
	}
	return r
}
