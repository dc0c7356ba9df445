package standings_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/outside"
	"touchline/shared/sport"
	"touchline/shared/standings"
)

// publishedRow is a row of a final table as a league published it.
type publishedRow struct {
	TeamID                 sport.ID
	Rank, Played, Won      int
	Drawn, Lost            int
	GoalsFor, GoalsAgainst int
	Points                 int
	Stage                  *publishedRow // what the stage alone adds up to; nil: the row is that
	Needs                  string        // what the dataset's own rules lack for it
}

type publishedTable struct {
	CompetitionID string
	Season        int
	Rows          []publishedRow
}

func published(t *testing.T, name string) []publishedTable {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(outside.Path(t, "data/"+name), "tables.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Tables []publishedTable }
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	return file.Tables
}

// rowOf is a computed row in the form of a published one.
func rowOf(r standings.Row) publishedRow {
	return publishedRow{
		TeamID: r.TeamID, Rank: r.Rank, Played: r.Played, Won: r.Won, Drawn: r.Drawn, Lost: r.Lost,
		GoalsFor: r.GoalsFor, GoalsAgainst: r.GoalsAgainst, Points: r.Points,
	}
}

// TestPublishedTables holds real seasons to the tables that their leagues
// published, every row, by the dataset's own rules.
func TestPublishedTables(t *testing.T) {
	for _, name := range []string{"austria", "belgium", "greece", "romania", "scotland", "worldcup"} {
		t.Run(name, func(t *testing.T) {
			editions, rows := sampleData(t, name), 0
			for _, table := range published(t, name) {
				e := editions[editionKey{table.CompetitionID, table.Season}]
				if e == nil {
					t.Fatalf("no competition %s %d", table.CompetitionID, table.Season)
				}
				got := map[sport.ID]publishedRow{}
				for _, r := range standings.Table(e.input) {
					got[r.TeamID] = rowOf(r)
				}
				for _, want := range table.Rows {
					if want.Needs != "" {
						continue
					}
					g := got[want.TeamID]
					if want.Stage != nil {
						stage := *want.Stage
						stage.TeamID = want.TeamID
						want = stage
					}
					if diff := cmp.Diff(want, g); diff != "" {
						t.Errorf("%s %d: %s", table.CompetitionID, table.Season, diff)
					}
					rows++
				}
			}
			if rows == 0 {
				t.Error("no row was held to anything")
			}
		})
	}
}

// TestPublishedTablesByTheRegulations lays over the same seasons what their
// regulations say: what is carried over instead of starting points, and no seeds.
// The rows are those of both stages together.
func TestPublishedTablesByTheRegulations(t *testing.T) {
	direct := headToHead(sport.ByPoints, sport.ByGoalDiff)
	for _, tt := range []struct {
		folder, competition string
		carry               sport.Carry
		order               []sport.TieBreaker
	}{
		{"scotland", "scotland.1.championship", sport.Carry{Points: sport.CarryFull, Record: true}, []sport.TieBreaker{sport.ByPoints, sport.ByGoalDiff, sport.ByGoalsFor}},
		{"scotland", "scotland.1.relegation", sport.Carry{Points: sport.CarryFull, Record: true}, []sport.TieBreaker{sport.ByPoints, sport.ByGoalDiff, sport.ByGoalsFor}},
		{"austria", "at.1.championship", sport.Carry{Points: sport.CarryHalfDown, Record: true}, []sport.TieBreaker{sport.ByPoints, sport.ByHalfPoint, direct, sport.ByGoalDiff, sport.ByGoalsFor}},
		{"austria", "at.1.relegation", sport.Carry{Points: sport.CarryHalfDown, Record: true}, []sport.TieBreaker{sport.ByPoints, sport.ByHalfPoint, direct, sport.ByGoalDiff, sport.ByGoalsFor}},
		{"belgium", "belgium.1.championship", sport.Carry{Points: sport.CarryHalfUp}, []sport.TieBreaker{sport.ByPoints, sport.ByHalfPoint, sport.ByWon, sport.ByGoalDiff}},
		{"romania", "romania.1.championship", sport.Carry{Points: sport.CarryHalfUp}, []sport.TieBreaker{sport.ByPoints, sport.ByHalfPoint, direct, sport.ByGoalDiff}},
		{"greece", "greece.1.championship", sport.Carry{Points: sport.CarryFull, Record: true}, []sport.TieBreaker{sport.ByPoints, direct, sport.ByGoalDiff}},
		{"greece", "greece.1.eclplayoffs", sport.Carry{Points: sport.CarryHalfUp}, []sport.TieBreaker{sport.ByPoints, direct, sport.ByGoalDiff}},
	} {
		t.Run(tt.competition, func(t *testing.T) {
			editions, rows := sampleData(t, tt.folder), 0
			for _, table := range published(t, tt.folder) {
				if table.CompetitionID != tt.competition {
					continue
				}
				e := editions[editionKey{table.CompetitionID, table.Season}]
				in := e.input
				in.Teams = nil
				for _, team := range e.input.Teams {
					team.StartingPoints, team.Seed = 1000, 0
					in.Teams = append(in.Teams, team)
				}
				in.Rules.TieBreakers, in.Rules.Carry = tt.order, &tt.carry
				parent := map[string]string{"austria": "at.1"}[tt.folder]
				if parent == "" {
					parent = tt.folder + ".1"
				}
				in.Parent = &standings.Parent{Input: editions[editionKey{parent, table.Season}].input}
				var got, want []publishedRow
				for _, r := range standings.Table(in) {
					got = append(got, rowOf(r))
				}
				for _, row := range table.Rows {
					if row.Stage != nil && !tt.carry.Record {
						stage := *row.Stage
						stage.TeamID, stage.Rank = row.TeamID, row.Rank
						row = stage
					}
					row.Stage, row.Needs = nil, ""
					row.Rank += 1 - table.Rows[0].Rank // published on from the places of the other round
					want = append(want, row)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%d: %s", table.Season, diff)
				}
				rows += len(want)
			}
			if rows == 0 {
				t.Error("no row was held to anything")
			}
		})
	}
}
