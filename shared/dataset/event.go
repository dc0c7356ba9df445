package dataset

import (
	"slices"
	"strings"

	"touchline/shared/sport"
)

// eventFields is an event of a match.
var eventFields = []field[sport.Event]{
	{"id", optional, func(l *line, e *sport.Event) {
		if b, ok := l.key(); ok {
			e.ID = sport.IDFor(sport.KindEvent, string(b))
		}
	}},
	{"type", required, func(l *line, e *sport.Event) { e.Type = enum(l, eventTypes) }},
	{"detail", optional, func(l *line, e *sport.Event) { e.Detail = enum(l, eventDetails) }},
	{"period", optional, func(l *line, e *sport.Event) { e.Period = enum(l, periods) }},
	{"minute", required, func(l *line, e *sport.Event) { e.Minute = l.integer(0, maxMinute) }},
	{"extraMinute", optional, func(l *line, e *sport.Event) { e.ExtraMinute = l.integer(0, maxMinute) }},
	{"side", optional, func(l *line, e *sport.Event) { e.Side = enum(l, sides) }},
	{"playerId", optional, func(l *line, e *sport.Event) { e.PlayerID = l.ref(sport.KindPlayer) }},
	{"assistId", optional, func(l *line, e *sport.Event) { e.AssistID = l.ref(sport.KindPlayer) }},
	{"playerInId", optional, func(l *line, e *sport.Event) { e.PlayerInID = l.ref(sport.KindPlayer) }},
	{"playerOutId", optional, func(l *line, e *sport.Event) { e.PlayerOutID = l.ref(sport.KindPlayer) }},
}

// maxEvents bounds the events of a match (D47).
const maxEvents = 400

func readEvents(l *line) []sport.Event {
	var events []sport.Event
	list(l, maxEvents, func(int) {
		var e sport.Event
		before := l.faults
		object(l, eventFields, &e)
		if !l.broken && l.faults == before {
			checkEvent(l, &e)
		}
		events = append(events, e)
	})
	return events
}

// detailsOf gives the details that events of a type can have, and the one that
// stands for none given: empty where a type needs its detail or has none.
func detailsOf(t sport.EventType) (details []sport.EventDetail, missing sport.EventDetail, needed bool) {
	switch t {
	case sport.EventGoal:
		return eventDetails[0:3], sport.GoalRegular, false
	case sport.EventCard:
		return eventDetails[3:6], "", true
	case sport.EventMissedPenalty:
		return eventDetails[6:8], "", false
	case sport.EventShootoutPenalty:
		return eventDetails[6:9], "", true
	case sport.EventPeriod:
		return eventDetails[9:11], "", true
	}
	return nil, "", false
}

// checkEvent judges an event whose fields are right one by one, and fills in
// detail and period.
func checkEvent(l *line, e *sport.Event) {
	details, missing, needed := detailsOf(e.Type)
	switch {
	case e.Detail == "" && needed:
		l.fault("detail", "is missing; of type "+string(e.Type)+" it is one of "+joinDetails(details))
	case e.Detail == "":
		e.Detail = missing
	case len(details) == 0:
		l.fault("detail", "cannot stand in an event of type "+string(e.Type))
	case !slices.Contains(details, e.Detail):
		l.fault("detail", "must be one of "+joinDetails(details)+" in an event of type "+string(e.Type))
	}
	switch {
	case e.Type == sport.EventPeriod:
		e.Side = "" // D45
	case e.Side == "":
		l.fault("side", "is missing")
	}
	if e.Type == sport.EventShootoutPenalty && e.Period != "" && e.Period != sport.PenaltyShootout {
		l.fault("period", "of a shootoutPenalty is penaltyShootout")
	}
	if e.Period == "" {
		e.Period = periodOf(e.Type, e.Minute)
	}
}

func joinDetails(details []sport.EventDetail) string {
	names := make([]string, len(details))
	for i, d := range details {
		names[i] = string(d)
	}
	return strings.Join(names, ", ")
}

// periodOf derives the period of an event from its minute; what happens in
// stoppage time has the last minute of its period.
func periodOf(t sport.EventType, minute int) sport.Period {
	switch {
	case t == sport.EventShootoutPenalty:
		return sport.PenaltyShootout
	case minute <= 45:
		return sport.FirstHalf
	case minute <= 90:
		return sport.SecondHalf
	case minute <= 105:
		return sport.ExtraTimeFirst
	}
	return sport.ExtraTimeSecond
}
