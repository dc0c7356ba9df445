package statistics

import (
	"cmp"
	"slices"

	"touchline/shared/sport"
)

// Bands is the number of 15-minute bands of goalsByMinute (D42).
const Bands = 6

const bandMinutes = 15

// MinutesOf returns the first and the last minute of a band, numbered from 0.
func MinutesOf(i int) (from, to int) { return i*bandMinutes + 1, (i + 1) * bandMinutes }

// clock is how the minutes of a match are counted.
type clock struct{ sport.Clock }

// place is the period of an event by its place in the match.
func (c clock) place(e *sport.Event) int {
	place, _ := c.Place(c.Of(e))
	return place
}

// minute is the minute that an event counts as, from 0 to length: stoppage
// time counts as the last minute of its period (D42), the shoot-out as the end
// of the match.
func (c clock) minute(e *sport.Event, length int) int {
	if c.Of(e) == sport.PenaltyShootout {
		return length
	}
	return max(0, min(e.Minute, c.End(c.place(e)), length))
}

// band is the band of a goal, from 0 (minutes 1 to 15) to 5 (76 to 90).
// Stoppage time belongs to the last band of its period, extra time to the last
// band of all (D42), and so does what is later in a match of more than 90 minutes.
func (c clock) band(e *sport.Event) int {
	place := c.place(e)
	if place >= c.Count {
		return Bands - 1
	}
	minute := max(c.End(place-1)+1, min(e.Minute, c.End(place)))
	return min((minute-1)/bandMinutes, Bands-1)
}

// chronological returns the events in the order of time. Events at the same
// moment keep the order of the record.
func (c clock) chronological(events []sport.Event) []sport.Event {
	sorted := slices.Clone(events)
	slices.SortStableFunc(sorted, func(a, b sport.Event) int {
		return cmp.Or(
			cmp.Compare(c.place(&a), c.place(&b)),
			cmp.Compare(a.Minute, b.Minute),
			cmp.Compare(a.ExtraMinute, b.ExtraMinute),
		)
	})
	return sorted
}
