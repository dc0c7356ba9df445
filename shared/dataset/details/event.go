package details

import (
	"slices"
	"strconv"
	"strings"

	"touchline/shared/dataset/jsonl"
	"touchline/shared/sport"
)

// eventFields is an event of a match.
var eventFields = []jsonl.Field[sport.Event]{
	jsonl.Optional("id", jsonl.String(readEventID), func(e *sport.Event) *sport.ID { return &e.ID }),
	jsonl.Required("type", jsonl.OneOf(eventTypes), func(e *sport.Event) *sport.EventType { return &e.Type }),
	jsonl.Optional("detail", jsonl.OneOf(eventDetails), func(e *sport.Event) *sport.EventDetail { return &e.Detail }),
	jsonl.Optional("period", period, func(e *sport.Event) *sport.Period { return &e.Period }),
	jsonl.Required("minute", jsonl.Integer(0, maxMinute), func(e *sport.Event) *int { return &e.Minute }),
	jsonl.Optional("extraMinute", jsonl.Integer(0, maxMinute), func(e *sport.Event) *int { return &e.ExtraMinute }),
	jsonl.Optional("minutes", jsonl.Integer(1, maxMinute), func(e *sport.Event) *int { return &e.Minutes }),
	jsonl.Optional("side", jsonl.OneOf(sides), func(e *sport.Event) *sport.Side { return &e.Side }),
	jsonl.Optional("playerId", jsonl.Ref(sport.KindPlayer), func(e *sport.Event) *sport.ID { return &e.PlayerID }),
	jsonl.Optional("assistId", jsonl.Ref(sport.KindPlayer), func(e *sport.Event) *sport.ID { return &e.AssistID }),
	jsonl.Optional("playerInId", jsonl.Ref(sport.KindPlayer), func(e *sport.Event) *sport.ID { return &e.PlayerInID }),
	jsonl.Optional("playerOutId", jsonl.Ref(sport.KindPlayer), func(e *sport.Event) *sport.ID { return &e.PlayerOutID }),
}

// maxMinute bounds minutes of a match, stoppage time included; it only refuses
// what cannot be a minute.
const maxMinute = 999

// maxEvents bounds the events of a match (D47).
const maxEvents = 400

// Events are the events of a match. Those that give no id or no period have none: see
// Complete.
var Events = jsonl.ListOf(maxEvents, jsonl.Value[sport.Event]{Read: readEvent, Append: jsonl.Struct(eventFields).Append}, nil)

// EventColumns are those of a sheet whose rows are events.
func EventColumns() []jsonl.Column { return jsonl.Columns(eventFields) }

func readEvent(l *jsonl.Line) sport.Event {
	var e sport.Event
	before := l.Faults()
	jsonl.ReadObject(l, eventFields, &e)
	if !l.Broken() && l.Faults() == before {
		checkEvent(l, &e)
	}
	return e
}

// readEventID reads the id of an event, which nothing refers to.
func readEventID(l *jsonl.Line) sport.ID {
	if b, ok := l.Key(); ok {
		return sport.IDFor(sport.KindEvent, string(b))
	}
	return ""
}

// said is what an event says that tells it from the others of its match (D76). Who it was
// plays no part: an id would tell of a player whom the event does not name.
type said struct {
	period      sport.Period
	kind        sport.EventType
	detail      sport.EventDetail
	side        sport.Side
	minute, add int
}

func saidBy(e *sport.Event) said {
	return said{e.Period, e.Type, e.Detail, e.Side, e.Minute, e.ExtraMinute}
}

// eventIDs are the ids of the events of a match as far as they give none: each that
// of the key `<the match's id as given>/<period>/<type>/<detail>/<side>/<minute>/
// <extraMinute>/<n>` (dataset.md). The n-th event that says the same, with
// an id or without, has the number n, from 1.
func eventIDs(matchKey string, events []sport.Event) []sport.ID {
	ids := make([]sport.ID, len(events))
	counts := make(map[said]int, len(events))
	var key []byte
	for i := range events {
		e := saidBy(&events[i])
		counts[e]++
		key = append(key[:0], matchKey...)
		for _, part := range []string{
			string(e.period), string(e.kind), string(e.detail), string(e.side), strconv.Itoa(e.minute), strconv.Itoa(e.add), strconv.Itoa(counts[e]),
		} {
			key = append(append(key, '/'), part...)
		}
		ids[i] = sport.IDFor(sport.KindEvent, string(key))
	}
	return ids
}

// Complete fills in the periods and then the ids of events that have none, and periods
// that such a match does not have. matchKey is the id of the match as the operator
// gives it.
func Complete(matchKey string, clock sport.Clock, events []sport.Event) {
	for i := range events {
		events[i].Period = clock.Of(&events[i])
	}
	if !slices.ContainsFunc(events, func(e sport.Event) bool { return e.ID == "" }) {
		return
	}
	ids := eventIDs(matchKey, events)
	for i := range events {
		if events[i].ID == "" {
			events[i].ID = ids[i]
		}
	}
}

// EqualEvents returns the places of two events without an id that say the same: which
// of them has which id depends on their order. ok is false if no two are equal.
func EqualEvents(events []sport.Event) (first, second int, ok bool) {
	places := map[said]int{}
	for i := range events {
		if events[i].ID != "" {
			continue
		}
		e := saidBy(&events[i])
		e.period = sport.Halves().Of(&events[i]) // in any sport those of one minute have one
		if at, there := places[e]; there {
			return at, i, true
		}
		places[e] = i
	}
	return 0, 0, false
}

// detailsOf returns the details that events of a type can have, and the default
// where none is given: empty if the type needs its detail or has none.
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

// checkEvent checks the fields of an event against each other, and fills in the
// detail.
func checkEvent(l *jsonl.Line, e *sport.Event) {
	details, missing, needed := detailsOf(e.Type)
	switch {
	case e.Detail == "" && needed:
		l.Fault("detail", "is missing; of type "+string(e.Type)+" it is one of "+joinDetails(details))
	case e.Detail == "":
		e.Detail = missing
	case len(details) == 0:
		l.Fault("detail", "must not be given in an event of type "+string(e.Type))
	case !slices.Contains(details, e.Detail):
		l.Fault("detail", "must be one of "+joinDetails(details)+" in an event of type "+string(e.Type))
	}
	switch {
	case e.Type == sport.EventPeriod:
		e.Side = "" // D45
	case e.Side == "" && e.Type != sport.EventTimeout: // which may be the referee's
		l.Fault("side", "is missing")
	}
	if e.Type == sport.EventShootoutPenalty && e.Period != "" && e.Period != sport.PenaltyShootout {
		l.Fault("period", "of a shootoutPenalty is penaltyShootout")
	}
}

func joinDetails(details []sport.EventDetail) string {
	names := make([]string, len(details))
	for i, d := range details {
		names[i] = string(d)
	}
	return strings.Join(names, ", ")
}
