package regulations_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/dataset"
	"touchline/shared/dataset/format"
	"touchline/shared/outside"
	"touchline/shared/sport"
	"touchline/shared/standings"
	"touchline/shared/statistics"
)

// TestRealSeasonsCameOutAsPublished computes the tables of whole seasons by the
// rules of their entries alone, and holds order and points to the published ones:
// nothing that the dataset says for itself, its rules, seeds and starting points of
// a child, is used.
func TestRealSeasonsCameOutAsPublished(t *testing.T) {
	for _, tt := range []struct {
		folder, competition string
		entry               string
		parent, parentEntry string // empty: none
		seasons             []int
	}{
		{"worldcup", "worldcup", "fifa-world-cup-2018-groups", "", "", []int{2018, 2022}},
		{"austria", "at.1", "austria-bundesliga-2021-regular-season", "", "", []int{2024}},
		{"austria", "at.1.championship", "austria-bundesliga-2021-final-rounds", "at.1", "austria-bundesliga-2021-regular-season", []int{2024}},
		{"austria", "at.1.relegation", "austria-bundesliga-2021-final-rounds", "at.1", "austria-bundesliga-2021-regular-season", []int{2024}},
		{"belgium", "belgium.1", "belgium-pro-league", "", "", []int{2024}},
		{"belgium", "belgium.1.championship", "belgium-pro-league-2022-play-offs", "belgium.1", "belgium-pro-league", []int{2024}},
		{"belgium", "belgium.1.europe", "belgium-pro-league-2022-play-offs", "belgium.1", "belgium-pro-league", []int{2024}},
		{"romania", "romania.1", "romania-superliga", "", "", []int{2024}},
		{"romania", "romania.1.championship", "romania-superliga-2021-final-rounds", "romania.1", "romania-superliga", []int{2024}},
		{"romania", "romania.1.relegation", "romania-superliga-2021-final-rounds", "romania.1", "romania-superliga", []int{2024}},
		{"greece", "greece.1", "greece-super-league", "", "", []int{2024}},
		{"greece", "greece.1.championship", "greece-super-league-2024-final-rounds", "greece.1", "greece-super-league", []int{2024}},
		{"greece", "greece.1.eclplayoffs", "greece-super-league-2024-places-5-to-8", "greece.1", "greece-super-league", []int{2024}},
		{"greece", "greece.1.relegation", "greece-super-league-2024-final-rounds", "greece.1", "greece-super-league", []int{2024}},
		{"scotland", "scotland.1", "scotland-premiership", "", "", []int{2024}},
		{"scotland", "scotland.1.championship", "scotland-premiership-split", "scotland.1", "scotland-premiership", []int{2024}},
		{"scotland", "scotland.1.relegation", "scotland-premiership-split", "scotland.1", "scotland-premiership", []int{2024}},
	} {
		t.Run(tt.competition, func(t *testing.T) {
			set := dataOf(t, tt.folder)
			for _, season := range tt.seasons {
				in, _ := seasonOf(set, tt.competition, season)
				in.Rules = rulesOf(t, tt.entry)
				for i := range in.Teams {
					in.Teams[i].Seed = 0
				}
				carries := in.Rules.Carry
				if tt.parent != "" {
					before, _ := seasonOf(set, tt.parent, season)
					before.Rules = rulesOf(t, tt.parentEntry)
					in.Parent = &standings.Parent{Input: before}
				}
				var want []publishedRow
				for _, table := range published(t, tt.folder) {
					if table.CompetitionID != tt.competition || table.Season != season {
						continue
					}
					for _, row := range table.Rows {
						if row.Stage != nil && (carries == nil || !carries.Record) {
							rank := row.Rank
							row = row.ofStage()
							row.Rank = rank
						}
						row.Stage, row.Needs = nil, ""
						row.Rank += 1 - table.Rows[0].Rank // published on from the places of the other round
						want = append(want, row)
					}
				}
				var got []publishedRow
				for _, r := range standings.Table(in) {
					got = append(got, rowOf(set, r))
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%d: %s", season, diff)
				}
			}
		})
	}
}

