package scripts

import (
	"fmt"
	"slices"
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

// holdTable compares a table with what the results say.
func (r *real) holdTable(t *testing.T, got []standing, teams []rawTeam, matches []rawMatch, criteria []string) {
	t.Helper()
	want := table(teams, matches, true)
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
	at := 0
	for _, level := range levels(teams, matches, criteria) {
		for _, s := range got[at : at+len(level)] {
			if !slices.Contains(level, keys[s.Team.ID].ID) {
				t.Errorf("%s is among ranks %d to %d, where %v are", s.Team.Name, at+1, at+len(level), level)
			}
		}
		at += len(level)
	}
}

func (r *real) tables(t *testing.T, competition string, season int) tables {
	t.Helper()
	var reply tables
	r.get(t, fmt.Sprintf("/v1/tournaments/%s/standings?season=%d", competitionID(competition), season), &reply)
	return reply
}

// TestLevelsFollowTheCriteria holds the order that the tests expect to tables made up by
// hand.
func TestLevelsFollowTheCriteria(t *testing.T) {
	teams := []rawTeam{{ID: "a"}, {ID: "b"}, {ID: "c"}}
	game := func(home, away string, h, a int) rawMatch {
		return rawMatch{Status: "finished", HomeTeamID: home, AwayTeamID: away, Score: &rawScore{h, a}}
	}
	// b beat a; a has the better difference; c is last.
	matches := []rawMatch{game("b", "a", 1, 0), game("a", "c", 9, 0), game("c", "b", 1, 0), game("c", "a", 0, 3), game("b", "c", 1, 0)}
	for name, tt := range map[string]struct {
		criteria []string
		want     string
	}{
		"head to head first": {austrian(), "[[b] [a] [c]]"},
		"difference first":   {ordinary(), "[[a] [b] [c]]"},
		"points alone":       {[]string{"points"}, "[[a b] [c]]"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := fmt.Sprint(levels(teams, matches, tt.criteria)); got != tt.want {
				t.Errorf("%s, not %s", got, tt.want)
			}
		})
	}
}
