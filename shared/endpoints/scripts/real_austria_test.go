package scripts

import (
	"cmp"
	"fmt"
	"slices"
	"testing"
)

func TestBundesliga(t *testing.T) {
	r := loadReal(t, "austria", "at.oefb")
	for _, season := range []int{2024, 2025} {
		t.Run(fmt.Sprint("tables of ", season), func(t *testing.T) { r.holdBundesliga(t, season) })
	}
	for _, competition := range []string{"at.1", "at.1.championship", "at.1.relegation"} {
		t.Run(competition+" totals", func(t *testing.T) { r.holdTotals(t, competition) })
	}
}

func (r *real) holdBundesliga(t *testing.T, season int) {
	got := r.tables(t, "at.1", season).Data
	for _, part := range []struct {
		competition string
		rows        []standing
	}{
		{"at.1", got.Standings},
		{"at.1.championship", got.PlayoffStandings},
		{"at.1.relegation", got.PlayoutStandings},
		{"at.1.championship", r.tables(t, "at.1.championship", season).Data.Standings},
	} {
		r.holdTable(t, part.rows, r.entered(part.competition, season, ""), r.of(part.competition, season))
	}
	if season == 2024 && got.PlayoffStandings[0].Team.Name != "SK Sturm Graz" {
		t.Errorf("the champion of 2025 is %s", got.PlayoffStandings[0].Team.Name)
	}
}

// ranked is a row of a ranking by goals.
type ranked struct {
	Rank   int
	Player reference
	Value  int
}

// holdRanks holds ranks to the values: equal ones share a rank, and the next one
// counts all above (D27).
func holdRanks(t *testing.T, rows []ranked) {
	t.Helper()
	for i, row := range rows {
		above := 0
		for _, other := range rows {
			if other.Value > row.Value {
				above++
			}
		}
		if row.Rank != above+1 || i > 0 && rows[i-1].Value < row.Value {
			t.Errorf("row %d: %+v", i+1, row)
		}
	}
}

// totals are those of a competition's statistics.
type totals struct {
	Teams, Players, Matches, Finished, Upcoming, Live, Postponed int
	Goals, PenaltyGoals, OwnGoals                                int
	YellowCards, SecondYellowCards, RedCards                     int
}

func (r *real) holdTotals(t *testing.T, competition string) {
	var reply struct {
		Data struct {
			Totals  totals
			Results struct{ HomeWins, Draws, AwayWins int }
			Leaders struct{ Goals []ranked }
		}
	}
	r.get(t, "/v1/tournaments/"+competitionID(competition)+"/statistics", &reply)
	matches := r.of(competition, 2025)
	want := totals{Teams: len(r.entered(competition, 2025, "")), Matches: len(matches)}
	won, drawn, lost, best := 0, 0, 0, 0
	for _, m := range matches {
		if m.Status != "finished" {
			*map[string]*int{"upcoming": &want.Upcoming, "live": &want.Live, "postponed": &want.Postponed}[m.Status]++
			continue
		}
		want.Finished++
		want.Goals += m.Score.Home + m.Score.Away
		*[]*int{&lost, &drawn, &won}[cmp.Compare(m.Score.Home, m.Score.Away)+1]++
		for _, e := range m.Events {
			if counter := map[string]*int{
				"penalty": &want.PenaltyGoals, "ownGoal": &want.OwnGoals, "yellow": &want.YellowCards,
				"secondYellow": &want.SecondYellowCards, "red": &want.RedCards,
			}[e.Detail]; counter != nil {
				*counter++
			}
		}
	}
	for _, f := range count(matches) {
		best = max(best, f.Goals)
	}
	got := reply.Data
	want.Players = len(all[reference](t, r, "/v1/tournaments/"+competitionID(competition)+"/players"))
	if got.Totals != want {
		t.Errorf("%+v, not %+v", got.Totals, want)
	}
	if got.Results.HomeWins != won || got.Results.Draws != drawn || got.Results.AwayWins != lost {
		t.Errorf("%+v, not %d, %d, %d", got.Results, won, drawn, lost)
	}
	if !slices.IsSortedFunc(got.Leaders.Goals, func(a, b ranked) int { return cmp.Compare(b.Value, a.Value) }) || got.Leaders.Goals[0].Value != best {
		t.Errorf("leaders %+v, the best has %d", got.Leaders.Goals, best)
	}
}
