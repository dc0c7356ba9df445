package statistics_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
	"touchline/shared/statistics"
)

func TestCleanSheetsAreForGoalkeepers(t *testing.T) {
	n := func(i int) *int { return &i }
	shut := statistics.Performance{Appeared: true, ShutOut: true}
	shutAs := func(p sport.Position) statistics.Performance { x := shut; x.Position = p; return x }
	for name, c := range map[string]struct {
		own    sport.Position
		played []statistics.Performance
		want   *int
	}{
		"a defender's":                               {sport.Defender, []statistics.Performance{shut}, nil},
		"of a position unknown":                      {"", []statistics.Performance{shut}, nil},
		"a goalkeeper's":                             {sport.Goalkeeper, []statistics.Performance{shut, {Appeared: true}}, n(1)},
		"a goalkeeper's who never played":            {sport.Goalkeeper, nil, n(0)},
		"by the line-up":                             {"", []statistics.Performance{shutAs(sport.Goalkeeper)}, n(1)},
		"by the line-up, against the record":         {sport.Goalkeeper, []statistics.Performance{shutAs(sport.Forward)}, n(0)},
		"an outfield player's between the posts":     {sport.Forward, []statistics.Performance{shutAs(sport.Goalkeeper), shut}, n(1)},
		"listed as one, not on the pitch, conceding": {"", []statistics.Performance{{Position: sport.Goalkeeper}}, n(0)},
	} {
		t.Run(name, func(t *testing.T) {
			var games []statistics.PlayerGame
			for _, p := range c.played {
				games = append(games, statistics.PlayerGame{CompetitionID: "c", Season: 1, Figures: statistics.FiguresOf(c.own, p)})
			}
			got := statistics.OfPlayer(c.own, games)
			if diff := cmp.Diff(c.want, got.Totals.CleanSheets); diff != "" {
				t.Error(diff)
			}
			if len(games) > 0 {
				if diff := cmp.Diff(c.want, got.Competitions[0].CleanSheets); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}
