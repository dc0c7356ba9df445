package dataset

import (
	"slices"

	"touchline/shared/sport"
)

// figure is one of the figures of a match's statistics.
type figure struct {
	name string
	of   func(*sport.StatLine) **int
}

// figures lists them in the order of decisions.md (V).
var figures = []figure{
	{"possession", func(v *sport.StatLine) **int { return &v.Possession }},
	{"shots", func(v *sport.StatLine) **int { return &v.Shots }},
	{"shotsOnTarget", func(v *sport.StatLine) **int { return &v.ShotsOnTarget }},
	{"shotsOffTarget", func(v *sport.StatLine) **int { return &v.ShotsOffTarget }},
	{"blockedShots", func(v *sport.StatLine) **int { return &v.BlockedShots }},
	{"corners", func(v *sport.StatLine) **int { return &v.Corners }},
	{"offsides", func(v *sport.StatLine) **int { return &v.Offsides }},
	{"fouls", func(v *sport.StatLine) **int { return &v.Fouls }},
	{"yellowCards", func(v *sport.StatLine) **int { return &v.YellowCards }},
	{"redCards", func(v *sport.StatLine) **int { return &v.RedCards }},
	{"saves", func(v *sport.StatLine) **int { return &v.Saves }},
	{"passes", func(v *sport.StatLine) **int { return &v.Passes }},
	{"passesCompleted", func(v *sport.StatLine) **int { return &v.PassesCompleted }},
	{"penalties", func(v *sport.StatLine) **int { return &v.Penalties }},
}

var figureFields = fieldsOf(figures)

func fieldsOf(figures []figure) []field[sport.StatLine] {
	fields := make([]field[sport.StatLine], len(figures))
	for i, f := range figures {
		fields[i] = field[sport.StatLine]{f.name, optional, func(l *line, v *sport.StatLine) {
			n := l.count()
			*f.of(v) = &n
		}}
	}
	return fields
}

var statisticsFields = []field[sport.MatchStatistics]{
	{"home", required, func(l *line, v *sport.MatchStatistics) { object(l, figureFields, &v.Home) }},
	{"away", required, func(l *line, v *sport.MatchStatistics) { object(l, figureFields, &v.Away) }},
	{"periods", optional, readPeriods},
}

var periodFields = []field[sport.PeriodStatistics]{
	{"period", required, func(l *line, v *sport.PeriodStatistics) { v.Period = enum(l, periods) }},
	{"home", required, func(l *line, v *sport.PeriodStatistics) { object(l, figureFields, &v.Home) }},
	{"away", required, func(l *line, v *sport.PeriodStatistics) { object(l, figureFields, &v.Away) }},
}

func readStatistics(l *line) *sport.MatchStatistics {
	v := &sport.MatchStatistics{}
	object(l, statisticsFields, v)
	return v
}

// maxPeriods bounds the periods of a match's statistics (D47).
const maxPeriods = 12

func readPeriods(l *line, v *sport.MatchStatistics) {
	list(l, maxPeriods, func(int) {
		var p sport.PeriodStatistics
		object(l, periodFields, &p)
		if p.Period != "" && slices.ContainsFunc(v.Periods, func(o sport.PeriodStatistics) bool { return o.Period == p.Period }) {
			l.faultf("period", "%q is in the list already", p.Period)
		}
		v.Periods = append(v.Periods, p)
	})
}
