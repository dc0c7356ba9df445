package wire

import (
	"touchline/shared/sport"
	"touchline/shared/statistics"
	"touchline/shared/store/records"
)

// TeamTotals are what matches of a team add up to (decisions.md, Bodies: K).
type TeamTotals struct {
	Played        int `json:"played"`
	Won           int `json:"won"`
	Drawn         int `json:"drawn"`
	Lost          int `json:"lost"`
	GoalsFor      int `json:"goalsFor"`
	GoalsAgainst  int `json:"goalsAgainst"`
	GoalDiff      int `json:"goalDiff" signed:"true" doc:"goalsFor less goalsAgainst."`
	Points        int `json:"points" signed:"true" doc:"With startingPoints; may be negative."`
	CleanSheets   int `json:"cleanSheets"`
	FailedToScore int `json:"failedToScore"`
}

// TeamTotalsOf shows them.
func TeamTotalsOf(t *statistics.Record) TeamTotals {
	return TeamTotals{
		Played: t.Played, Won: t.Won, Drawn: t.Drawn, Lost: t.Lost,
		GoalsFor: t.GoalsFor, GoalsAgainst: t.GoalsAgainst, GoalDiff: t.GoalsFor - t.GoalsAgainst,
		Points: t.Points, CleanSheets: t.CleanSheets, FailedToScore: t.FailedToScore,
	}
}

// PlayerTotals are what a player did in matches (decisions.md, Bodies: Q), with the fields
// of the record, in its order.
type PlayerTotals struct {
	Appearances    int  `json:"appearances"`
	Starts         int  `json:"starts"`
	SubstitutedIn  int  `json:"substitutedIn"`
	SubstitutedOut int  `json:"substitutedOut"`
	Minutes        int  `json:"minutes"`
	Goals          int  `json:"goals"`
	PenaltyGoals   int  `json:"penaltyGoals"`
	OwnGoals       int  `json:"ownGoals"`
	Assists        int  `json:"assists"`
	Yellow         int  `json:"yellow"`
	SecondYellow   int  `json:"secondYellow"`
	Red            int  `json:"red"`
	CleanSheets    *int `json:"cleanSheets"` // null but for goalkeepers (D42)
}

// ListedMatch is an item of a team's matches: a match, and what it belongs to.
type ListedMatch struct {
	Match
	Competition *Competition `json:"competition"` // null: a friendly
}

// ListedMatchOf shows a list item.
func ListedMatchOf(e *records.MatchEntry) ListedMatch { return matchInCompetition(&e.Match) }

func matchInCompetition(m *records.Match) ListedMatch {
	return ListedMatch{Match: MatchOf(m), Competition: orNull(m.Competition, CompetitionOf)}
}

// PlayedMatch is an item of a player's matches.
type PlayedMatch struct {
	ListedMatch
	Performance Performance `json:"performance"`
}

// Performance is a player's part in one match.
type Performance struct {
	Side         sport.Side `json:"side"`
	TeamID       sport.ID   `json:"teamId"`
	Started      bool       `json:"started"`
	Captain      bool       `json:"captain"`
	Minutes      int        `json:"minutes"`
	Goals        int        `json:"goals"`
	Assists      int        `json:"assists"`
	Yellow       int        `json:"yellow"`
	SecondYellow int        `json:"secondYellow"`
	Red          int        `json:"red"`
}

// PlayedMatchOf shows a list item: the match, and the player's part in it.
func PlayedMatchOf(m *records.Match, p *records.PerformanceEntry) PlayedMatch {
	return PlayedMatch{ListedMatch: matchInCompetition(m), Performance: Performance{
		Side: p.Side, TeamID: p.Team, Started: p.Started, Captain: p.Captain, Minutes: p.Minutes,
		Goals: p.Goals, Assists: p.Assists, Yellow: p.Yellow, SecondYellow: p.SecondYellow, Red: p.Red,
	}}
}
