package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
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
		today = append(today, path)
		if c["name"] == "Estavia Premier League" {
			premier = path
		}
	}
	team := items(premier + "/teams")[0]
	club := team["organizationId"].(string)
	playing := items(premier + "/matches?status=live")[0]
	match, date := "/v1/matches/"+playing["id"].(string), playing["kickoffAt"].(string)[:len("2026-03-14")]
	day := "/matches?from=" + date + "T00:00%2B01:00&to=" + date + "T23:59%2B01:00&limit=100"
	for i := range today {
		today[i] += day
	}
	player := "/v1/players/" + items(premier + "/top-scorers")[0]["player"].(map[string]any)["id"].(string)
	var live []string
	for minute := range 120 {
		live = append(live, premier+day)
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
		onPage(t, page, want)
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

// TestTheProgramsOfThePagesAskSoOften: on a day with ten loads, of a federation with six leagues,
// started every ten minutes.
func TestTheProgramsOfThePagesAskSoOften(t *testing.T) {
	begin := time.Date(2026, 9, 11, 0, 0, 0, 0, time.UTC)
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at, err := strconv.ParseInt(r.Header.Get("X-Service-Timestamp"), 10, 64)
		must(t, err)
		now := time.Unix(at, 0).UTC()
		loads := 10*int(now.Sub(begin).Hours()/24) + min(max(now.Hour()-9, 0), 10)
		w.Header().Set("X-Service-Data-Version", strconv.Itoa(loads))
		data := "[]"
		switch path := r.URL.Path; {
		case path == "/v1/ping":
			data = `{"resourceId":"o"}`
		case strings.HasSuffix(path, "/competitions"):
			data = "[" + strings.Repeat(`{"id":"c","timezone":"Europe/Vienna"},`, 5) + `{"id":"d","timezone":"Europe/Vienna"}]`
		case strings.HasSuffix(path, "o/teams"):
			data = `[{"id":"t","competitionId":"c"}]`
		}
		_, _ = fmt.Fprintf(w, `{"data":%s,"hasMore":false}`, data)
	}))
	defer service.Close()
	for program, call := range map[string]string{"club": `renew(api, "c")`, "today": "today(api, datetime.fromtimestamp(now, ZoneInfo('UTC')))"} {
		text, err := os.ReadFile("site/content/examples/" + program + ".py")
		must(t, err)
		alone, _, _ := strings.Cut(string(text), "if __name__")
		out := runWithKit(t, "python", "import time as times\n"+alone+fmt.Sprintf(`
now = %d
times.time = lambda: now
api = touchline.Client(%q, "k", "secret", a_month=A_MONTH)
for start in range(2 * 144):
    if start == 144:
        left = api.left()
    %s
    now += 600
print(left - api.left())
`, begin.Unix(), service.URL, call), "")
		requests, err := strconv.Atoi(strings.TrimSpace(out))
		must(t, err)
		name := map[string]string{"club": "[`club.py`](club.html)", "today": "[`today.py`](lists.html#today)"}[program]
		onPage(t, "limits.md", fmt.Sprintf("| %s, every ten minutes | %d | %d |", name, requests, 31*requests))
	}
}

// TestAProgramStopsAtItsShareOfTheMonth, with each kit that counts, and begins again with the next.
func TestAProgramStopsAtItsShareOfTheMonth(t *testing.T) {
	asked := 0
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		_, _ = io.WriteString(w, `{"data":{}}`)
	}))
	defer service.Close()
	end := time.Date(2026, 9, 30, 23, 59, 59, 0, time.UTC)
	for language, program := range map[string]string{
		"python": fmt.Sprintf(`import time
import touchline
now = %d
time.time = lambda: now
for start in range(4):
    api = touchline.Client(%q, "k", "secret", a_month=3)
    now += start // 3
    try:
        api.get("/v1/ping"), api.get("/v1/ping")
    except touchline.Spent as spent:
        print(spent)
print(api.left())
`, end.Unix(), service.URL),
		"node": fmt.Sprintf(`import { Client, Spent } from './touchline.mjs'
let now = %d
const Real = Date
globalThis.Date = class extends Real { static now () { return now } }
let api
for (let start = 0; start < 4; start++) {
  api = new Client(%q, 'k', 'secret', { aMonth: 3 })
  now += start === 3 ? 1000 : 0
  try {
    await api.get('/v1/ping')
    await api.get('/v1/ping')
  } catch (spent) {
    if (!(spent instanceof Spent)) throw spent
    console.log(spent.message)
  }
}
console.log(api.left())
`, end.UnixMilli(), service.URL),
	} {
		asked = 0
		const spent = "3 requests in 2026-09, as many as this program may send\n"
		if got := runWithKit(t, language, program, ""); got != spent+spent+"1\n" || asked != 5 {
			t.Errorf("%s: %d requests, %s", language, asked, got)
		}
	}
}
