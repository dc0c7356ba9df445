package sport

// OrganizationType is the level of an organization in the hierarchy (read-api, Resources).
type OrganizationType string

const (
	Federation  OrganizationType = "federation"
	Association OrganizationType = "association"
	Club        OrganizationType = "club"
)

// Status says whether an organization, a team or a player takes part.
type Status string

const (
	Active   Status = "active"
	Inactive Status = "inactive"
)

// Visibility of a record: everything but public is outside every scope (D19).
type Visibility string

// The visibilities of dataset.md. Hidden and private differ for the operator
// only; the API treats them alike.
const (
	Public  Visibility = "public"
	Hidden  Visibility = "hidden"
	Private Visibility = "private"
)

// Plan of an organization: its keys work with pro only (D1 step 14).
type Plan string

const (
	PlanPro  Plan = "pro"
	PlanFree Plan = "free"
)

// CompetitionType is the kind of a competition.
type CompetitionType string

const (
	League     CompetitionType = "league"
	Cup        CompetitionType = "cup"
	Tournament CompetitionType = "tournament"
)

// Stage of a competition: regular, or the child of another that is its playoff
// or playout.
type Stage string

const (
	Regular Stage = "regular"
	Playoff Stage = "playoff"
	Playout Stage = "playout"
)

// Format of a competition: a table or ties.
type Format string

const (
	FormatLeague   Format = "league"
	FormatKnockout Format = "knockout"
)

// Gender of a competition or a team; empty where none is given.
type Gender string

const (
	Men   Gender = "men"
	Women Gender = "women"
)

// MatchStatus is the state of a match.
type MatchStatus string

// The match states (read-api, States and transitions).
const (
	Upcoming  MatchStatus = "upcoming"
	Live      MatchStatus = "live"
	Finished  MatchStatus = "finished"
	Postponed MatchStatus = "postponed"
)

// Winner of a match or a tie; none until it is finished (D44).
type Winner string

const (
	WinnerHome Winner = "home"
	WinnerAway Winner = "away"
	WinnerDraw Winner = "draw"
	WinnerNone Winner = "none"
)

// Position of a player on the pitch; empty where none is given. In a sport other than
// football it is any text (D61).
type Position string

const (
	Goalkeeper Position = "goalkeeper"
	Defender   Position = "defender"
	Midfielder Position = "midfielder"
	Forward    Position = "forward"
)

// Side of a match.
type Side string

const (
	SideHome Side = "home"
	SideAway Side = "away"
)

// Other is the other side; of none it is none.
func (s Side) Other() Side {
	return map[Side]Side{SideHome: SideAway, SideAway: SideHome}[s]
}

// Period of a match: one of these, or of those that a Clock names.
type Period string

// The periods of a match that has two, in playing order, and its shoot-out.
const (
	FirstHalf       Period = "firstHalf"
	SecondHalf      Period = "secondHalf"
	ExtraTimeFirst  Period = "extraTimeFirst"
	ExtraTimeSecond Period = "extraTimeSecond"
	PenaltyShootout Period = "penaltyShootout"
)

// EventType is the type of a match event.
type EventType string

const (
	EventGoal            EventType = "goal"
	EventCard            EventType = "card"
	EventSubstitution    EventType = "substitution"
	EventMissedPenalty   EventType = "missedPenalty"
	EventShootoutPenalty EventType = "shootoutPenalty"
	EventPeriod          EventType = "period"
	EventSuspension      EventType = "suspension" // of a player, for Event.Minutes
	EventTimeout         EventType = "timeout"
)

// EventDetail refines an EventType; empty where the type has none.
type EventDetail string

// The details of decisions.md, by type: goal (regular, penalty, ownGoal), card
// (yellow, secondYellow, red), missedPenalty (missed, saved), shootoutPenalty
// (scored, missed, saved), period (start, end).
const (
	GoalRegular      EventDetail = "regular"
	GoalPenalty      EventDetail = "penalty"
	GoalOwn          EventDetail = "ownGoal"
	CardYellow       EventDetail = "yellow"
	CardSecondYellow EventDetail = "secondYellow"
	CardRed          EventDetail = "red"
	PenaltyMissed    EventDetail = "missed"
	PenaltySaved     EventDetail = "saved"
	PenaltyScored    EventDetail = "scored"
	PeriodStart      EventDetail = "start"
	PeriodEnd        EventDetail = "end"
)

// TableName says which of a competition's tables a record of standings.ndjson replaces.
type TableName string

const (
	TableRegular TableName = "regular"
	TablePlayoff TableName = "playoff"
	TablePlayout TableName = "playout"
)
