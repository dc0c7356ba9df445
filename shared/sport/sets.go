package sport

// The sets of values, each in the order of decisions.md and dataset.md: what a
// dataset may hold, and what the OpenAPI document lists.

// OrganizationTypes are the values of OrganizationType.
func OrganizationTypes() []OrganizationType { return []OrganizationType{Federation, Association, Club} }

// Statuses are the values of Status.
func Statuses() []Status { return []Status{Active, Inactive} }

// Visibilities are the values of Visibility.
func Visibilities() []Visibility { return []Visibility{Public, Hidden, Private} }

// Plans are the values of Plan.
func Plans() []Plan { return []Plan{PlanPro, PlanFree} }

// CompetitionTypes are the values of CompetitionType.
func CompetitionTypes() []CompetitionType { return []CompetitionType{League, Cup, Tournament} }

// Stages are the values of Stage.
func Stages() []Stage { return []Stage{Regular, Playoff, Playout} }

// Formats are the values of Format.
func Formats() []Format { return []Format{FormatLeague, FormatKnockout} }

// Genders are the values of Gender.
func Genders() []Gender { return []Gender{Men, Women} }

// MatchStatuses are the values of MatchStatus.
func MatchStatuses() []MatchStatus { return []MatchStatus{Upcoming, Live, Finished, Postponed} }

// Winners are the values of Winner.
func Winners() []Winner { return []Winner{WinnerHome, WinnerAway, WinnerDraw, WinnerNone} }

// Positions are the values of Position.
func Positions() []Position { return []Position{Goalkeeper, Defender, Midfielder, Forward} }

// Sides are the values of Side.
func Sides() []Side { return []Side{SideHome, SideAway} }

// Periods are the values of Period.
func Periods() []Period {
	return []Period{FirstHalf, SecondHalf, ExtraTimeFirst, ExtraTimeSecond, PenaltyShootout}
}

// EventTypes are the values of EventType.
func EventTypes() []EventType {
	return []EventType{EventGoal, EventCard, EventSubstitution, EventMissedPenalty, EventShootoutPenalty, EventPeriod, EventSuspension, EventTimeout}
}

// EventDetails are the values of EventDetail.
func EventDetails() []EventDetail {
	return []EventDetail{
		GoalRegular, GoalPenalty, GoalOwn, CardYellow, CardSecondYellow, CardRed,
		PenaltyMissed, PenaltySaved, PenaltyScored, PeriodStart, PeriodEnd,
	}
}

// TableNames are the values of TableName.
func TableNames() []TableName { return []TableName{TableRegular, TablePlayoff, TablePlayout} }

// CarryPointsValues are the values of CarryPoints.
func CarryPointsValues() []CarryPoints {
	return []CarryPoints{CarryFull, CarryHalfDown, CarryHalfUp, CarryNone}
}

// CarryAmongValues are the values of CarryAmong.
func CarryAmongValues() []CarryAmong { return []CarryAmong{CarryAll, CarryQualified} }
