package wire

import (
	"touchline/shared/statistics"
	"touchline/shared/store/records"
)

// CompetitionStatistics are a competition's season in numbers (decisions.md,
// Bodies).
type CompetitionStatistics struct {
	Competition    Competition        `json:"competition"`
	Coverage       Coverage           `json:"coverage"`
	Totals         CompetitionTotals  `json:"totals"`
	Results        Results            `json:"results"`
	Averages       Averages           `json:"averages"`
	BiggestWin     *Match             `json:"biggestWin"`
	HighestScoring *Match             `json:"highestScoring"`
	Leaders        CompetitionLeaders `json:"leaders"`
}

// Coverage says what is known of any match of the season.
type Coverage struct {
	Lineups         bool `json:"lineups"`
	Events          bool `json:"events"`
	Assists         bool `json:"assists"`
	MatchStatistics bool `json:"matchStatistics"`
}

// CompetitionTotals are counts over a season. Goals are the scores of finished
// matches (D42).
type CompetitionTotals struct {
	Teams             int `json:"teams"`
	Players           int `json:"players"`
	Matches           int `json:"matches"`
	Finished          int `json:"finished"`
	Upcoming          int `json:"upcoming"`
	Live              int `json:"live"`
	Postponed         int `json:"postponed"`
	Goals             int `json:"goals"`
	PenaltyGoals      int `json:"penaltyGoals"`
	OwnGoals          int `json:"ownGoals"`
	YellowCards       int `json:"yellowCards"`
	SecondYellowCards int `json:"secondYellowCards"`
	RedCards          int `json:"redCards"`
}

// Results are the finished matches by who won.
type Results struct {
	HomeWins int `json:"homeWins"`
	Draws    int `json:"draws"`
	AwayWins int `json:"awayWins"`
}

// Averages are to two decimals, null without finished matches.
type Averages struct {
	GoalsPerMatch *float64 `json:"goalsPerMatch"`
	CardsPerMatch *float64 `json:"cardsPerMatch"`
}

// CompetitionLeaders are the first of the rankings, at most five each.
type CompetitionLeaders struct {
	Goals       []Leader `json:"goals"`
	Assists     []Leader `json:"assists"`
	Appearances []Leader `json:"appearances"`
	Cards       []Leader `json:"cards"`
}

// CompetitionStatistics shows a season in numbers; players is how many belong
// to it.
func (s Players) CompetitionStatistics(c *records.CompetitionRef, r *records.CompetitionStatisticsRecord, players int) CompetitionStatistics {
	return CompetitionStatistics{
		Competition: CompetitionOf(c),
		Coverage:    Coverage(r.Coverage),
		Totals: CompetitionTotals{
			Teams: r.Teams, Players: players,
			Matches: r.Matches, Finished: r.Finished, Upcoming: r.Upcoming, Live: r.Live, Postponed: r.Postponed,
			Goals: r.Goals, PenaltyGoals: r.PenaltyGoals, OwnGoals: r.OwnGoals,
			YellowCards: r.Yellow, SecondYellowCards: r.SecondYellow, RedCards: r.Red,
		},
		Results:        Results(r.Results),
		Averages:       Averages{GoalsPerMatch: orNull(r.GoalsPerMatch, hundredths), CardsPerMatch: orNull(r.CardsPerMatch, hundredths)},
		BiggestWin:     orNull(r.BiggestWin, MatchOf),
		HighestScoring: orNull(r.HighestScoring, MatchOf),
		Leaders: CompetitionLeaders{
			Goals: each(r.LeadGoals, s.leader), Assists: each(r.LeadAssists, s.leader),
			Appearances: each(r.LeadAppear, s.leader), Cards: each(r.LeadCards, s.leader),
		},
	}
}

func hundredths(n *statistics.Hundredths) float64 { return n.Float64() }
