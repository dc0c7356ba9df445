package sport

import "strconv"

// Clock is how the matches of a competition are divided: a full match has Count
// periods of Minutes each (D61). Extra time is two periods of Extra where Count is 2, else
// as many overtimes of Extra as a match needs (D77).
type Clock struct {
	Count   int
	Minutes int
	Extra   int
}

// Halves are the periods of football, and of a competition that gives none.
func Halves() Clock { return Clock{Count: 2, Minutes: 45, Extra: 15} }

// MaxPeriods bounds the periods of a match, and those of its overtime.
const MaxPeriods = 20

// Full is the length of a match without extra time, in minutes.
func (c Clock) Full() int { return c.Count * c.Minutes }

// Length of a match in minutes (D29). With a Count other than 2 it has as many overtimes
// as its events show, at least one, and ends with the goal that is their only one and has
// won it (D77). Read are ExtraTime, Score and Events.
func (c Clock) Length(m *Match) int {
	switch {
	case !m.ExtraTime:
		return c.Full()
	case c.Count == 2:
		return c.Full() + 2*c.Extra
	}
	last, goals, end := c.Count, 0, 0
	lead := SideHome
	if m.Score.Lead() < 0 {
		lead = SideAway
	}
	for i := range m.Events {
		e := &m.Events[i]
		place, _ := c.Place(c.Of(e))
		if place < c.Count || place == c.places() {
			continue
		}
		last = max(last, place)
		if e.Type == EventGoal {
			if goals++; e.Side == lead && e.Minute > c.End(place-1) {
				end = min(e.Minute, c.End(place))
			}
		}
	}
	if goals == 1 && end > 0 && m.Score != nil && max(m.Score.Home-m.Score.Away, m.Score.Away-m.Score.Home) == 1 {
		return end
	}
	return c.End(last)
}

// Of is the period of an event: the one that it gives, if such a match has it, else
// that of its minute. What happens in stoppage time has the last minute of its period;
// what is later than any period belongs to the last.
func (c Clock) Of(e *Event) Period {
	if _, has := c.Place(e.Period); has {
		return e.Period
	}
	if e.Type == EventShootoutPenalty {
		return PenaltyShootout
	}
	if e.Minute <= c.Full() {
		return c.name(max(e.Minute-1, 0) / c.Minutes)
	}
	later := 0
	if c.Extra > 0 {
		later = (e.Minute - c.Full() - 1) / c.Extra
	}
	return c.name(min(c.Count+later, c.places()-1))
}

// Place is where a period comes in the match, from 0, the shoot-out after all others;
// false for one that such a match does not have.
func (c Clock) Place(period Period) (place int, has bool) {
	for place := range c.places() {
		if c.name(place) == period {
			return place, true
		}
	}
	return c.places(), period == PenaltyShootout
}

// End is the last minute of the period at a place. What is played after it is stoppage
// time.
func (c Clock) End(place int) int {
	return min(place+1, c.Count)*c.Minutes + max(place+1-c.Count, 0)*c.Extra
}

// Names are the periods that a match can have, for a message.
func (c Clock) Names() string {
	if c.Count == 2 {
		return "firstHalf, secondHalf, extraTimeFirst, extraTimeSecond, penaltyShootout"
	}
	return "period1 to period" + strconv.Itoa(c.Count) + ", overtime1 and so on, penaltyShootout"
}

// halves are the periods of a match that has two, in playing order.
var halves = [...]Period{FirstHalf, SecondHalf, ExtraTimeFirst, ExtraTimeSecond}

// places is how many periods there can be, without the shoot-out.
func (c Clock) places() int {
	if c.Count == 2 {
		return len(halves)
	}
	return c.Count + MaxPeriods
}

// name is the period at a place.
func (c Clock) name(place int) Period {
	switch {
	case c.Count == 2:
		return halves[place]
	case place < c.Count:
		return Period("period" + strconv.Itoa(place+1))
	}
	return Period("overtime" + strconv.Itoa(place-c.Count+1))
}
