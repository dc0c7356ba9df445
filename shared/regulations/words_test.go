package regulations_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/dataset/rules"
	"touchline/shared/regulations"
)

func TestRulesAreSaidInWords(t *testing.T) {
	for name, want := range map[string]regulations.Words{
		"fiba-groups":                        {Points: "2-0-1, a forfeit 20:0 with 2-0", Order: "points, head to head (points), head to head (difference), head to head (goals), difference, head to head (points, difference, goals), goals, lots"},
		"fifa-beach-soccer-world-cup-groups": {Points: "3-0-0, after extra time 2-0, by a shoot-out 1-0, a forfeit 10:0", Order: "points, difference, goals, head to head once (points, difference, goals), cards, lots"},
		"austria-bundesliga-2021-final-rounds": {
			Points: "3-1-0", Carry: "half of the points, rounded down, the record and the matches",
			Order: "points, rounding of the half point, head to head (points, difference, goals, goals away), difference, goals, wins, wins away, goals away, lots",
		},
		"belgium-pro-league-2022-play-offs": {Points: "3-1-0", Order: "points, rounding of the half point, place in the table before", Carry: "half of the points, rounded up"},
		"czech-first-league":                {Points: "3-1-0", Order: "points, head to head when all have met (points, difference, goals), difference, goals, cards, lots"},
	} {
		entry, _ := regulations.Find(name)
		like, _ := rules.Like(name)
		if diff := cmp.Diff(want, regulations.InWords(&like, entry.Seed)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
