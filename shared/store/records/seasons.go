package records

import (
	"fmt"
	"maps"
	"slices"

	"touchline/shared/packed"
)

// SeasonsRecord is what the finished matches of a team or of a player add up to,
// by season: TeamSeasonsKey and PlayerSeasonsKey, with S a TeamSeasonRecord or a
// PlayerSeasonRecord.
//
// All seasons are in one item: a load writes it once, where an item for each
// season and one more for the entry's own would be two for nearly every player.
// What seasons have in common, such as names, is in them again and again, so
// several are deflated: 25 seasons of a player take less than one unit to read.
type SeasonsRecord[S any] struct {
	Parts []byte `dynamodbav:"z"` // seasons, packed
}

type seasons[S any] struct {
	Years   []int // in order
	Seasons []S   // of each year
	// OwnYear is the season of the entry, 0: none. Own is what it adds up to with
	// friendlies of no season, or with all matches where the entry has no season
	// (D39); nil where that is the same as its season alone, or nothing.
	OwnYear int
	Own     *S
}

// NewSeasons is the record of seasons by year, and of the entry's own: own is one
// of these where it is the same, and nil where it adds up to nothing.
func NewSeasons[S any](byYear map[int]*S, ownYear int, own *S) (*SeasonsRecord[S], error) {
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
		return &SeasonsRecord[S]{Parts: packed.Marshal(&all)}, nil
	}
	parts, err := packed.Deflate(&all)
	if err != nil {
		return nil, fmt.Errorf("encode seasons: %w", err)
	}
	return &SeasonsRecord[S]{Parts: parts}, nil
}

// Season is what a season adds up to, 0 being the entry's own; nil: nothing.
func (r *SeasonsRecord[S]) Season(year int) (*S, error) {
	var all seasons[S]
	if err := packed.Unmarshal(r.Parts, &all); err != nil {
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
