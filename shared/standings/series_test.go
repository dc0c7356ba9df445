package standings_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/sport"
	"touchline/shared/standings"
)

// TestTies computes the ties of testdata/ties.txt, made-up ones and published ones, and
// what a load warns of. A case is
//
//	== name, best of 7, away goals, sport x   the rules, as far as they are not the default
//	leg 1 home 1-0 away pens 4-3 tie away winner none postponed
//	= home 2-1 away, pens 4-3: home      the tie: aggregate, shoot-out, winner
//	! tieWinner m2: message              a warning, of the second match
//
// A match is on a day of its own, in the order of the lines; "twoLegs" marks a leg without a
// number, "upcoming" and "live" have no result.
func TestTies(t *testing.T) {
	text, err := os.ReadFile("testdata/ties.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, block := range strings.Split(string(text), "== ")[1:] {
		head, body, _ := strings.Cut(block, "\n")
		t.Run(head, func(t *testing.T) {
			rules, matches, want := readTies(t, head, body)
			for turned := range 2 {
				if turned == 1 {
					slices.Reverse(matches)
				}
				var got []string
				for _, tie := range standings.Ties(matches, rules.TieRules()) {
					got = append(got, tieLine(tie))
				}
				for _, w := range standings.TieWarnings(matches, rules) {
					got = append(got, fmt.Sprintf("! %s %s: %s", w.Field, w.MatchID, w.Message))
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

var tieMatch = regexp.MustCompile(`^(?:leg (\d+) )?(\S+) (\d+)-(\d+) (\S+)((?: \S+)*)$`)

func readTies(t *testing.T, head, body string) (rules *sport.Rules, matches []sport.Match, want []string) {
	t.Helper()
	rules = &sport.Rules{}
	for _, option := range strings.Split(head, ", ")[1:] {
		if n, ok := strings.CutPrefix(option, "best of "); ok {
			rules.Ties = &sport.TieRules{BestOf: atoi(t, n)}
		} else if option == "away goals" {
			rules.Ties = &sport.TieRules{AwayGoals: true}
		} else if name, ok := strings.CutPrefix(option, "sport "); ok {
			rules.Sport = name
		}
	}
	for line := range strings.SplitSeq(strings.TrimSpace(body), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if strings.HasPrefix(line, "= ") || strings.HasPrefix(line, "! ") {
			want = append(want, line)
			continue
		}
		p := tieMatch.FindStringSubmatch(line)
		if p == nil {
			t.Fatalf("no match: %q", line)
		}
		n := len(matches) + 1
		m := match(sport.ID(fmt.Sprintf("m%d", n)), n, sport.ID(p[2]), sport.ID(p[5]), atoi(t, p[3]), atoi(t, p[4]))
		if p[1] != "" {
			m.Leg = atoi(t, p[1])
		}
		marks := strings.Fields(p[6])
		for i := 0; i < len(marks); i++ {
			switch mark := marks[i]; mark {
			case "twoLegs":
				m.TwoLegs = true
			case "pens":
				i++
				home, away, _ := strings.Cut(marks[i], "-")
				m.Penalties = &sport.Score{Home: atoi(t, home), Away: atoi(t, away)}
			case "tie":
				i++
				m.TieWinner = sport.Side(marks[i])
			case "winner":
				i++
				m.Winner = sport.Winner(marks[i])
			default:
				m.Status = sport.MatchStatus(mark)
			}
		}
		matches = append(matches, m)
	}
	return rules, matches, want
}

func atoi(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func tieLine(tie standings.Tie) string {
	aggregate := "-"
	if a := tie.Aggregate; a != nil {
		aggregate = fmt.Sprintf("%d-%d", a.Home, a.Away)
	}
	line := fmt.Sprintf("= %s %s %s", tie.HomeID, aggregate, tie.AwayID)
	if p := tie.Penalties; p != nil {
		line += fmt.Sprintf(", pens %d-%d", p.Home, p.Away)
	}
	return fmt.Sprintf("%s: %s", line, tie.Winner)
}
