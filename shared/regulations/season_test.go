package regulations_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/dataset"
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
			set, err := dataset.Read(t.Context(), os.DirFS(outside.Path(t, "data/"+tt.folder)), dataset.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, season := range tt.seasons {
				in, names := seasonOf(set, tt.competition, season)
				in.Rules = rulesOf(t, tt.entry)
				if tt.parent != "" {
					before, _ := seasonOf(set, tt.parent, season)
					before.Rules = rulesOf(t, tt.parentEntry)
					in.Parent = &standings.Parent{Input: before}
				}
				var got []string
				for _, r := range standings.Table(in) {
					got = append(got, fmt.Sprintf("%s %d", names[r.TeamID], r.Points))
				}
				if diff := cmp.Diff(published(t, set, tt.folder, tt.competition, season, names), got); diff != "" {
					t.Errorf("%d: %s", season, diff)
				}
			}
		})
	}
}

// seasonOf is what a dataset has of a competition's season, but for the seeds, and
// the names of the teams.
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
				ID: v.ID, NameKey: []byte(v.Name), ClubID: v.OrganizationID, GroupID: v.GroupID, StartingPoints: v.StartingPoints,
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

// published is a table kept with the data, in the form of the computed one.
func published(t *testing.T, set *dataset.Set, folder, competition string, season int, names map[sport.ID]string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(outside.Path(t, "data/"+folder), "tables.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Tables []struct {
			CompetitionID string
			Season        int
			Rows          []struct {
				TeamID string
				Points int
			}
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	byName := map[string]string{}
	for _, team := range set.Teams {
		byName[set.Given(team.ID)] = names[team.ID]
	}
	var table []string
	for _, of := range file.Tables {
		if of.CompetitionID != competition || of.Season != season {
			continue
		}
		for _, row := range of.Rows {
			table = append(table, strings.TrimSpace(fmt.Sprintf("%s %d", byName[row.TeamID], row.Points)))
		}
	}
	return table
}
