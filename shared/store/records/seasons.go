package records

import (
	"fmt"
	"maps"
	"slices"

	"touchline/shared/packed"
)

// SeasonsRecord is what the finished matches of a team or of a player add up to,
// by season, with S a TeamSeason or a PlayerSeason.
//
// All seasons are in one item: a load writes it once, where an item for each
// season and one more for the entry's own would be two for nearly every player.
// What seasons have in common, such as names, is in them again and again, so
// several are deflated: 25 seasons of a player take less than one unit to read.
type SeasonsRecord[S any] struct {
	Packed []byte `dynamodbav:"z"` // seasons
}

type seasons[S any] struct {
	Years   []int     // in order
	Seasons []Seen[S] // of each year
	// OwnYear is the season of the entry, 0 if it has none. Own is the sum over its
	// season and the friendlies of no season, or over all matches if the entry has no
	// season (D39). It is nil if it equals the season's own sum, or is zero.
	OwnYear int
	Own     *Seen[S]
}

// NewSeasons makes the record from the sums by year and from own, the entry's own sum.
// A caller passes byYear[ownYear] as own if the two are the same, and nil if own is
// zero.
func NewSeasons[S any](byYear map[int]*Seen[S], ownYear int, own *Seen[S]) *SeasonsRecord[S] {
	all := seasons[S]{Years: slices.Sorted(maps.Keys(byYear)), OwnYear: ownYear}
	for _, year := range all.Years {
		all.Seasons = append(all.Seasons, *byYear[year])
	}
	if own != byYear[ownYear] {
		all.Own = own
	}
	n := len(all.Seasons)
	if all.Own != nil {
		n++
	}
	if n <= 1 {
		return &SeasonsRecord[S]{packed.Marshal(&all)}
	}
	return &SeasonsRecord[S]{packed.Deflate(&all)}
}

// Season is what a season adds up to, 0 being the entry's own; nil: nothing.
func (r *SeasonsRecord[S]) Season(year int) (*Seen[S], error) {
	var all seasons[S]
	if err := packed.Unmarshal(r.Packed, &all); err != nil {
		return nil, fmt.Errorf("decode seasons: %w", err)
	}
	if year == 0 {
		if all.Own != nil {
			return all.Own, nil
		}
		year = all.OwnYear
	}
	at, found := slices.BinarySearch(all.Years, year)
	if !found || at >= len(all.Seasons) {
		return nil, nil
	}
	return &all.Seasons[at], nil
}
