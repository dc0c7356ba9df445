package statistics_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
	"touchline/shared/statistics"
)

func TestFiguresByCompetitionAndTeam(t *testing.T) {
	game := func(competition sport.ID, season int, team sport.ID, p statistics.Performance) statistics.PlayerGame {
		return statistics.PlayerGame{CompetitionID: competition, Season: season, TeamID: team, Figures: statistics.FiguresOf(sport.Forward, p)}
	}
	full := statistics.Performance{Started: true, Appeared: true, Minutes: 90, Goals: 2, PenaltyGoals: 1, ShutOut: true}
	games := []statistics.PlayerGame{
		game("d", 2025, "T2", statistics.Performance{Appeared: true, SubstitutedIn: true, Minutes: 30, Yellow: 1, SecondYellow: 1}),
		game("c", 2025, "T1", full),
		game("c", 2025, "T1", statistics.Performance{}), // on the bench
		game("c", 2025, "T0", statistics.Performance{Started: true, Appeared: true, SubstitutedOut: true, Minutes: 60, OwnGoals: 1, Assists: 3, Red: 1}),
		game("c", 2024, "T1", full),
		game("", 2025, "F", full),
	}
	f := statistics.Figures{Appearances: 1, Starts: 1, Minutes: 90, Goals: 2, PenaltyGoals: 1}
	want := statistics.Player{
		Totals: statistics.Figures{
			Appearances: 5, Starts: 4, SubstitutedIn: 1, SubstitutedOut: 1, Minutes: 360, Goals: 6, PenaltyGoals: 3,
			OwnGoals: 1, Assists: 3, Yellow: 1, SecondYellow: 1, Red: 1,
		},
		Competitions: []statistics.PlayerGame{
			{CompetitionID: "c", Season: 2024, TeamID: "T1", Figures: f},
			{CompetitionID: "c", Season: 2025, TeamID: "T0", Figures: statistics.Figures{
				Appearances: 1, Starts: 1, SubstitutedOut: 1, Minutes: 60, OwnGoals: 1, Assists: 3, Red: 1,
			}},
			{CompetitionID: "c", Season: 2025, TeamID: "T1", Figures: f},
			{CompetitionID: "d", Season: 2025, TeamID: "T2", Figures: statistics.Figures{
				Appearances: 1, SubstitutedIn: 1, Minutes: 30, Yellow: 1, SecondYellow: 1,
			}},
		},
	}
	if diff := cmp.Diff(want, statistics.OfPlayer(sport.Forward, games)); diff != "" {
		t.Error(diff)
	}
}

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
