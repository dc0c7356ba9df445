package wire

import (
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// MatchStatistics are a match in numbers (decisions.md, Bodies).
type MatchStatistics struct {
	MatchID   sport.ID        `json:"matchId"`
	Available bool            `json:"available"`
	Home      *Figures        `json:"home"` // null where not available
	Away      *Figures        `json:"away"` // null as Home is
	Periods   []PeriodFigures `json:"periods"`
}

// PeriodFigures are the numbers of one period.
type PeriodFigures struct {
	Period sport.Period `json:"period" doc:"Of two periods firstHalf or secondHalf, then extraTimeFirst, extraTimeSecond and penaltyShootout; of another number period1 and so on, then overtime1 and so on."`
	Home   Figures      `json:"home"`
	Away   Figures      `json:"away"`
}

// Figures are one side's numbers; null is not known.
type Figures struct {
	Possession      *int `json:"possession" max:"100" doc:"Percent."`
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

// MatchStatisticsOf shows the numbers of a match; nil means that there are
// none.
func MatchStatisticsOf(m *records.Match, r *records.FiguresRecord) MatchStatistics {
	out := MatchStatistics{MatchID: m.ID, Periods: []PeriodFigures{}}
	if r == nil {
		return out
	}
	out.Available = true
	out.Home, out.Away = new(Figures(r.Home)), new(Figures(r.Away))
	for _, p := range r.Periods {
		out.Periods = append(out.Periods, PeriodFigures{Period: p.Period, Home: Figures(p.Home), Away: Figures(p.Away)})
	}
	return out
}
