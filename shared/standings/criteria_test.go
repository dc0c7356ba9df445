package standings

import (
	"os"
	"slices"
	"strings"
	"testing"

	"touchline/shared/sport"
)

// uneven is a table in which every criterion has a value for somebody: two groups that
// play each other, and a parent whose points are halved.
func uneven() *tally {
	parent := Input{
		Rules: sport.Rules{Win: 3, TieBreakers: []sport.TieBreaker{sport.ByPoints}},
		Teams: []TeamEntry{{ID: "a"}, {ID: "b"}, {ID: "c"}},
		Matches: []sport.Match{
			{HomeTeamID: "a", AwayTeamID: "b", Status: sport.Finished, Score: &sport.Score{Home: 1}},
		},
	}
	match := func(home, away, group sport.ID, score sport.Score) sport.Match {
		return sport.Match{
			HomeTeamID: home, AwayTeamID: away, GroupID: group, Status: sport.Finished, Score: &score, SetPoints: &sport.Score{Home: 90, Away: 80},
		}
	}
	return newTally(Input{
		Rules:  sport.Rules{Win: 3, Draw: 1, AcrossGroups: true, Carry: &sport.Carry{Points: sport.CarryHalfDown, Among: sport.CarryAll}},
		Groups: []sport.Group{{ID: "x", Order: 1}, {ID: "y", Order: 2}},
		Teams:  []TeamEntry{{ID: "a", GroupID: "x", Seed: 2}, {ID: "b", GroupID: "x"}, {ID: "c", GroupID: "y"}},
		Matches: []sport.Match{
			match("a", "b", "x", sport.Score{Home: 1, Away: 2}), match("a", "c", "", sport.Score{Home: 3, Away: 1}), match("c", "b", "", sport.Score{Home: 2, Away: 2}),
		},
		CardPoints: func(*sport.Match) (home, away int) { return -4, 0 },
		Parent:     &Parent{Input: parent},
	})
}

// A criterion without a case in board.value would rank by nothing, in silence.
func TestEveryCriterionRanksBySomething(t *testing.T) {
	table := uneven().whole()
	for _, criterion := range sport.TableCriteria() {
		if !slices.ContainsFunc([]int{0, 1, 2}, func(team int) bool { return table.value(criterion, team) != whole(0) }) {
			t.Errorf("%s is 0 for every team: does board.value know it?", criterion)
		}
	}
}

// dataset.md says of each criterion what it ranks by.
func TestEveryCriterionIsDocumented(t *testing.T) {
	doc, err := os.ReadFile("../spec/dataset.md")
	if err != nil {
		t.Fatal(err)
	}
	documented := map[string]bool{}
	_, table, _ := strings.Cut(string(doc), "**Tie-breakers.**")
	table, _, _ = strings.Cut(table, "\nA head-to-head table")
	for line := range strings.Lines(table) {
		if cells := strings.Split(line, "|"); len(cells) > 2 {
			for name := range strings.SplitSeq(cells[1], ",") {
				documented[strings.TrimSpace(name)] = true
			}
		}
	}
	for _, criterion := range append(sport.TableCriteria(), sport.ByName) {
		if !documented[string(criterion)] {
			t.Errorf("%s is not in the first column of the table of tie-breakers", criterion)
		}
	}
}

func TestValuesOfCriteria(t *testing.T) {
	table := uneven().whole()
	for criterion, want := range map[sport.TieBreaker][]Value{
		sport.ByGroupPoints:    {{0, 1}, {3, 1}, {0, 1}},             // conferences of the NBA: of the matches within
		sport.BySetPointsRatio: {{180, 160}, {160, 180}, {170, 170}}, // FIVB: after the ratio of the sets
		sport.BySetPointsDiff:  {{20, 1}, {-20, 1}, {0, 1}},          // table tennis: after the individual matches
	} {
		for team, want := range want {
			if got := table.value(criterion, team); got != want {
				t.Errorf("%s of team %d: %v, want %v", criterion, team, got, want)
			}
		}
	}
}
