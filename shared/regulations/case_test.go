package regulations_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/regulations"
	"touchline/shared/standings"
)

// TestRealTablesCameOutAsPublished loads real competitions that name their entry,
// and computes their tables. Each case of testdata/*.txt is results, and the order
// that the organizer published:
//
//	== NAME: competition, season, group
//	# a comment
//	only TEAM, TEAM            just these are compared: the others' results are not all there
//	TEAM 2-1 TEAM aet shootout 4-3 points 5-0 yellow 1-2
//	--                         what is above was played in the competition before (carry)
//	= TEAM points goals-against, criterion that put it above the next among N
//
// Matches on one line are separated by "; ". Between home and away: their goals; whether there was extra time; the shoot-out;
// points given for the match; yellow cards. Goals are compared where a case has them.
func TestRealTablesCameOutAsPublished(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	tested, sports := map[string]bool{}, map[string]bool{}
	for _, file := range files {
		for _, c := range readCases(t, file) {
			entry, _ := regulations.Find(c.name)
			tested[c.name], sports[entry.Sport] = true, true
			t.Run(c.title, func(t *testing.T) {
				if diff := cmp.Diff(c.want, c.table(t)); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
	if len(tested) < 20 {
		t.Errorf("only %d entries have a case", len(tested))
	}
	for _, name := range []string{"volleyball", "rugby union", "handball", "basketball", "ice hockey"} {
		if !sports[name] {
			t.Errorf("%s has no case", name)
		}
	}
}

// table is the computed table in the form of the expected one.
func (c *realCase) table(t *testing.T) []string {
	t.Helper()
	in, names := load(t, like(c.name), c.before, c.matches)
	rows, decisions := standings.Explain(in)
	var table []string
	for i, r := range rows {
		name := names[r.TeamID]
		if len(c.only) > 0 && !slices.Contains(c.only, name) {
			continue
		}
		line := fmt.Sprintf("%s %d", name, r.Points)
		if goals.MatchString(c.want[0]) {
			line += fmt.Sprintf(" %d-%d", r.GoalsFor, r.GoalsAgainst)
		}
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

var goals = regexp.MustCompile(` \d+-\d+`)

type realCase struct {
	name, title     string
	only            []string // empty: all teams
	before, matches []matchRecord
	want            []string
}

func readCases(t *testing.T, file string) []*realCase {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var cases []*realCase
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

func readMatch(line string) (matchRecord, bool) {
	p := matchLine.FindStringSubmatch(line)
	if p == nil {
		return matchRecord{}, false
	}
	m := matchRecord{
		HomeTeamID: p[1], AwayTeamID: p[4],
		Score: pair(p[2], p[3]), ExtraTime: p[5] != "", Penalties: pair(p[6], p[7]), Points: pair(p[8], p[9]),
	}
	if yellow := pair(p[10], p[11]); yellow != nil {
		m.Events = slices.Concat(cards("home", yellow.Home), cards("away", yellow.Away))
	}
	return m, true
}

func pair(home, away string) *sides {
	h, err := strconv.Atoi(home)
	a, err2 := strconv.Atoi(away)
	if err != nil || err2 != nil {
		return nil
	}
	return &sides{h, a}
}

func cards(side string, yellow int) []eventRecord {
	return slices.Repeat([]eventRecord{{Type: "card", Detail: "yellow", Minute: 1, Side: side}}, yellow)
}
