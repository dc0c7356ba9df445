package wire

import (
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// PlayerStatistics are a player's season in numbers (decisions.md, Bodies).
type PlayerStatistics struct {
	Player       Person              `json:"player"`
	Season       *int                `json:"season" min:"1" doc:"The year in which the season starts."` // the one asked for (D39)
	Totals       PlayerTotals        `json:"totals"`
	Competitions []PlayerCompetition `json:"competitions"` // never null
}

// PlayerCompetition is a player's part in a competition, with one team.
type PlayerCompetition struct {
	Competition Competition `json:"competition"`
	Team        Team        `json:"team"`
	PlayerTotals
}

// Statistics shows a player's season; asked is the season asked for, 0: none.
// Nil is a season in which the player was in no match.
func (s Players) Statistics(p *records.Player, asked int, r *records.PlayerSeason) PlayerStatistics {
	out := PlayerStatistics{Player: s.Person(&p.PlayerRef), Season: nullable(asked), Competitions: []PlayerCompetition{}}
	if r == nil {
		if p.Position == sport.Goalkeeper {
			out.Totals.CleanSheets = new(0)
		}
		return out
	}
	out.Totals = PlayerTotals(r.Totals)
	out.Competitions = each(r.Competitions, func(c *records.PlayerCompetition) PlayerCompetition {
		return PlayerCompetition{Competition: CompetitionOf(&c.Competition), Team: TeamOf(&c.Team), PlayerTotals: PlayerTotals(c.Totals)}
	})
	return out
}
