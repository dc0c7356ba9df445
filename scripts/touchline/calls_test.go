package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestThePagesSayWhatTheirCallsCost, of the demo: how many calls a page of a site takes, and
// how many bytes their bodies have. A row that differs is printed as it has to be.
func TestThePagesSayWhatTheirCallsCost(t *testing.T) {
	s := startServe(t, newTerminal(nil), "--demo", "--docs-addr=off", "--rate-limit=100000", "--data-dir="+t.TempDir())
	size := func(target string) int {
		var b bytes.Buffer
		must(t, json.Compact(&b, []byte(s.get(t, target))))
		return b.Len()
	}
	items := func(target string) []map[string]any { return everyPage(t, s, target) }
	organization := "/v1/organizations/" + s.Organization
	league := items(organization + "/competitions?includeDescendants=true&status=active")
	var today []string
	var premier string
	for _, c := range league {
		path := "/v1/tournaments/" + c["id"].(string)
		today = append(today, path+"/matches?from=2026-03-14T00:00%2B01:00&to=2026-03-14T23:59%2B01:00&limit=100")
		if c["name"] == "Estavia Premier League" {
			premier = path
		}
	}
	team := items(premier + "/teams")[0]
	club := team["organizationId"].(string)
	match := "/v1/matches/" + items(premier + "/matches?status=live")[0]["id"].(string)
	player := "/v1/players/" + items(premier + "/top-scorers")[0]["player"].(map[string]any)["id"].(string)
	var live []string
	for minute := range 120 {
		live = append(live, premier+"/matches?from=2026-03-14T00:00%2B01:00&to=2026-03-14T23:59%2B01:00&limit=100")
		if minute%5 == 0 {
			live = append(live, match+"/events")
		}
	}
	five := []string{
		organization + "/teams?includeDescendants=true&clubId=" + club + "&limit=100", premier + "/standings", "/v1/teams/" + club + "/matches?limit=100",
		"/v1/teams/" + team["id"].(string) + "/players?limit=100", premier + "/top-scorers?limit=10",
	}
	sizes := map[string]int{}
	measure := func(page, row string, targets []string, more func(calls int) string) {
		total := 0
		for _, target := range targets {
			if sizes[target] == 0 {
				sizes[target] = size(target)
			}
			total += sizes[target]
		}
		want := fmt.Sprintf("| %s | %.1f |%s", row, float64(total)/1000, more(len(targets)))
		text, err := os.ReadFile("site/content/" + page)
		must(t, err)
		if !strings.Contains(string(text), want+"\n") {
			t.Errorf("%s has not:\n%s", page, want)
		}
	}
	allows := func(calls int) string { return fmt.Sprintf(" %d | %d |", calls, 10_000/calls) }
	measure("limits.md", fmt.Sprintf("Today in all leagues, here %d", len(today)), today, allows)
	measure("limits.md", "One league live for two hours, with the events of a match every five minutes", live, allows)
	measure("limits.md", "A league: table, matches, scorers", []string{premier + "/standings", premier + "/matches?limit=100", premier + "/top-scorers?limit=10"}, allows)
	measure("limits.md", "A player: the person, statistics, matches", []string{player, player + "/statistics", player + "/matches?limit=100"}, allows)
	measure("limits.md", "[A club](club.html), with its league", five, allows)
	measure("limits.md", "A match: the match, line-ups, events, statistics", []string{match, match + "/lineups", match + "/events", match + "/statistics"}, allows)
	for i, row := range []string{
		"its teams | `/v1/organizations/{id}/teams?includeDescendants=true&clubId={club}&limit=100`", "the table | `/v1/tournaments/{competition}/standings`",
		"results and fixtures, of friendlies too | `/v1/teams/{club}/matches?limit=100`", "the squad | `/v1/teams/{team}/players?limit=100`",
		"the scorers | `/v1/tournaments/{competition}/top-scorers?limit=10`",
	} {
		measure("club.md", row, five[i:i+1], func(int) string { return "" })
	}
}
