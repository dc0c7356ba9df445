package standings_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
	"touchline/shared/standings"
)

func TestSourcesAreTheWaysInWhichMatchesEnded(t *testing.T) {
	hockey := sport.Rules{Win: 3, ExtraTimeWin: new(2), ExtraTimeLoss: new(1), ShootoutWin: new(2), ShootoutLoss: new(1)}
	late := match("m3", 3, "ajax", "brann", 4, 3)
	late.ExtraTime = true
	own := match("m6", 6, "ajax", "brann", 1, 1)
	own.Points = &sport.Score{Home: 2, Away: 1}
	unplayed := withStatus(sport.Live, match("m8", 8, "ajax", "brann", 1, 0))
	matches := []sport.Match{
		match("m1", 1, "ajax", "brann", 2, 1), match("m2", 2, "brann", "ajax", 0, 1), late,
		shotOut(1, 2, match("m4", 4, "ajax", "brann", 2, 2)), withWinner(match("m5", 5, "ajax", "brann", 0, 1), sport.WinnerHome), own,
		match("m7", 7, "ajax", "brann", 0, 0), unplayed, match("m9", 9, "ajax", "celtic", 5, 0),
	}
	cases := []struct {
		name    string
		rules   sport.Rules
		forfeit sport.ID
		want    map[sport.ID][]string
	}{
		{"points for extra time and shoot-outs", hockey, "", map[sport.ID][]string{
			"ajax":  {"2 won (6)", "1 won after extra time (2)", "1 drawn (0)", "1 lost by a shoot-out (1)", "1 with points given (2)", "1 by a ruling (3)"},
			"brann": {"1 won by a shoot-out (2)", "1 drawn (0)", "2 lost (0)", "1 lost after extra time (1)", "1 with points given (1)", "1 by a ruling (0)"},
		}},
		{"no points for them, and a match that is awarded", sport.Rules{Win: 3, Draw: 1}, "m1", map[sport.ID][]string{
			"ajax":  {"2 won (6)", "2 drawn (2)", "2 with points given (5)", "1 by a ruling (3)"},
			"brann": {"2 drawn (2)", "2 lost (0)", "2 with points given (1)", "1 by a ruling (0)"},
		}},
		{"margins", sport.Rules{Win: 3, Draw: 1, Margins: []sport.Margin{{By: 1, Win: new(2), Loss: new(1)}}}, "", map[sport.ID][]string{
			"ajax":  {"3 won by up to 1 (6)", "2 drawn (2)", "1 with points given (2)", "1 by a ruling (3)"},
			"brann": {"2 drawn (2)", "3 lost by up to 1 (3)", "1 with points given (1)", "1 by a ruling (0)"},
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			matches := slices.Clone(matches)
			for i := range matches {
				if m := &matches[i]; m.ID == c.forfeit {
					m.Points = &sport.Score{Home: 3}
				}
			}
			in := standings.Input{Rules: c.rules, Matches: matches, Teams: []standings.TeamEntry{{ID: "ajax"}, {ID: "brann"}}}
			got := map[sport.ID][]string{}
			for team, sources := range standings.Sources(in) {
				for _, s := range sources {
					got[team] = append(got[team], s.String())
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
