package explain_test

import (
	"testing"

	"touchline/shared/loader/explain"
	"touchline/shared/sport"
	"touchline/shared/standings"
)

func TestSourcesSayWhereThePointsOfARowComeFrom(t *testing.T) {
	carried := sport.Rules{Carry: &sport.Carry{}}
	for _, tt := range []struct {
		name                     string
		rules                    sport.Rules
		points, start            int // the points include those at the start
		rulings, pointsOfRulings int
		want                     string
	}{
		{"results alone", sport.Rules{}, 9, 0, 0, 0, "results 9"},
		{"a ruling", sport.Rules{}, 9, 0, 1, 3, "results 6, 1 ruling 3"},
		{"rulings without points", sport.Rules{}, 9, 0, 2, 0, "results 9, 2 rulings 0"},
		{"deducted", sport.Rules{}, 7, -2, 0, 0, "results 9, deducted 2"},
		{"at the start", sport.Rules{}, 12, 3, 0, 0, "results 9, at the start 3"},
		{"carried", carried, 12, 3, 0, 0, "results 9, carried 3"},
		{"all of it", sport.Rules{}, 10, -2, 1, 3, "results 9, 1 ruling 3, deducted 2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			row := explain.Row{Row: standings.Row{Points: tt.points, StartingPoints: tt.start}, Rulings: tt.rulings, RulingPoints: tt.pointsOfRulings}
			if got := (&explain.Table{Rules: tt.rules}).Sources(&row); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}
