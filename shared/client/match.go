package client

import (
	"time"

	"touchline/shared/sport"
)

// Score are the goals, or the scored penalties, of two sides.
type Score struct {
	Home int `json:"home"`
	Away int `json:"away"`
}

// Match is a match.
type Match struct {
	ID        sport.ID          `json:"id"`
	Status    sport.MatchStatus `json:"status"`
	KickoffAt time.Time         `json:"kickoffAt"` // UTC
	Home      Team              `json:"home"`
	Away      Team              `json:"away"`
	Score     Score             `json:"score"`     // 0:0 before kickoff
	Penalties *Score            `json:"penalties"` // the shoot-out
	Leg       *int              `json:"leg"`       // 1 or 2
	TwoLegs   bool              `json:"twoLegs"`
	Winner    sport.Winner      `json:"winner"` // none until finished
	Round     int               `json:"round"`
	Group     *string           `json:"group"` // its name
}

// MatchDetail is a match asked for by id.
type MatchDetail struct {
	Competition *Competition `json:"competition"` // nil: a friendly
	Match       Match        `json:"match"`
}

// TeamMatch is an item of a team's matches.
type TeamMatch struct {
	Match
	Competition *Competition `json:"competition"` // nil: a friendly
}

// PlayerMatch is an item of a player's matches.
type PlayerMatch struct {
	Match
	Competition *Competition `json:"competition"` // nil: a friendly
	Performance Performance  `json:"performance"`
}

// Performance is what a player did in a match.
type Performance struct {
	Side    sport.Side `json:"side"`
	TeamID  sport.ID   `json:"teamId"`
	Started bool       `json:"started"`
	Captain bool       `json:"captain"`
	Minutes int        `json:"minutes"`
	Goals   int        `json:"goals"`
	Assists int        `json:"assists"`
	Yellow  int        `json:"yellow"`
	// SecondYellow is not among Yellow or Red (D27).
	SecondYellow int `json:"secondYellow"`
	Red          int `json:"red"`
}

// Lineups are the two squads of a match. If they are not published, Confirmed is
// false and the squads are empty.
type Lineups struct {
	MatchID   sport.ID `json:"matchId"`
	Confirmed bool     `json:"confirmed"`
	Home      Squad    `json:"home"`
	Away      Squad    `json:"away"`
}

// Squad is one side's line-up.
type Squad struct {
	Team      Team          `json:"team"`
	Formation *string       `json:"formation"`
	Coach     *Coach        `json:"coach"`
	Starting  []LineupEntry `json:"starting"`
	Bench     []LineupEntry `json:"bench"`
}

// Coach is who coaches a squad.
type Coach struct {
	Name string `json:"name"`
}

// LineupEntry is one player of a squad.
type LineupEntry struct {
	Player    *Person         `json:"player"` // nil: not named
	Number    int             `json:"number"` // in this match
	Captain   bool            `json:"captain"`
	Position  *sport.Position `json:"position"`
	Grid      *string         `json:"grid"`      // row:col
	MinuteIn  *int            `json:"minuteIn"`  // 0 for a starter
	MinuteOut *int            `json:"minuteOut"` // nil: not taken off
}

// Events are what happened in a match.
type Events struct {
	MatchID sport.ID `json:"matchId"`
	Events  []Event  `json:"events"`
}

// Event is something that happened in a match. The side and team of an own goal
// are those that it is credited to, its player is the scorer.
type Event struct {
	ID          sport.ID           `json:"id"`
	Order       int                `json:"order"`
	Type        sport.EventType    `json:"type"`
	Detail      *sport.EventDetail `json:"detail"`
	Period      sport.Period       `json:"period"`
	Minute      int                `json:"minute"`
	ExtraMinute *int               `json:"extraMinute"`
	Minutes     int                `json:"minutes,omitempty"` // of a suspension
	Side        *sport.Side        `json:"side"`              // nil for an event of a period (D45)
	Team        *Team              `json:"team"`              // nil for an event of a period (D45)
	Player      *Person            `json:"player"`
	Assist      *Person            `json:"assist"`
	PlayerIn    *Person            `json:"playerIn"`
	PlayerOut   *Person            `json:"playerOut"`
	Score       *Score             `json:"score"` // after a goal
}

// MatchStatistics are the two sides' figures.
type MatchStatistics struct {
	MatchID   sport.ID           `json:"matchId"`
	Available bool               `json:"available"`
	Home      *Figures           `json:"home"`
	Away      *Figures           `json:"away"`
	Periods   []PeriodStatistics `json:"periods"`
}

// PeriodStatistics are the figures of one period.
type PeriodStatistics struct {
	Period sport.Period `json:"period"`
	Home   Figures      `json:"home"`
	Away   Figures      `json:"away"`
}

// Figures are those of one side; nil: unknown.
type Figures struct {
	Possession      *int `json:"possession"` // per cent
	Shots           *int `json:"shots"`
	ShotsOnTarget   *int `json:"shotsOnTarget"`
	ShotsOffTarget  *int `json:"shotsOffTarget"`
	BlockedShots    *int `json:"blockedShots"`
	Corners         *int `json:"corners"`
	Offsides        *int `json:"offsides"`
	Fouls           *int `json:"fouls"`
	YellowCards     *int `json:"yellowCards"`
	RedCards        *int `json:"redCards"`
	Saves           *int `json:"saves"`
	Passes          *int `json:"passes"`
	PassesCompleted *int `json:"passesCompleted"`
	Penalties       *int `json:"penalties"`
}
