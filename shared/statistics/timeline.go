package statistics

import "touchline/shared/sport"

// Moment is an event of a match as matches/{id}/events shows it.
type Moment struct {
	sport.Event              // Side is empty for a period event (D45)
	Score       *sport.Score // the running score after a goal; nil for any other event
}

// Timeline returns a match's events in the order of the record, goals with the
// running score. A goal, even an own goal, counts for the side that it is
// credited to.
func Timeline(events []sport.Event) []Moment {
	moments := make([]Moment, len(events))
	var score sport.Score
	for i, e := range events {
		if e.Type == sport.EventPeriod {
			e.Side = ""
		}
		moments[i] = Moment{Event: e}
		if e.Type != sport.EventGoal {
			continue
		}
		switch e.Side {
		case sport.SideHome:
			score.Home++
		case sport.SideAway:
			score.Away++
		}
		after := score
		moments[i].Score = &after
	}
	return moments
}
