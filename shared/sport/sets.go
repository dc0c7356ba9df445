package sport

// The sets of values, each in the order of decisions.md and dataset.md: what a
// dataset may hold, and what the OpenAPI document lists.

func OrganizationTypes() []OrganizationType { return []OrganizationType{Federation, Association, Club} }
func Statuses() []Status                    { return []Status{Active, Inactive} }
func Visibilities() []Visibility            { return []Visibility{Public, Hidden, Private} }
func Plans() []Plan                         { return []Plan{PlanPro, PlanFree} }
func CompetitionTypes() []CompetitionType   { return []CompetitionType{League, Cup, Tournament} }
func Stages() []Stage                       { return []Stage{Regular, Playoff, Playout} }
func Formats() []Format                     { return []Format{FormatLeague, FormatKnockout} }
func Genders() []Gender                     { return []Gender{Men, Women} }
func MatchStatuses() []MatchStatus          { return []MatchStatus{Upcoming, Live, Finished, Postponed} }
func Winners() []Winner                     { return []Winner{WinnerHome, WinnerAway, WinnerDraw, WinnerNone} }
func Positions() []Position                 { return []Position{Goalkeeper, Defender, Midfielder, Forward} }
func Sides() []Side                         { return []Side{SideHome, SideAway} }
func TableNames() []TableName               { return []TableName{TableRegular, TablePlayoff, TablePlayout} }
func CarryAmongValues() []CarryAmong        { return []CarryAmong{CarryAll, CarryQualified} }
func WithdrawnMatchesValues() []WithdrawnMatches {
	return []WithdrawnMatches{MatchesAnnulled, MatchesAwarded}
}

func CarryPointsValues() []CarryPoints {
	return []CarryPoints{CarryFull, CarryHalfDown, CarryHalfUp, CarryNone}
}

func Periods() []Period {
	return []Period{FirstHalf, SecondHalf, ExtraTimeFirst, ExtraTimeSecond, PenaltyShootout}
}

func EventTypes() []EventType {
	return []EventType{EventGoal, EventCard, EventSubstitution, EventMissedPenalty, EventShootoutPenalty, EventPeriod, EventSuspension, EventTimeout}
}

func EventDetails() []EventDetail {
	return []EventDetail{
		GoalRegular, GoalPenalty, GoalOwn, CardYellow, CardSecondYellow, CardRed,
		PenaltyMissed, PenaltySaved, PenaltyScored, PeriodStart, PeriodEnd,
	}
}
