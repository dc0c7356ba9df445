package statistics

import (
	"cmp"
	"slices"

	"touchline/shared/sport"
)

// The last minute of each period. What is played after it is stoppage time.
const (
	endFirstHalf  = 45
	endSecondHalf = 90
	endExtraFirst = 105
	endExtraTime  = 120
)

// Bands is the number of 15-minute bands of goalsByMinute (D42).
const Bands = 6

const bandMinutes = 15

// MinutesOf returns the first and the last minute of a band, numbered from 0.
func MinutesOf(i int) (from, to int) { return i*bandMinutes + 1, (i + 1) * bandMinutes }

// Length of a match in minutes: 90, or 120 after extra time (D29).
func Length(m sport.Match) int {
	if m.ExtraTime {
		return endExtraTime
	}
	return endSecondHalf
}

// periodOf is the period of an event; if the event names none, that of its
// minute.
func periodOf(e sport.Event) sport.Period {
	switch {
	case e.Period != "":
		return e.Period
	case e.Type == sport.EventShootoutPenalty:
		return sport.PenaltyShootout
	case e.Minute <= endFirstHalf:
		return sport.FirstHalf
	case e.Minute <= endSecondHalf:
		return sport.SecondHalf
	case e.Minute <= endExtraFirst:
		return sport.ExtraTimeFirst
	}
	return sport.ExtraTimeSecond
}

// minuteOf is the minute that an event counts as, from 0 to length: stoppage
// time counts as the last minute of its period (D42), the shoot-out as the end
// of the match.
func minuteOf(e sport.Event, length int) int {
	last := length
	switch periodOf(e) {
	case sport.FirstHalf:
		last = endFirstHalf
	case sport.SecondHalf:
		last = endSecondHalf
	case sport.ExtraTimeFirst:
		last = endExtraFirst
	case sport.PenaltyShootout:
		return length
	}
	return max(0, min(e.Minute, last, length))
}

// bandOf is the band of a goal, from 0 (minutes 1 to 15) to 5 (76 to 90).
// Stoppage time belongs to the last band of its half, extra time to the last
// band of all (D42).
func bandOf(e sport.Event) int {
	switch periodOf(e) {
	case sport.FirstHalf:
		return (max(1, min(e.Minute, endFirstHalf)) - 1) / bandMinutes
	case sport.SecondHalf:
		return (max(endFirstHalf+1, min(e.Minute, endSecondHalf)) - 1) / bandMinutes
	}
	return Bands - 1
}

// chronological returns the events in the order of time. Events at the same
// moment keep the order of the record.
func chronological(events []sport.Event) []sport.Event {
	sorted := slices.Clone(events)
	slices.SortStableFunc(sorted, func(a, b sport.Event) int {
		return cmp.Or(
			cmp.Compare(turn(periodOf(a)), turn(periodOf(b))),
			cmp.Compare(a.Minute, b.Minute),
			cmp.Compare(a.ExtraMinute, b.ExtraMinute),
		)
	})
	return sorted
}

// turn is a period's place in the order of play.
func turn(p sport.Period) int {
	return slices.Index([]sport.Period{
		sport.FirstHalf, sport.SecondHalf, sport.ExtraTimeFirst, sport.ExtraTimeSecond, sport.PenaltyShootout,
	}, p)
}
