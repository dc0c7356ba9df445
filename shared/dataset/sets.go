package dataset

import "touchline/shared/sport"

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
	sides             = sport.Sides()
	tables            = sport.TableNames()
)
