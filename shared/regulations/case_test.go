package regulations_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"touchline/shared/regulations"
	"touchline/shared/sport"
	"touchline/shared/standings"
)

// TestRealTablesCameOutAsPublished computes tables of real competitions by the
// rules of their entries. Each case of testdata/*.txt is results, and the order
// that the organizer published:
//
//	== NAME: competition, season, group
//	# a comment
//	only TEAM, TEAM            just these are compared: the others' results are not all there
//	TEAM 2-1 TEAM aet shootout 4-3 points 5-0 yellow 1-2
//	--                         what is above was played in the competition before (carry)
//	= TEAM points, criterion that put it above the next among N
//
// Matches on one line are separated by "; ". Between home and away: their goals; whether there was extra time; the shoot-out;
// points given for the match; yellow cards. A league can be given as a crosstable,
// a line a home team, the opponents in the order of the lines:
//
//	TEAM: - 2-1 0-0
func TestRealTablesCameOutAsPublished(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	tested := map[string]bool{}
	for _, file := range files {
		for _, c := range readCases(t, file) {
			tested[c.name] = true
			t.Run(c.title, func(t *testing.T) {
				if diff := gocmp.Diff(c.want, c.table(t)); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
	if len(tested) < 10 {
		t.Errorf("only %d entries have a case", len(tested))
	}
}

// table is the computed table in the form of the expected one.
func (c *realCase) table(t *testing.T) []string {
	t.Helper()
	in := standings.Input{Rules: rulesOf(t, c.name), Teams: entered(c.matches), Matches: c.matches}
	if c.before != nil {
		in.Parent = &standings.Parent{Input: standings.Input{Rules: in.Rules, Teams: entered(c.before), Matches: c.before}}
		in.Parent.Rules.Carry = nil
	}
	rows, decisions := standings.Explain(in)
	var table []string
	for i, r := range rows {
		if len(c.only) > 0 && !slices.Contains(c.only, string(r.TeamID)) {
			continue
		}
		line := fmt.Sprintf("%s %d", r.TeamID, r.Points)
		if d := decisions[i]; d.By != "" && (len(c.only) == 0 || len(table)+1 < len(c.only)) {
			line += ", " + string(d.By)
			if d.HeadToHead > 0 {
				line += " among " + strconv.Itoa(d.HeadToHead)
			}
		}
		table = append(table, line)
	}
	return table
}

type realCase struct {
	name, title     string
	only            []string // empty: all teams
	before, matches []sport.Match
	want            []string
}

func readCases(t *testing.T, file string) []*realCase {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var cases []*realCase
	var cross []crossRow
	for n, line := range strings.Split(string(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if head, ok := strings.CutPrefix(line, "== "); ok {
			name, title, _ := strings.Cut(head, ": ")
			if _, known := regulations.Find(name); !known || title == "" {
				t.Fatalf("%s:%d: %q", file, n+1, line)
			}
			cases = append(cases, &realCase{name: name, title: title})
			continue
		}
		c := cases[len(cases)-1]
		if row, ok := readCrossRow(line); ok {
			cross = append(cross, row)
			continue
		}
		c.matches, cross = append(c.matches, played(t, cross)...), nil
		if line == "--" {
			c.before, c.matches = c.matches, nil
		} else if teams, ok := strings.CutPrefix(line, "only "); ok {
			c.only = strings.Split(teams, ", ")
		} else if row, ok := strings.CutPrefix(line, "= "); ok {
			c.want = append(c.want, row)
		} else {
			for text := range strings.SplitSeq(line, "; ") {
				m, ok := readMatch(text)
				if !ok {
					t.Fatalf("%s:%d: %q", file, n+1, text)
				}
				c.matches = append(c.matches, m)
			}
		}
	}
	return cases
}

var matchLine = regexp.MustCompile(`^(\S.*?) (\d+)-(\d+) (\S.*?)( aet)?(?: shootout (\d+)-(\d+))?(?: points (\d+)-(\d+))?(?: yellow (\d+)-(\d+))?$`)

func readMatch(line string) (sport.Match, bool) {
	p := matchLine.FindStringSubmatch(line)
	if p == nil {
		return sport.Match{}, false
	}
	m := sport.Match{
		Status: sport.Finished, HomeTeamID: sport.ID(p[1]), AwayTeamID: sport.ID(p[4]),
		Score: score(p[2], p[3]), ExtraTime: p[5] != "", Penalties: score(p[6], p[7]), Points: score(p[8], p[9]),
	}
	if yellow := score(p[10], p[11]); yellow != nil {
		m.Events = slices.Concat(cards(sport.SideHome, yellow.Home), cards(sport.SideAway, yellow.Away))
	}
	return m, true
}

func score(home, away string) *sport.Score {
	h, err := strconv.Atoi(home)
	a, err2 := strconv.Atoi(away)
	if err != nil || err2 != nil {
		return nil
	}
	return &sport.Score{Home: h, Away: a}
}

func cards(side sport.Side, yellow int) []sport.Event {
	return slices.Repeat([]sport.Event{{Type: sport.EventCard, Detail: sport.CardYellow, Side: side}}, yellow)
}

// crossRow is a line of a crosstable: the results at home, "-" against itself.
type crossRow struct {
	team    string
	results []string
}

func readCrossRow(line string) (crossRow, bool) {
	team, results, ok := strings.Cut(line, ": ")
	return crossRow{team, strings.Fields(results)}, ok && !strings.HasPrefix(line, "= ")
}

func played(t *testing.T, cross []crossRow) []sport.Match {
	t.Helper()
	var matches []sport.Match
	for i, home := range cross {
		if len(home.results) != len(cross) || home.results[i] != "-" {
			t.Fatalf("%s: %d results of %d teams", home.team, len(home.results), len(cross))
		}
		for j, result := range home.results {
			if m, ok := readMatch(home.team + " " + result + " " + cross[j].team); ok {
				matches = append(matches, m)
			} else if i != j {
				t.Fatalf("%s: %q", home.team, result)
			}
		}
	}
	return matches
}

// entered are the teams of matches, by name.
func entered(matches []sport.Match) []standings.TeamEntry {
	teams := map[sport.ID]standings.TeamEntry{}
	for _, m := range matches {
		for _, id := range []sport.ID{m.HomeTeamID, m.AwayTeamID} {
			teams[id] = standings.TeamEntry{ID: id, NameKey: []byte(id)}
		}
	}
	entries := make([]standings.TeamEntry, 0, len(teams))
	for _, e := range teams {
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b standings.TeamEntry) int { return cmp.Compare(a.ID, b.ID) })
	return entries
}
