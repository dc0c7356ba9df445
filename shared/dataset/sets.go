package dataset

import (
	"slices"

	"touchline/shared/sport"
)

// The value sets of decisions.md and dataset.md. They are constants but for the
// language: nothing writes to them.
var (
	organizationTypes = sport.OrganizationTypes()
	statuses          = sport.Statuses()
	visibilities      = sport.Visibilities()
	plans             = sport.Plans()
	competitionTypes  = sport.CompetitionTypes()
	stages            = sport.Stages()
	formats           = sport.Formats()
	genders           = sport.Genders()
	matchStatuses     = sport.MatchStatuses()
	winners           = sport.Winners()
	positions         = sport.Positions()
	sides             = sport.Sides()
	periods           = sport.Periods()
	tables            = sport.TableNames()
	carryPoints       = []sport.CarryPoints{sport.CarryFull, sport.CarryHalfDown, sport.CarryHalfUp, sport.CarryNone}
	carryAmong        = []sport.CarryAmong{sport.CarryAll, sport.CarryQualified}
	tableCriteria     = sport.TableCriteria()
	olderHeadToHead   = []sport.TieBreaker{sport.ByHeadToHeadPoints, sport.ByHeadToHeadGoalDiff, sport.ByHeadToHeadGoalsFor}
	tieBreakers       = slices.Concat(tableCriteria, []sport.TieBreaker{sport.ByName}, olderHeadToHead)
	eventTypes        = sport.EventTypes()
	eventDetails      = sport.EventDetails()
)
