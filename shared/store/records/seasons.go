package records

import (
	"fmt"
	"maps"
	"slices"

	"touchline/shared/packed"
)

// SeasonsRecord is what the finished matches of a team or of a player add up to,
// by season, with S a TeamSeason or a PlayerSeason. A team's is at
// TeamSeasonsKey; a player's is in the player's record (PlayerSums), and at
// PlayerSeasonsKey only where it is long.
//
// All seasons are in one item: a load writes it once, where an item for each
// season and one more for the entry's own would be two for nearly every player.
// What seasons have in common, such as names, is in them again and again, so
// several are deflated: 25 seasons of a player take less than one unit to read.
type SeasonsRecord[S any] struct {
	Packed []byte `dynamodbav:"z"` // seasons

	plain int // bytes of Packed before they were deflated
}

// PlayerSums is what the finished matches of a player add up to, as far as the
// player's record holds it. Nearly all who have played have done so for a few
// seasons, which take less than a write unit together with the record: a load
// writes one item instead of two.
type PlayerSums struct {
	Short []byte `dynamodbav:"z,omitempty"`  // a SeasonsRecord's Packed; nil: none, or Apart
	Apart bool   `dynamodbav:"za,omitempty"` // there is an item at PlayerSeasonsKey
}

// maxShort bounds the sums in a player's record, in bytes before they are
// deflated: how far they are depends on the version of the compressor. Eight
// seasons with a league and a cup each take as much, and 0.5 KB deflated. Such a
// record is written for one unit, and read for half of one whatever the names in
// it are.
const maxShort = 3 << 10

// SumsOf is what the record of a player has of its seasons; nil: there aren't any.
func SumsOf(r *SeasonsRecord[PlayerSeason]) PlayerSums {
	switch {
	case r == nil:
		return PlayerSums{}
	case r.plain > maxShort:
		return PlayerSums{Apart: true}
	}
	return PlayerSums{Short: r.Packed}
}

// Seasons are those that the record itself holds; nil: it holds none.
func (s PlayerSums) Seasons() *SeasonsRecord[PlayerSeason] {
	if s.Short == nil {
		return nil
	}
	return &SeasonsRecord[PlayerSeason]{Packed: s.Short}
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
	plain := packed.Marshal(&all)
	if n <= 1 {
		return &SeasonsRecord[S]{plain, len(plain)}
	}
	return &SeasonsRecord[S]{packed.Deflate(&all), len(plain)}
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
