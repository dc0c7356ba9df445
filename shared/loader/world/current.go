package world

import (
	"iter"

	"touchline/shared/sport"
)

// SetCurrent decides, in the view after, which season of a competition is the
// current one: the highest of those that a dataset calls current; without one,
// the highest of those it does not call otherwise; else the highest.
func (w *World) SetCurrent(id sport.ID) {
	best, rank := 0, -1
	for year := range w.Seasons.In(After, id) {
		c := w.Competitions.At(After, SeasonID{ID: id, Season: year})
		if c == nil {
			continue
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
	}
	for year := range w.Seasons.In(After, id) {
		key := SeasonID{ID: id, Season: year}
		c := w.Competitions.At(After, key)
		if c != nil && c.IsCurrent != (year == best) {
			renewed := *c
			renewed.IsCurrent = year == best
			w.Competitions.Change(key, &renewed)
		}
	}
}

// CurrentSeason is the current season of a competition in the view after; 0:
// there is no such competition.
func (w *World) CurrentSeason(id sport.ID) int {
	current := 0
	for year := range w.Seasons.In(After, id) {
		if c := w.Competitions.At(After, SeasonID{ID: id, Season: year}); c != nil && c.IsCurrent {
			current = year
		}
	}
	return current
}

// YearsOf are the seasons that competitions have in either view.
func (w *World) YearsOf(competitions ...sport.ID) []SeasonID {
	var seasons []SeasonID
	for _, id := range competitions {
		for year := range w.Seasons.Both(id) {
			seasons = append(seasons, SeasonID{ID: id, Season: year})
		}
	}
	return seasons
}

// AllSeasons yields the seasons of competitions as they are in each view.
func (w *World) AllSeasons(competitions ...sport.ID) iter.Seq[*Competition] {
	return w.Competitions.Both(w.YearsOf(competitions...)...)
}

// SeasonOf is a season of a competition as the table holds it, 0 for the current one;
// nil if there isn't one. The competition must have been fetched.
func (w *World) SeasonOf(id sport.ID, season int) *Competition {
	var found *Competition
	for year := range w.Seasons.In(Before, id) {
		c := w.Competitions.At(Before, SeasonID{ID: id, Season: year})
		if c != nil && (year == season || season == 0 && c.IsCurrent) {
			found = c
		}
	}
	return found
}