// TestPublishedTables holds real seasons to the tables that their leagues published,
// every row, by the dataset's own rules, seeds and starting points.
func TestPublishedTables(t *testing.T) {
	for _, name := range []string{"austria", "belgium", "greece", "romania", "scotland", "worldcup"} {
		t.Run(name, func(t *testing.T) {
			set, rows := dataOf(t, name), 0
			for _, table := range published(t, name) {
				got := map[string]publishedRow{}
				in, _ := seasonOf(set, table.CompetitionID, table.Season)
				for _, r := range standings.Table(in) {
					row := rowOf(set, r)
					got[row.TeamID] = row
				}
				for _, want := range table.Rows {
					if want.Needs != "" {
						continue
					}
					if want.Stage != nil {
						want = want.ofStage()
					}
					if diff := cmp.Diff(want, got[want.TeamID]); diff != "" {
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

func TestKnockoutsEndedAsPublished(t *testing.T) {
	for _, c := range []struct {
		folder, competition string
		season, round       int
		want                []string
	}{
		{"worldcup", "worldcup", 2022, 8, []string{"1 Argentina-France 3-3, 4-2 on penalties: home"}},
		{"worldcup", "worldcup", 2014, 6, []string{"1 Brazil-Germany 1-7: away", "2 Netherlands-Argentina 0-0, 2-4 on penalties: away"}},
		{"worldcup", "worldcup", 2018, 5, []string{
			"1 Uruguay-France 0-2: away", "2 Brazil-Belgium 1-2: away", "3 Sweden-England 0-2: away", "4 Russia-Croatia 2-2, 3-4 on penalties: away",
		}},
		// The final of the play-offs for the Conference League, 3-1 and 0-3.
		{"austria", "at.1.europe", 2024, 2, []string{"1 LASK Linz-SK Rapid Wien 3-4: away"}},
		{"austria", "at.1.europe", 2024, 1, []string{"1 LASK Linz-TSV Hartberg 2-0: home"}},
	} {
		in, names := seasonOf(dataOf(t, c.folder), c.competition, c.season)
		var got []string
		for _, tie := range standings.Ties(in.Matches, sport.TieRules{}) {
			if tie.Round != c.round {
				continue
			}
			text := fmt.Sprintf("%d %s-%s %d-%d", tie.Order, names[tie.HomeID], names[tie.AwayID], tie.Aggregate.Home, tie.Aggregate.Away)
			if p := tie.Penalties; p != nil {
				text += fmt.Sprintf(", %d-%d on penalties", p.Home, p.Away)
			}
			got = append(got, fmt.Sprintf("%s: %s", text, tie.Winner))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s %d: %s", c.competition, c.season, diff)
		}
	}
}

var read = map[string]*dataset.Set{} // by folder

// dataOf is a folder of the data of real seasons.
func dataOf(t *testing.T, folder string) *dataset.Set {
	t.Helper()
	path := outside.Path(t, "data/"+folder)
	if read[folder] == nil {
		set, err := format.Read(t.Context(), os.DirFS(path), format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		read[folder] = set
	}
	return read[folder]
}

// seasonOf is what a dataset has of a competition's season, and the names of the teams.
func seasonOf(set *dataset.Set, competition string, season int) (standings.Input, map[sport.ID]string) {
	in := standings.Input{CardPoints: func(m *sport.Match) (home, away int) {
		c := statistics.ContributionOf(*m, sport.Halves())
		return statistics.FairPlayPoints(c.Home.Cards), statistics.FairPlayPoints(c.Away.Cards)
	}}
	names := map[sport.ID]string{}
	for _, c := range set.Competitions {
		if set.Given(c.ID) == competition && c.Value.Season == season {
			in.Groups, in.Rules = c.Value.Groups, c.Value.Rules
		}
	}
	for _, team := range set.Teams {
		v := team.Value
		if set.Given(v.CompetitionID) == competition && v.Season == season {
			names[v.ID] = v.Name
			in.Teams = append(in.Teams, standings.TeamEntry{
				ID: v.ID, NameKey: []byte(v.Name), ClubID: v.OrganizationID, GroupID: v.GroupID, StartingPoints: v.StartingPoints, Seed: v.Seed,
			})
		}
	}
	for _, m := range set.Matches.All() {
		if v := m.Value.Full(); set.Given(v.CompetitionID) == competition && v.Season == season {
			in.Matches = append(in.Matches, v)
		}
	}
	return in, names
}

// publishedRow is a row of a final table as a league published it.
type publishedRow struct {
	TeamID                                                         string
	Rank, Played, Won, Drawn, Lost, GoalsFor, GoalsAgainst, Points int
	Stage                                                          *publishedRow // what the stage alone adds up to; nil: the row is that
	Needs                                                          string        // what the dataset's own rules lack for it
}

func (r publishedRow) ofStage() publishedRow {
	stage := *r.Stage
	stage.TeamID = r.TeamID
	return stage
}

// rowOf is a computed row in the form of a published one.
func rowOf(set *dataset.Set, r standings.Row) publishedRow {
	return publishedRow{
		TeamID: set.Given(r.TeamID), Rank: r.Rank, Played: r.Played, Won: r.Won, Drawn: r.Drawn, Lost: r.Lost,
		GoalsFor: r.GoalsFor, GoalsAgainst: r.GoalsAgainst, Points: r.Points,
	}
}

type publishedTable struct {
	CompetitionID string
	Season        int
	Rows          []publishedRow
}

// published are the tables kept with the data.
func published(t *testing.T, folder string) []publishedTable {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(outside.Path(t, "data/"+folder), "tables.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Tables []publishedTable }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	return file.Tables
}
