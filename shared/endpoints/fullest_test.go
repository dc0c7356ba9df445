package endpoints_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// fullestDataset has the largest numbers of parts that D47 allows: a competition
// of 10,000 teams in 1,000 groups, a club with 16 parents, and a player in 2,000
// matches, the first of which has 60 players a side and 400 events.
func fullestDataset(t testing.TB) fstest.MapFS {
	t.Helper()
	files := map[string]*bytes.Buffer{}
	add := func(file string, o object) {
		b := files[file]
		if b == nil {
			b = &bytes.Buffer{}
			files[file] = b
		}
		if err := json.NewEncoder(b).Encode(o); err != nil {
			t.Fatal(err)
		}
	}
	add("organizations", object{"id": "fed", "type": "federation", "name": "Federation"})
	var parents []string
	for i := range 16 {
		parents = append(parents, fmt.Sprint("a", i))
		add("organizations", object{"id": parents[i], "type": "association", "name": fmt.Sprint("Association ", i), "parentId": "fed"})
	}
	add("organizations", object{"id": "club", "type": "club", "name": "Club", "parentId": "fed", "additionalParentIds": parents})
	add("organizations", object{"id": "owner", "type": "club", "name": "Owner", "parentId": "a15"})
	groups := make([]object, 1000)
	for i := range groups {
		groups[i] = object{"id": fmt.Sprint("g", i), "name": fmt.Sprint("Group ", i), "order": i}
	}
	add("competitions", object{"id": "c", "season": 2025, "name": "Competition", "organizationId": "fed", "groups": groups})
	for i := range 10_000 {
		add("teams", object{
			"id": fmt.Sprint("t", i), "name": fmt.Sprintf("Team %05d", i), "shortName": fmt.Sprintf("T%05d", i), "organizationId": "owner",
			"competitionId": "c", "season": 2025, "group": fmt.Sprint("g", i%1000),
		})
	}
	squad := func(team int) (entries []object) {
		for i := range 60 {
			id := fmt.Sprintf("p%d-%d", team, i)
			add("players", object{"id": id, "name": fmt.Sprintf("Player %d of %d", i, team), "teamId": fmt.Sprint("t", team)})
			entries = append(entries, object{"playerId": id})
		}
		return entries
	}
	home, away := squad(0), squad(1000)
	var events []object
	for n := range 400 {
		events = append(events, object{"type": "goal", "minute": 1 + n/5, "side": "home", "playerId": fmt.Sprintf("p0-%d", n%11)})
	}
	first := time.Date(2025, 1, 1, 12, 0, 0, 0, time.UTC)
	for i := range 2000 {
		m := object{
			"id": fmt.Sprint("m", i), "competitionId": "c", "season": 2025, "homeTeamId": "t0", "awayTeamId": fmt.Sprint("t", 1000*(1+i%9)), "group": "g0",
			"status": "finished", "kickoffAt": first.Add(time.Duration(i) * time.Hour).Format(time.RFC3339), "score": object{"home": 0, "away": 0},
			"lineups": object{"confirmed": true, "home": object{"starting": home[:1], "bench": []object{}}, "away": object{"starting": []object{}, "bench": []object{}}},
		}
		if i == 0 {
			m["events"], m["score"] = events, object{"home": 400, "away": 0}
			m["lineups"] = object{"confirmed": true, "home": object{"starting": home[:11], "bench": home[11:]}, "away": object{"starting": away[:11], "bench": away[11:]}}
		}
		add("matches", m)
	}
	dataset := fstest.MapFS{}
	for name, b := range files {
		dataset[name+".ndjson"] = &fstest.MapFile{Data: b.Bytes()}
	}
	return dataset
}

// Records that D47 allows load and are served, however many parts they have.
func TestTheLargestNumbersOfPartsAreServed(t *testing.T) {
	if testing.Short() {
		t.Skip("loads 10,000 teams: make test-all runs it")
	}
	s := serve(t, fullestDataset(t))
	for target, want := range map[string]map[string]int{ // how often a text occurs in the response
		"/v1/tournaments/c:c/standings":                                            {`"rank":`: 10_000, `"name":"Team 09999"`: 1, `"points":0`: 9990},
		"/v1/tournaments/c:c/groups":                                               {`"order":`: 1000, `"shortName":`: 10_000},
		"/v1/tournaments/c:c":                                                      {`"groupCount":1000`: 1},
		"/v1/tournaments/c:c/teams?limit=100&page=100":                             {`"shortName":`: 100, `"name":"Team 09999"`: 1, `"total":10000`: 1},
		"/v1/tournaments/c:c/matches?limit=100&page=20":                            {`"kickoffAt":`: 100, `"total":2000`: 1},
		"/v1/organizations/o:club?includeDescendants=true":                         {`"name":"Club"`: 1},
		"/v1/associations/o:a15/clubs":                                             {`"name":"Club"`: 1},
		"/v1/organizations/o:a15/teams?includeDescendants=true&limit=100&page=100": {`"shortName":`: 100, `"total":10000`: 1},
		"/v1/matches/m:m0/lineups":                                                 {`"photo":`: 120},
		"/v1/matches/m:m0/events":                                                  {`"type":"goal"`: 400},
		"/v1/players/p:p0-0/matches?limit=100&page=20":                             {`"kickoffAt":`: 100, `"total":2000`: 1},
		"/v1/players/p:p0-0/statistics":                                            {`"appearances":2000`: 2},
		"/v1/tournaments/c:c/top-scorers?limit=100":                                {`"goals":`: 11, `"total":11`: 1},
	} {
		status, body := s.get(t, fed, target)
		if status != 200 {
			t.Errorf("%s: %d %s", target, status, body)
			continue
		}
		for text, n := range want {
			if got := strings.Count(body, text); got != n {
				t.Errorf("%s: %q occurs %d times, want %d: %.600s", target, text, got, n, body)
			}
		}
	}
}
