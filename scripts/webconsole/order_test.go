package webconsole

import (
	"testing"

	"touchline/shared/client"
	"touchline/shared/sport"
	"touchline/shared/standings"
)

func TestDecisionsArePutBesideTheRowsThatAreShown(t *testing.T) {
	rows := []standings.Row{{TeamID: "a", Rank: 1, Points: 9}, {TeamID: "hidden", Rank: 2, Points: 6}, {TeamID: "b", Rank: 3, Points: 6}, {TeamID: "c", Rank: 4, Points: 6}}
	decisions := []standings.Decision{
		{By: sport.ByPoints, Above: standings.Value{N: 9, Of: 1}, Below: standings.Value{N: 6, Of: 1}},
		{By: sport.ByName}, {By: sport.ByGoalDiff, HeadToHead: 3, Above: standings.Value{N: 1, Of: 1}, Below: standings.Value{N: -1, Of: 1}}, {},
	}
	shown := []client.StandingRow{{Rank: 1, Team: client.Team{ID: "a"}}, {Rank: 3, Team: client.Team{ID: "b"}}, {Rank: 4, Team: client.Team{ID: "c"}}}
	b := explained(sport.Rules{TieBreakers: []sport.TieBreaker{sport.ByPoints, sport.ByGoalDiff}}, shown, rows, decisions)
	if b.Differs || len(b.Blocks) != 1 || len(b.Criteria) != 2 || b.Criteria[1] != "goal diff" {
		t.Fatalf("%+v", b)
	}
	for i, want := range []string{"points, 9 to 6", "goal diff, 1 to -1, in the matches among the 3 level teams", ""} {
		if got := b.Blocks[0].Rows[i].Why; got != want {
			t.Errorf("row %d: %q, want %q", i, got, want)
		}
	}
	if b.Blocks[0].Rows[0].Tied || !b.Blocks[0].Rows[1].Tied {
		t.Errorf("%+v", b.Blocks[0].Rows)
	}
	shown[1], shown[2] = shown[2], shown[1]
	if b := explained(sport.Rules{}, shown, rows, decisions); !b.Differs {
		t.Errorf("another order: %+v", b)
	}
}
