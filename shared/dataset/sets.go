package dataset

import (
	"slices"

	"touchline/shared/sport"
)

// The value sets of decisions.md and dataset.md. They are constants but for the
// language: nothing writes to them.
var (
	organizationTypes = []sport.OrganizationType{sport.Federation, sport.Association, sport.Club}
	statuses          = []sport.Status{sport.Active, sport.Inactive}
	visibilities      = []sport.Visibility{sport.Public, sport.Hidden, sport.Private}
	plans             = []sport.Plan{sport.PlanPro, sport.PlanFree}
	competitionTypes  = []sport.CompetitionType{sport.League, sport.Cup, sport.Tournament}
	stages            = []sport.Stage{sport.Regular, sport.Playoff, sport.Playout}
	formats           = []sport.Format{sport.FormatLeague, sport.FormatKnockout}
	genders           = []sport.Gender{sport.Men, sport.Women}
	matchStatuses     = []sport.MatchStatus{sport.Upcoming, sport.Live, sport.Finished, sport.Postponed}
	winners           = []sport.Winner{sport.WinnerHome, sport.WinnerAway, sport.WinnerDraw, sport.WinnerNone}
	positions         = []sport.Position{sport.Goalkeeper, sport.Defender, sport.Midfielder, sport.Forward}
	sides             = []sport.Side{sport.SideHome, sport.SideAway}
	periods           = []sport.Period{sport.FirstHalf, sport.SecondHalf, sport.ExtraTimeFirst, sport.ExtraTimeSecond, sport.PenaltyShootout}
	tables            = []sport.TableName{sport.TableRegular, sport.TablePlayoff, sport.TablePlayout}
	carryPoints       = []sport.CarryPoints{sport.CarryFull, sport.CarryHalfDown, sport.CarryHalfUp, sport.CarryNone}
	carryAmong        = []sport.CarryAmong{sport.CarryAll, sport.CarryQualified}
	tableCriteria     = sport.TableCriteria()
	olderHeadToHead   = []sport.TieBreaker{sport.ByHeadToHeadPoints, sport.ByHeadToHeadGoalDiff, sport.ByHeadToHeadGoalsFor}
	tieBreakers       = slices.Concat(tableCriteria, []sport.TieBreaker{sport.ByName}, olderHeadToHead)
	eventTypes        = []sport.EventType{
		sport.EventGoal, sport.EventCard, sport.EventSubstitution,
		sport.EventMissedPenalty, sport.EventShootoutPenalty, sport.EventPeriod,
	}
	eventDetails = []sport.EventDetail{
		sport.GoalRegular, sport.GoalPenalty, sport.GoalOwn, sport.CardYellow, sport.CardSecondYellow, sport.CardRed,
		sport.PenaltyMissed, sport.PenaltySaved, sport.PenaltyScored, sport.PeriodStart, sport.PeriodEnd,
	}
)
