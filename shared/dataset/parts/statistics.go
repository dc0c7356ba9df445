package parts

import (
	"slices"

	"touchline/shared/dataset/jsonl"
	"touchline/shared/sport"
)

// Figure is one of the figures of a match's statistics.
type Figure struct {
	Name string
	Of   func(*sport.StatLine) **int // nil: not known
}

// Figures lists the figures in the order of decisions.md (V).
func Figures() []Figure { return figures }

var figures = []Figure{
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

func fieldsOf(figures []Figure) []jsonl.Field[sport.StatLine] {
	fields := make([]jsonl.Field[sport.StatLine], len(figures))
	for i, f := range figures {
		fields[i] = jsonl.Optional(f.Name, func(l *jsonl.Line, v *sport.StatLine) {
			n := l.Count()
			*f.Of(v) = &n
		})
	}
	return fields
}

var statisticsFields = []jsonl.Field[sport.MatchStatistics]{
	jsonl.Required("home", func(l *jsonl.Line, v *sport.MatchStatistics) { jsonl.Object(l, figureFields, &v.Home) }),
	jsonl.Required("away", func(l *jsonl.Line, v *sport.MatchStatistics) { jsonl.Object(l, figureFields, &v.Away) }),
	jsonl.Optional("periods", readPeriods),
}

var periodFields = []jsonl.Field[sport.PeriodStatistics]{
	jsonl.Required("period", func(l *jsonl.Line, v *sport.PeriodStatistics) { v.Period = readPeriod(l) }),
	jsonl.Required("home", func(l *jsonl.Line, v *sport.PeriodStatistics) { jsonl.Object(l, figureFields, &v.Home) }),
	jsonl.Required("away", func(l *jsonl.Line, v *sport.PeriodStatistics) { jsonl.Object(l, figureFields, &v.Away) }),
}

// ReadStatistics reads the statistics of a match.
func ReadStatistics(l *jsonl.Line) *sport.MatchStatistics {
	v := &sport.MatchStatistics{}
	jsonl.Object(l, statisticsFields, v)
	return v
}

// maxPeriods bounds the periods of a match's statistics (D47).
const maxPeriods = 12

func readPeriods(l *jsonl.Line, v *sport.MatchStatistics) {
	l.List(maxPeriods, func(int) {
		var p sport.PeriodStatistics
		jsonl.Object(l, periodFields, &p)
		if p.Period != "" && slices.ContainsFunc(v.Periods, func(o sport.PeriodStatistics) bool { return o.Period == p.Period }) {
			l.Faultf("period", "%q is in the list already", p.Period)
		}
		v.Periods = append(v.Periods, p)
	})
}
