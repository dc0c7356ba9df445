package scripts

import (
	"fmt"
	"testing"
)

// standing is a row of a table as the API shows it.
type standing struct {
	Rank                             int
	Team                             reference
	Played, Won, Drawn, Lost         int
	GoalsFor, GoalsAgainst, GoalDiff int
	Points, StartingPoints           int
	Group                            *string
}

// tables is the answer of standings, of a competition whose children are leagues.
type tables struct {
	Data struct {
		Standings, PlayoffStandings, PlayoutStandings []standing
		PlayoffCompleted, PlayoutCompleted            *bool
	}
}

// entered are the teams of a season, of a group or of all (empty).
func (r *real) entered(competition string, season int, group string) []rawTeam {
	var found []rawTeam
	for _, t := range r.teams {
		if t.CompetitionID == competition && t.Season == season && (group == "" || t.Group == group) {
			found = append(found, t)
		}
	}
	return found
}

// holdTable compares a table with what the results add up to. Packages standings and
// regulations hold the order, to published tables.
func (r *real) holdTable(t *testing.T, got []standing, teams []rawTeam, matches []rawMatch) {
	t.Helper()
	want := table(teams, matches)
	if len(got) != len(teams) || len(teams) == 0 {
		t.Fatalf("%d rows of %d teams", len(got), len(teams))
	}
	keys := map[string]rawTeam{}
	for _, team := range teams {
		keys[teamID(team.ID)] = team
	}
	for i, s := range got {
		team, known := keys[s.Team.ID]
		if !known {
			t.Errorf("%s is not of it", s.Team.Name)
			continue
		}
		is := row{team.ID, s.Played, s.Won, s.Drawn, s.Lost, s.GoalsFor, s.GoalsAgainst, s.Points}
		if is != want[team.ID] || s.GoalDiff != s.GoalsFor-s.GoalsAgainst || s.StartingPoints != team.StartingPoints || s.Rank != i+1 {
			t.Errorf("row %d is %+v, not %+v", i+1, s, want[team.ID])
		}
	}
}

func (r *real) tables(t *testing.T, competition string, season int) tables {
	t.Helper()
	var reply tables
	r.get(t, fmt.Sprintf("/v1/tournaments/%s/standings?season=%d", competitionID(competition), season), &reply)
	return reply
}
