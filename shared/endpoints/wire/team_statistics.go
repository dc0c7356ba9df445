package wire

import (
	"touchline/shared/sport"
	"touchline/shared/statistics"
	"touchline/shared/store/records"
)

// TeamDetail is a team asked for by id (decisions.md, Bodies).
type TeamDetail struct {
	Team
	Club        *Club         `json:"club"`
	Competition *Competition  `json:"competition"`
	Group       *string       `json:"group" doc:"The group's name."`
	Gender      *sport.Gender `json:"gender"`
	Status      sport.Status  `json:"status"`
	PlayerCount int           `json:"playerCount"` // what the team's players would list (D42)
}

// Club is a team's owner.
type Club struct {
	ID   sport.ID `json:"id"`
	Name string   `json:"name"`
	Logo *string  `json:"logo" format:"uri-reference" doc:"URL of a picture."`
}

// TeamDetailOf shows a team that has so many players.
func TeamDetailOf(t *records.TeamRecord, players int) TeamDetail {
	return TeamDetail{
		Team: TeamOf(&t.TeamRef), Group: nullable(t.GroupName), Gender: nullable(t.Gender),
		Club: orNull(t.Club, clubOf), Competition: orNull(t.In, CompetitionOf), Status: t.Status, PlayerCount: players,
	}
}

func clubOf(c *records.ClubRef) Club { return Club{ID: c.ID, Name: c.Name, Logo: nullable(c.Logo)} }

// TeamStatistics are a team's season in numbers (decisions.md, Bodies).
type TeamStatistics struct {
	Team          Team              `json:"team"`
	Season        *int              `json:"season" min:"1" doc:"The year in which the season starts."` // the one asked for (D39)
	Overall       TeamTotals        `json:"overall"`
	Home          TeamTotals        `json:"home"`
	Away          TeamTotals        `json:"away"`
	Form          []string          `json:"form" enum:"W,D,L" items:"5" doc:"Results of the last matches, the newest last."`
	Streak        *Streak           `json:"streak"`
	BiggestWin    *Match            `json:"biggestWin"`
	BiggestLoss   *Match            `json:"biggestLoss"`
	GoalsByMinute []MinuteBand      `json:"goalsByMinute"`
	Cards         CardCounts        `json:"cards"`
	Competitions  []TeamCompetition `json:"competitions"`
}

// Streak is how many of the last matches ended alike.
type Streak struct {
	Type   string `json:"type" enum:"win,draw,loss"`
	Length int    `json:"length" min:"1"`
}

// MinuteBand are the goals of 15 minutes of the match, both bounds included
// (D42).
type MinuteBand struct {
	From    int `json:"from"`
	To      int `json:"to"`
	For     int `json:"for"`
	Against int `json:"against"`
}

// CardCounts are the cards of a team. Yellow leaves second ones out (D27).
type CardCounts struct {
	Yellow       int `json:"yellow"`
	SecondYellow int `json:"secondYellow"`
	Red          int `json:"red"`
}

// TeamCompetition is a team's part in a competition.
type TeamCompetition struct {
	Competition Competition `json:"competition"`
	Overall     TeamTotals  `json:"overall"`
}

// TeamStatisticsOf shows a team's season; asked is the season asked for, 0:
// none. One without anything is a season without finished matches.
func TeamStatisticsOf(t *records.TeamRef, asked int, r *records.TeamSeason) TeamStatistics {
	out := TeamStatistics{
		Team: TeamOf(t), Season: nullable(asked),
		Overall: TeamTotalsOf(&r.Overall), Home: TeamTotalsOf(&r.Home), Away: TeamTotalsOf(&r.Away),
		Form:       append([]string{}, r.Form...),
		BiggestWin: orNull(r.BiggestWin, MatchOf), BiggestLoss: orNull(r.BiggestLoss, MatchOf),
		GoalsByMinute: make([]MinuteBand, statistics.Bands),
		Cards:         CardCounts{Yellow: r.Yellow, SecondYellow: r.SecondYellow, Red: r.Red},
		Competitions: each(r.ByCompetition, func(c *records.TeamCompetition) TeamCompetition {
			return TeamCompetition{Competition: CompetitionOf(&c.Competition), Overall: TeamTotalsOf(&c.Overall)}
		}),
	}
	if r.StreakLength > 0 {
		out.Streak = &Streak{Type: r.StreakType, Length: r.StreakLength}
	}
	for i := range out.GoalsByMinute {
		from, to := statistics.MinutesOf(i)
		out.GoalsByMinute[i] = MinuteBand{From: from, To: to, For: at(r.GoalsFor, i), Against: at(r.GoalsAgainst, i)}
	}
	return out
}

// at is a count of a record that leaves out what is not there.
func at(counts []int, i int) int {
	if i >= len(counts) {
		return 0
	}
	return counts[i]
}
