package loader

import (
	"cmp"
	"maps"
	"slices"

	"touchline/shared/sport"
)

// lineup is what a match says about who belongs to a competition.
type lineup struct {
	season season
	squad  []sport.ID
}

// appearing is whom a match makes a player of its competition: those in its
// published line-ups, unless it is a friendly or outside every scope.
func (w *world) appearing(v view, id sport.ID) lineup {
	m := w.matches.at(v, id)
	if m == nil || m.CompetitionID == "" || len(m.squad) == 0 {
		return lineup{}
	}
	c := w.competitions.at(v, m.season())
	home, away := w.teams.at(v, m.HomeTeamID), w.teams.at(v, m.AwayTeamID)
	if c == nil || home == nil || away == nil || m.hidden(c, home, away) {
		return lineup{}
	}
	return lineup{season: m.season(), squad: m.squad}
}

// noteAppearances notes what changes between the two views of a match.
func (w *world) noteAppearances(id sport.ID) {
	was, is := w.appearing(before, id), w.appearing(after, id)
	for _, x := range was.squad {
		w.appearances.remove(x, appearance{was.season, id})
	}
	for _, x := range is.squad {
		w.appearances.add(x, appearance{is.season, id})
	}
}

// setLineups decides, in the view after, in which competitions' line-ups a
// player is. Only seasons touched by the load can differ from what is stored.
func (w *world) setLineups(id sport.ID, touched set[season]) {
	x := w.players.at(after, id)
	if x == nil {
		return
	}
	in := set[season]{}
	for _, s := range x.lineups {
		if _, open := touched[s]; !open {
			in.add(s)
		}
	}
	w.appearances.each(after, id, func(a appearance) {
		if _, open := touched[a.season]; open {
			in.add(a.season)
		}
	})
	lineups := slices.SortedFunc(maps.Keys(in), func(a, b season) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Season, b.Season))
	})
	if !slices.Equal(lineups, x.lineups) {
		renewed := *x
		renewed.lineups = lineups
		w.players.changed[id] = &renewed
	}
}

// setCurrent decides, in the view after, which season of a competition is the
// current one: the highest of those that a dataset calls current; without one,
// the highest of those it does not call otherwise; else the highest.
func (w *world) setCurrent(id sport.ID) {
	best, rank := 0, -1
	w.seasons.each(after, id, func(year int) {
		c := w.competitions.at(after, season{ID: id, Season: year})
		if c == nil {
			return
		}
		r := 1
		if c.Current != nil {
			r = 0
			if *c.Current {
				r = 2
			}
		}
		if r > rank || r == rank && year > best {
			best, rank = year, r
		}
	})
	w.seasons.each(after, id, func(year int) {
		key := season{ID: id, Season: year}
		c := w.competitions.at(after, key)
		if c != nil && c.current != (year == best) {
			renewed := *c
			renewed.current = year == best
			w.competitions.changed[key] = &renewed
		}
	})
}

// currentSeason is the current season of a competition in the view after; 0:
// there is no such competition.
func (w *world) currentSeason(id sport.ID) int {
	current := 0
	w.seasons.each(after, id, func(year int) {
		if c := w.competitions.at(after, season{ID: id, Season: year}); c != nil && c.current {
			current = year
		}
	})
	return current
}
