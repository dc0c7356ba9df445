package wire

import (
	"touchline/shared/route"
	"touchline/shared/statistics"
	"touchline/shared/store/records"
)

// Scorer is an item of a competition's top scorers; Value is what they are
// ranked by (D27).
type Scorer struct {
	Rank         int    `json:"rank" min:"1" doc:"From 1; equals share a rank."`
	Player       Person `json:"player"`
	Team         Team   `json:"team"`
	Value        int    `json:"value"`
	Goals        int    `json:"goals"`
	PenaltyGoals int    `json:"penaltyGoals"`
	Assists      int    `json:"assists"`
	Appearances  int    `json:"appearances"`
}

// Scorer shows an item.
func (s Players) Scorer(e *records.ScorerEntry) Scorer {
	return Scorer{
		Rank: e.Rank, Player: s.Person(&e.Player), Team: TeamOf(&e.Team), Value: e.Value,
		Goals: e.Goals, PenaltyGoals: e.PenaltyGoals, Assists: e.Assists, Appearances: e.Appearances,
	}
}

// Cards is an item of a competition's cards, of a player or of a team.
type Cards struct {
	Player *PlayerCards
	Team   *TeamCards // nil: a player's
}

// PlayerCards are the cards of a player. A second yellow card is not counted as
// yellow again, and red are direct ones only (D27).
type PlayerCards struct {
	Rank         int    `json:"rank" min:"1" doc:"From 1; equals share a rank."`
	Player       Person `json:"player"`
	Team         Team   `json:"team"`
	Yellow       int    `json:"yellow"`
	SecondYellow int    `json:"secondYellow"`
	Red          int    `json:"red"`
	Total        int    `json:"total"`
	Appearances  int    `json:"appearances"`
}

// TeamCards are the cards of a team's players.
type TeamCards struct {
	Rank           int  `json:"rank" min:"1" doc:"From 1; equals share a rank."`
	Team           Team `json:"team"`
	Yellow         int  `json:"yellow"`
	SecondYellow   int  `json:"secondYellow"`
	Red            int  `json:"red"`
	Total          int  `json:"total"`
	Played         int  `json:"played"`
	FairPlayPoints int  `json:"fairPlayPoints" signed:"true" max:"0" doc:"-1 for a yellow card, -3 for a second yellow, -4 for a red."`
}

// Cards shows an item: a player's where the entry names one.
func (s Players) Cards(e *records.CardEntry) Cards {
	if e.Player != nil {
		return Cards{Player: &PlayerCards{
			Rank: e.Rank, Player: s.Person(e.Player), Team: TeamOf(&e.Team),
			Yellow: e.Yellow, SecondYellow: e.SecondYellow, Red: e.Red, Total: e.Total,
			Appearances: e.Appearances,
		}}
	}
	return Cards{Team: &TeamCards{
		Rank: e.Rank, Team: TeamOf(&e.Team),
		Yellow: e.Yellow, SecondYellow: e.SecondYellow, Red: e.Red, Total: e.Total, Played: e.Played,
		FairPlayPoints: statistics.FairPlayPoints(statistics.Cards{Yellow: e.Yellow, SecondYellow: e.SecondYellow, Red: e.Red}),
	}}
}

// MarshalJSON writes the one of the two that there is, without HTML escaping
// (D32).
func (c Cards) MarshalJSON() ([]byte, error) {
	if c.Team != nil {
		return route.JSON(c.Team)
	}
	return route.JSON(c.Player)
}

// Leader is one of the first of a ranking.
type Leader struct {
	Rank   int    `json:"rank" min:"1" doc:"From 1; equals share a rank."`
	Player Person `json:"player"`
	Team   Team   `json:"team"`
	Value  int    `json:"value"`
}

func (s Players) leader(l *records.Leader) Leader {
	return Leader{Rank: l.Rank, Player: s.Person(&l.Player), Team: TeamOf(&l.Team), Value: l.Value}
}
