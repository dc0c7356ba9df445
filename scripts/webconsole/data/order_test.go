package data

import (
	"testing"

	"touchline/shared/endpoints/wire"
	"touchline/shared/loader/projection"
	"touchline/shared/sport"
	"touchline/shared/standings"
)

func TestDecisionsArePutBesideTheRowsThatAreShown(t *testing.T) {
	rows := []standings.Row{{TeamID: "a", Rank: 1, Points: 9, StartingPoints: -2}, {TeamID: "hidden", Rank: 2, Points: 6}, {TeamID: "b", Rank: 3, Points: 6}, {TeamID: "c", Rank: 4, Points: 6}}
	decisions := []standings.Decision{
		{By: sport.ByPoints, Above: standings.Value{N: 9, Of: 1}, Below: standings.Value{N: 6, Of: 1}},
		{By: sport.ByName}, {By: sport.ByGoalDiff, HeadToHead: 3, Above: standings.Value{N: 1, Of: 1}, Below: standings.Value{N: -1, Of: 1}}, {},
	}
	table := &projection.Table{Rules: sport.Rules{TieBreakers: []sport.TieBreaker{sport.ByPoints, sport.ByGoalDiff, sport.ByHeadToHeadPoints, sport.ByHeadToHeadGoalDiff}}}
	for i, row := range rows {
		table.Rows = append(table.Rows, projection.Row{Row: row, Deducted: min(row.StartingPoints, 0), Decision: decisions[i], Sources: []standings.Source{{How: "won", Matches: i, Points: 3 * i}}})
	}
	shown := []wire.StandingRow{{Rank: 1, Team: wire.Team{ID: "a"}}, {Rank: 3, Team: wire.Team{ID: "b"}}, {Rank: 4, Team: wire.Team{ID: "c"}}}
	b := explained(table, shown)
	if b.Differs || len(b.Blocks) != 1 || len(b.Criteria) != 3 || b.Criteria[1] != "difference" || b.Criteria[2] != "head to head (points, difference)" {
		t.Fatalf("%+v", b)
	}
	for i, want := range []string{"points, 9 to 6", "difference, 1 to -1, in the matches among the 3 level teams", ""} {
		if got := b.Blocks[0].Rows[i].Why; got != want {
			t.Errorf("row %d: %q, want %q", i, got, want)
		}
	}
	for i, want := range []string{"0 won (0), deducted 2", "2 won (6)", "3 won (9)"} {
		if got := b.Blocks[0].Rows[i].From; got != want {
			t.Errorf("row %d: %q, want %q", i, got, want)
		}
	}
	if b.Blocks[0].Rows[0].Tied || !b.Blocks[0].Rows[1].Tied {
		t.Errorf("%+v", b.Blocks[0].Rows)
	}
	shown[1], shown[2] = shown[2], shown[1]
	if b := explained(table, shown); !b.Differs {
		t.Errorf("another order: %+v", b)
	}
}
