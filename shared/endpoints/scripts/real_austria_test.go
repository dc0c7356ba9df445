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
		players := count(r.of(competition, 2025))
		t.Run(competition+" scorers", func(t *testing.T) { r.holdScorers(t, competition, players) })
		t.Run(competition+" cards", func(t *testing.T) { r.holdCards(t, competition, players) })
		t.Run(competition+" team cards", func(t *testing.T) { r.holdTeamCards(t, competition) })
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
		r.holdTable(t, part.rows, r.entered(part.competition, season, ""), r.of(part.competition, season), austrian())
	}
	if season == 2024 && got.PlayoffStandings[0].Team.Name != "SK Sturm Graz" {
		t.Errorf("the champion of 2025 is %s", got.PlayoffStandings[0].Team.Name)
	}
}

// ranked is a row of a ranking, of players or of teams.
type ranked struct {
	Rank                          int
	Player, Team                  reference
	Value, Goals, PenaltyGoals    int
	Assists, Appearances          int
	Yellow, SecondYellow, Red     int
	Total, Played, FairPlayPoints int
}

// holdRanks holds ranks to the values: equal ones share a rank, and the next one
// counts all above (D27).
func holdRanks(t *testing.T, rows []ranked, value func(ranked) int) {
	t.Helper()
	for i, row := range rows {
		above := 0
		for _, other := range rows {
			if value(other) > value(row) {
				above++
			}
		}
		if row.Rank != above+1 || i > 0 && value(rows[i-1]) < value(row) {
			t.Errorf("row %d: %+v", i+1, row)
		}
	}
}

func (r *real) holdScorers(t *testing.T, competition string, players map[string]*figures) {
	for kind, value := range map[string]func(figures) int{
		"goals":       func(f figures) int { return f.Goals },
		"assists":     func(f figures) int { return f.Assists },
		"appearances": func(f figures) int { return f.Appearances },
	} {
		rows := all[ranked](t, r, "/v1/tournaments/"+competitionID(competition)+"/top-scorers?type="+kind)
		want := map[string]figures{}
		for key, f := range players {
			if value(*f) > 0 {
				want[playerID(key)] = *f
			}
		}
		if len(rows) != len(want) || kind == "goals" && len(want) < 10 {
			t.Errorf("%s: %d rows of %d", kind, len(rows), len(want))
		}
		holdRanks(t, rows, func(row ranked) int { return row.Value })
		for i, row := range rows {
			f := want[row.Player.ID]
			if row.Value != value(f) || row.Goals != f.Goals || row.PenaltyGoals != f.PenaltyGoals ||
				row.Assists != f.Assists || row.Appearances != f.Appearances {
				t.Errorf("%s: %+v, not %+v", kind, row, f)
			}
			if i > 0 && rows[i-1].Value == row.Value && rows[i-1].Appearances > row.Appearances {
				t.Errorf("%s: %s comes after more appearances", kind, row.Player.Name)
			}
		}
	}
}

func (r *real) holdCards(t *testing.T, competition string, players map[string]*figures) {
	rows := all[ranked](t, r, "/v1/tournaments/"+competitionID(competition)+"/cards")
	want := map[string]figures{}
	for key, f := range players {
		if f.cards() > 0 {
			want[playerID(key)] = *f
		}
	}
	if len(rows) != len(want) || len(want) < 10 {
		t.Errorf("%d rows of %d", len(rows), len(want))
	}
	holdRanks(t, rows, func(row ranked) int { return row.Total })
	for i, row := range rows {
		f := want[row.Player.ID]
		if row.Total != f.cards() || row.Yellow != f.Yellow || row.SecondYellow != f.SecondYellow || row.Red != f.Red || row.Appearances != f.Appearances {
			t.Errorf("%+v, not %+v", row, f)
		}
		if i > 0 && row.Total == rows[i-1].Total && cmp.Or(cmp.Compare(rows[i-1].Red, row.Red), cmp.Compare(rows[i-1].SecondYellow, row.SecondYellow)) < 0 {
			t.Errorf("%s comes after fewer red cards", row.Player.Name)
		}
	}
}

// holdTeamCards counts by the side of the events.
func (r *real) holdTeamCards(t *testing.T, competition string) {
	want := map[string]*ranked{}
	for _, team := range r.entered(competition, 2025, "") {
		want[teamID(team.ID)] = &ranked{}
	}
	for _, m := range r.of(competition, 2025) {
		if m.Status != "finished" {
			continue
		}
		sides := map[string]*ranked{"home": want[teamID(m.HomeTeamID)], "away": want[teamID(m.AwayTeamID)]}
		sides["home"].Played++
		sides["away"].Played++
		for _, e := range m.Events {
			if e.Type == "card" {
				of := sides[e.Side]
				*map[string]*int{"yellow": &of.Yellow, "secondYellow": &of.SecondYellow, "red": &of.Red}[e.Detail]++
			}
		}
	}
	rows := all[ranked](t, r, "/v1/tournaments/"+competitionID(competition)+"/cards?scope=team")
	if len(rows) != len(want) {
		t.Errorf("%d rows of %d", len(rows), len(want))
	}
	holdRanks(t, rows, func(row ranked) int { return row.Total })
	for _, row := range rows {
		w := want[row.Team.ID]
		if row.Yellow != w.Yellow || row.SecondYellow != w.SecondYellow || row.Red != w.Red || row.Played != w.Played ||
			row.Total != w.Yellow+w.SecondYellow+w.Red || row.FairPlayPoints != -w.Yellow-3*w.SecondYellow-4*w.Red {
			t.Errorf("%+v, not %+v", row, *w)
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
