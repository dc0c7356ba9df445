package projection_test

import (
	"testing"

	"touchline/shared/loader/projection"
	"touchline/shared/sport"
	"touchline/shared/standings"
)

func TestFromSaysWhereThePointsOfARowComeFrom(t *testing.T) {
	won, ruled := standings.Source{How: "won", Matches: 4, Points: 12}, standings.Source{How: standings.RulingSource, Matches: 1, Points: 3}
	carried := sport.Rules{Carry: &sport.Carry{}}
	for _, tt := range []struct {
		name    string
		rules   sport.Rules
		start   int
		less    int
		sources []standings.Source
		want    string
	}{
		{"nothing", sport.Rules{}, 0, 0, nil, ""},
		{"results alone", sport.Rules{}, 0, 0, []standings.Source{won}, "4 won (12)"},
		{"a ruling", sport.Rules{}, 0, 0, []standings.Source{won, ruled}, "4 won (12), 1 by a ruling (3)"},
		{"deducted", sport.Rules{}, -2, -2, []standings.Source{won}, "4 won (12), deducted 2"},
		{"at the start", sport.Rules{}, 3, 0, []standings.Source{won}, "4 won (12), at the start 3"},
		{"carried", carried, 3, 0, []standings.Source{won}, "4 won (12), carried 3"},
		{"carried and deducted", carried, 4, -3, nil, "carried 7, deducted 3"},
		{"as much carried as deducted", carried, 0, -3, nil, "carried 3, deducted 3"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			row := projection.Row{Row: standings.Row{StartingPoints: tt.start}, Deducted: tt.less, Sources: tt.sources}
			if got := (&projection.Table{Rules: tt.rules}).From(&row); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}
