package edits

import (
	"fmt"
	"time"

	"touchline/shared/sport"
)

// Step is the beginning or the end of a period that may be reported next.
type Step struct {
	What   string // of a Report
	Period sport.Period
}

// pause is how long a break between two periods lasts in minutes.
const pause = 15

// latest is the event of the period that began or ended last; nil: none did.
func latest(events []sport.Event) (last *sport.Event, begun int) {
	for i, e := range events {
		if e.Type != sport.EventPeriod {
			continue
		}
		last = &events[i]
		if e.Detail == sport.PeriodStart {
			begun++
		}
	}
	return last, begun
}

// minuteAt is the minute of play: the time since the kick-off without the breaks before
// the periods that are noted to have begun.
func (l *Live) minuteAt(events []sport.Event, kickoff, now time.Time) int {
	_, begun := latest(events)
	played := int(now.Sub(kickoff)/time.Minute) + 1 - pause*max(begun-1, 0)
	return max(1, min(played, l.Clock.Length(true)))
}

// steps are the end of the period that is being played, or the beginning of the next.
func (l *Live) steps(events []sport.Event) []Step {
	last, _ := latest(events)
	switch {
	case last == nil: // the kick-off was not reported here
		return []Step{{"periodEnd", l.at(0)}}
	case last.Detail == sport.PeriodStart:
		return []Step{{"periodEnd", last.Period}}
	}
	place, has := l.Clock.Place(last.Period)
	if !has || last.Period == sport.PenaltyShootout {
		return nil
	}
	var steps []Step
	if next := l.at(place + 1); next != last.Period {
		steps = append(steps, Step{"periodStart", next})
	}
	if place+1 >= l.Clock.Count {
		steps = append(steps, Step{"periodStart", sport.PenaltyShootout})
	}
	return steps
}

// at is the period at a place.
func (l *Live) at(place int) sport.Period {
	return l.Clock.Of(&sport.Event{Minute: l.Clock.End(place)})
}

// period puts the beginning or the end of a period into a patch, and into an event. False:
// there is no event to note, since the period has ended already.
func (l *Live) period(r Report, patch, e Object) (told bool, err error) {
	e["type"], e["detail"], e["period"] = sport.EventPeriod, sport.PeriodEnd, r.Period
	score := Object{"home": l.Score.Home, "away": l.Score.Away}
	switch r.What {
	case "start":
		e["detail"], e["period"], e["minute"] = sport.PeriodStart, l.at(0), 0
		patch["score"] = score
		return true, nil
	case "end":
		patch["status"], patch["score"] = sport.Finished, score
		e["period"] = l.at(l.Clock.Count - 1)
		var events []sport.Event
		for i := len(l.Events) - 1; i >= 0; i-- {
			events = append(events, l.Events[i].Event)
		}
		last, _ := latest(events)
		if last != nil && last.Detail == sport.PeriodStart {
			e["period"] = last.Period
		}
		return last == nil || last.Detail == sport.PeriodStart, nil
	case "periodStart":
		e["detail"] = sport.PeriodStart
	}
	if _, has := l.Clock.Place(r.Period); !has {
		err = fmt.Errorf("such a match has no period %q, but %s", r.Period, l.Clock.Names())
	}
	return true, err
}
