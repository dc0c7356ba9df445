// Package parts holds the parts of a match that its record may leave out: line-ups,
// events and statistics (dataset.md).
//
// ReadLineups, ReadEvents and ReadStatistics each read the value of their field and
// check what one match alone can break. They would be most of a large dataset in
// memory, so [Pack] keeps them in about a tenth of what the structs take.
package parts

import "touchline/shared/sport"

// The value sets of decisions.md and dataset.md. Nothing writes to them.
var (
	positions    = sport.Positions()
	sides        = sport.Sides()
	periods      = sport.Periods()
	eventTypes   = sport.EventTypes()
	eventDetails = sport.EventDetails()
)
