package endpoints_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"touchline/shared/route"
	"touchline/shared/store/records"
)

// object is a record of a dataset.
type object map[string]any

// Texts of the greatest lengths that D47 allows: characters of four bytes.
var (
	longName        = strings.Repeat("𝔸", 200)
	longDescription = strings.Repeat("𝔸", 2000)
	longURL         = "https://example.org/" + strings.Repeat("x", 2028)
)

// longestDataset has of everything as much as D47 allows, up to what a response
// without pages may show: a table of more such teams is refused by a load.
func longestDataset(t testing.TB) fstest.MapFS {
	t.Helper()
	const teams, organizations, pages = 1000, 520, 101
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
	add("organizations", object{"id": "fed", "type": "federation", "name": longName, "logo": longURL, "description": longDescription})
	for i := range organizations {
		add("organizations", object{
			"id": fmt.Sprint("club", i), "type": "club", "name": longName, "logo": longURL, "parentId": "fed", "description": longDescription,
		})
	}
	for i := range pages {
		c := object{"id": fmt.Sprint("c", i), "season": 2025, "name": longName, "logo": longURL, "organizationId": "fed"}
		if i == 0 {
			c["groups"] = []object{{"id": "g", "name": longName, "order": 1}}
		}
		add("competitions", c)
	}
	for i := range teams {
		add("teams", object{
			"id": fmt.Sprint("t", i), "name": longName, "shortName": longName, "logo": longURL, "organizationId": "club0",
			"competitionId": "c0", "season": 2025, "group": "g",
		})
	}
	squad := func(team int) (side object) {
		entries := make([]object, 60)
		for i := range entries {
			id := fmt.Sprintf("p%d-%d", team, i)
			add("players", object{"id": id, "name": longName, "teamId": fmt.Sprint("t", team), "photo": longURL})
			entries[i] = object{"playerId": id}
		}
		return object{"formation": "4-4-2", "coach": longName, "starting": entries[:11], "bench": entries[11:]}
	}
	lineups := object{"confirmed": true, "home": squad(0), "away": squad(1)}
	for i := range pages {
		m := object{
			"id": fmt.Sprint("m", i), "competitionId": "c0", "season": 2025, "homeTeamId": "t0", "awayTeamId": "t1", "group": "g", "round": 1,
			"status": "finished", "kickoffAt": fmt.Sprintf("2025-%02d-%02dT18:00:00Z", 1+i/28, 1+i%28), "score": object{"home": 0, "away": 0},
			"lineups": lineups,
		}
		if i == 0 {
			var events []object
			for n := range 400 {
				events = append(events, object{
					"type": "substitution", "minute": 1 + n/4, "side": "home",
					"playerInId": fmt.Sprintf("p0-%d", 11+n%49), "playerOutId": fmt.Sprintf("p0-%d", n%11),
				})
			}
			m["events"] = events
			m["score"] = object{"home": 200, "away": 0}
		} else {
			m["events"] = []object{
				{"type": "goal", "minute": 1, "side": "home", "playerId": fmt.Sprintf("p0-%d", i%60), "assistId": fmt.Sprintf("p0-%d", (i+1)%60)},
				{"type": "card", "detail": "yellow", "minute": 2, "side": "away", "playerId": fmt.Sprintf("p1-%d", i%60)},
			}
		}
		add("matches", m)
	}
	dataset := fstest.MapFS{}
	for name, b := range files {
		dataset[name+".ndjson"] = &fstest.MapFile{Data: b.Bytes()}
	}
	return dataset
}

// Whatever D47 allows, no response is longer than D48 says.
func TestTheLongestAnswerOfEachRouteFits(t *testing.T) {
	if testing.Short() {
		t.Skip("loads 520 organizations of 11 KB: make test-all runs it")
	}
	s := serve(t, longestDataset(t))
	ids := map[route.Group]string{
		route.GroupOrganizations: "o:fed", route.GroupTournaments: "c:c0", route.GroupMatches: "m:m0", route.GroupTeams: "t:t0", route.GroupPlayers: "p:p0-0",
	}
	longest := 0
	for o := range s.routes.All() {
		id := ids[o.Group]
		if o.Path == "/v1/{alias}/{id}/players" {
			id = "o:club0" // the players of a whole federation are refused
		}
		target := strings.NewReplacer("{alias}", "organizations", "{id}", id).Replace(o.Path)
		var query []string
		for _, parameter := range []string{"limit=100", "includeDescendants=true"} {
			if _, err := o.Decode(parameter); err == nil {
				query = append(query, parameter)
			}
		}
		status, body := s.get(t, fed, target+"?"+strings.Join(query, "&"))
		if status != 200 || len(body) > records.MaxAnswer {
			t.Errorf("%s: %d with %d bytes", target, status, len(body))
		}
		longest = max(longest, len(body))
		if strings.HasSuffix(o.Path, "/tree") && (!strings.HasSuffix(body, `,"truncated":true}`) || len(body) < records.MaxAnswer*9/10) {
			t.Errorf("a tree of %d bytes is not cut where it no longer fits", len(body))
		}
	}
	if longest < records.MaxAnswer*9/10 {
		t.Errorf("no response is longer than %d bytes: this tests nothing", longest)
	}
}
