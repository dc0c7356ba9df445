// Package details holds the details of a match that its record may leave out: line-ups,
// events and statistics (dataset.md).
//
// Lineups, Events and Statistics are the values of their fields. Reading one checks what
// one match alone can break; which periods and positions it can have is up to its
// competition (package relations). They would be most of a large dataset in
// memory, so [Pack] keeps them in about a tenth of what the structs take.
package details

import (
	"slices"

	"touchline/shared/dataset/jsonl"
	"touchline/shared/sport"
)

// The value sets of decisions.md and dataset.md. Nothing writes to them.
var (
	sides        = sport.Sides()
	eventTypes   = sport.EventTypes()
	eventDetails = sport.EventDetails()
)

// numbered names the periods of all matches that do not have two.
var numbered = sport.Clock{Count: sport.MaxPeriods, Minutes: 1}

// period is the name of a period, of whatever sport.
var period = jsonl.String(readPeriod)

func readPeriod(l *jsonl.Line) sport.Period {
	p := sport.Period(l.Text(jsonl.MaxName))
	if _, ok := numbered.Place(p); p == "" || ok || slices.Contains(sport.Periods(), p) {
		return p
	}
	l.Fault("", "must be one of "+sport.Halves().Names()+", or of another number of periods "+numbered.Names()+jsonl.NotGiven(string(p)))
	return ""
}

// maxPosition bounds a position (D61), in characters.
const maxPosition = 40

// Position is a position of a player, of whatever sport.
var Position = jsonl.String(func(l *jsonl.Line) sport.Position { return sport.Position(l.Text(maxPosition)) })
