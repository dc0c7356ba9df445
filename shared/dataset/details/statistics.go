package details

import (
	"slices"

	"touchline/shared/dataset/jsonl"
	"touchline/shared/sport"
)

// figures are those of one side, in the order of decisions.md (V).
var figures = jsonl.Struct([]jsonl.Field[sport.StatLine]{
	figure("possession", func(v *sport.StatLine) **int { return &v.Possession }),
	figure("shots", func(v *sport.StatLine) **int { return &v.Shots }),
	figure("shotsOnTarget", func(v *sport.StatLine) **int { return &v.ShotsOnTarget }),
	figure("shotsOffTarget", func(v *sport.StatLine) **int { return &v.ShotsOffTarget }),
	figure("blockedShots", func(v *sport.StatLine) **int { return &v.BlockedShots }),
	figure("corners", func(v *sport.StatLine) **int { return &v.Corners }),
	figure("offsides", func(v *sport.StatLine) **int { return &v.Offsides }),
	figure("fouls", func(v *sport.StatLine) **int { return &v.Fouls }),
	figure("yellowCards", func(v *sport.StatLine) **int { return &v.YellowCards }),
	figure("redCards", func(v *sport.StatLine) **int { return &v.RedCards }),
	figure("saves", func(v *sport.StatLine) **int { return &v.Saves }),
	figure("passes", func(v *sport.StatLine) **int { return &v.Passes }),
	figure("passesCompleted", func(v *sport.StatLine) **int { return &v.PassesCompleted }),
	figure("penalties", func(v *sport.StatLine) **int { return &v.Penalties }),
})

func figure(name string, of func(*sport.StatLine) **int) jsonl.Field[sport.StatLine] {
	return jsonl.Optional(name, jsonl.Pointer(jsonl.Count()), of)
}

var statisticsFields = []jsonl.Field[sport.MatchStatistics]{
	jsonl.Required("home", figures, func(v *sport.MatchStatistics) *sport.StatLine { return &v.Home }),
	jsonl.Required("away", figures, func(v *sport.MatchStatistics) *sport.StatLine { return &v.Away }),
	jsonl.Optional("periods", jsonl.ListOf(maxPeriods, jsonl.Struct(periodFields), checkPeriod),
		func(v *sport.MatchStatistics) *[]sport.PeriodStatistics { return &v.Periods }),
}

var periodFields = []jsonl.Field[sport.PeriodStatistics]{
	jsonl.Required("period", period, func(v *sport.PeriodStatistics) *sport.Period { return &v.Period }),
	jsonl.Required("home", figures, func(v *sport.PeriodStatistics) *sport.StatLine { return &v.Home }),
	jsonl.Required("away", figures, func(v *sport.PeriodStatistics) *sport.StatLine { return &v.Away }),
}

// Statistics are the statistics of a match.
var Statistics = jsonl.Pointer(jsonl.Struct(statisticsFields))

// maxPeriods bounds the periods of a match's statistics (D47).
const maxPeriods = 12

func checkPeriod(l *jsonl.Line, before []sport.PeriodStatistics, p *sport.PeriodStatistics) {
	if p.Period != "" && slices.ContainsFunc(before, func(o sport.PeriodStatistics) bool { return o.Period == p.Period }) {
		l.Faultf("period", "%q is in the list already", p.Period)
	}
}
