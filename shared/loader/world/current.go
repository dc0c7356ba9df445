package world

import (
	"cmp"
	"iter"
	"slices"

	"touchline/shared/sport"
)

// SetCurrent decides, in the view after, which season of a competition is the
// current one: the highest of those that a dataset calls current; without one,
// the highest of those it does not call otherwise; else the highest.
func (w *World) SetCurrent(id sport.ID) {
	rank := func(c *Competition) int {
		switch {
		case c.Current == nil:
			return 1
		case *c.Current:
			return 2
		}
		return 0
	}
	best := &Competition{}
	for c := range w.SeasonsOf(After, id) {
		if best.ID == "" || cmp.Or(rank(c)-rank(best), c.Season-best.Season) > 0 {
			best = c
		}
	}
	for c := range w.SeasonsOf(After, id) {
		w.Competitions.Renew(c.SeasonID(), func(is *Competition) { is.IsCurrent = c.Season == best.Season })
	}
}

// SeasonsOf yields the seasons of a competition in a view, the earliest first.
func (w *World) SeasonsOf(v View, id sport.ID) iter.Seq[*Competition] {
	return func(yield func(*Competition) bool) {
		for _, year := range slices.Sorted(w.Seasons.In(v, id)) {
			if c := w.Competitions.At(v, SeasonID{ID: id, Season: year}); c != nil && !yield(c) {
				return
			}
		}
	}
}

// SeasonOf is a season of a competition in a view, 0 for the current one; nil if there
// isn't one.
func (w *World) SeasonOf(v View, id sport.ID, season int) *Competition {
	for c := range w.SeasonsOf(v, id) {
		if c.Season == season || season == 0 && c.IsCurrent {
			return c
		}
	}
	return nil
}

// CurrentSeason is the current season of a competition in the view after; 0:
// there is no such competition.
func (w *World) CurrentSeason(id sport.ID) int {
	if c := w.SeasonOf(After, id, 0); c != nil {
		return c.Season
	}
	return 0
}

// yearsOf are the seasons that competitions have in either view.
func (w *World) yearsOf(competitions ...sport.ID) []SeasonID {
	var seasons []SeasonID
	for _, id := range competitions {
		for year := range w.Seasons.Both(id) {
			seasons = append(seasons, SeasonID{ID: id, Season: year})
		}
	}
	return seasons
}

// allSeasons yields the seasons of competitions as they are in each view.
func (w *World) allSeasons(competitions ...sport.ID) iter.Seq[*Competition] {
	return w.Competitions.Both(w.yearsOf(competitions...)...)
}
