package dataset

import (
	"slices"

	"touchline/shared/dataset/ids"
	"touchline/shared/sport"
)

// Season returns the set's record of a season, nil if there isn't one.
func (s *Set) Season(id sport.ID, year int) *sport.Competition {
	for _, c := range s.seasons[ids.Pack(id)] {
		if c.Value.Season == year {
			return &c.Value
		}
	}
	return nil
}

// CurrentSeason is the season that is called current, else the highest of those
// that are not called otherwise, else the highest; 0: no season. More are seasons that the
// set does not hold.
func (s *Set) CurrentSeason(id sport.ID, more ...*Record[sport.Competition]) int {
	best, rank := 0, -1
	for _, c := range slices.Concat(s.seasons[ids.Pack(id)], more) {
		r := 1
		if current := c.Value.Current; current != nil {
			r = 0
			if *current {
				r = 2
			}
		}
		if r > rank || r == rank && c.Value.Season > best {
			best, rank = c.Value.Season, r
		}
	}
	return best
}
