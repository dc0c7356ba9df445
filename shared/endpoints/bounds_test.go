package endpoints_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"touchline/shared/route"
	"touchline/shared/store/records"
)

// object is a record of a dataset.
type object map[string]any

// folder is a dataset in the making: the text of each file.
type folder map[string]*bytes.Buffer

func (f folder) add(t testing.TB, file string, o object) {
	t.Helper()
	if f[file] == nil {
		f[file] = &bytes.Buffer{}
	}
	if err := json.NewEncoder(f[file]).Encode(o); err != nil {
		t.Fatal(err)
	}
}

func (f folder) dataset() fstest.MapFS {
	dataset := fstest.MapFS{}
	for name, text := range f {
		dataset[name+".ndjson"] = &fstest.MapFile{Data: text.Bytes()}
	}
	return dataset
}

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
	files := folder{}
	add := func(file string, o object) { t.Helper(); files.add(t, file, o) }
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
	return files.dataset()
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
		status, body := s.get(t, keyOf("fed"), target+"?"+strings.Join(query, "&"))
		if status != 200 || len(body) > records.MaxResponse {
			t.Errorf("%s: %d with %d bytes", target, status, len(body))
		}
		longest = max(longest, len(body))
		if strings.HasSuffix(o.Path, "/tree") && (!strings.HasSuffix(body, `,"truncated":true}`) || len(body) < records.MaxResponse*9/10) {
			t.Errorf("a tree of %d bytes is not cut where it no longer fits", len(body))
		}
	}
	if longest < records.MaxResponse*9/10 {
		t.Errorf("no response is longer than %d bytes: this tests nothing", longest)
	}
}

// fullestDataset has the largest numbers of parts that D47 allows: a competition
// of 10,000 teams in 1,000 groups, a club with 16 parents, and a player in 2,000
// matches, the first of which has 60 players a side and 400 events.
func fullestDataset(t testing.TB) fstest.MapFS {
	t.Helper()
	files := folder{}
	add := func(file string, o object) { t.Helper(); files.add(t, file, o) }
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
	return files.dataset()
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
		status, body := s.get(t, keyOf("fed"), target)
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

// TestPagesOfAClubsMatchesAddUp reads the matches of a club of many teams page by page: those
// of all its teams by kick-off, each once.
func TestPagesOfAClubsMatchesAddUp(t *testing.T) {
	files, r := folder{}, rand.New(rand.NewPCG(1, 2))
	files.add(t, "organizations", object{"id": "club", "type": "club", "name": "Club"})
	for i := range 12 {
		files.add(t, "teams", object{"id": fmt.Sprint("t", i), "name": "Team", "shortName": "T", "organizationId": "club"})
	}
	var want, got []string
	at := map[string]string{}
	for i := range 500 {
		home := r.IntN(12)
		id, kickoff := fmt.Sprint("m", i), fmt.Sprintf("2025-%02d-%02dT12:00:00Z", 1+r.IntN(2), 1+r.IntN(28))
		files.add(t, "matches", object{
			"id": id, "status": "upcoming", "kickoffAt": kickoff, "homeTeamId": fmt.Sprint("t", home), "awayTeamId": fmt.Sprint("t", (home+1+r.IntN(11))%12),
		})
		want, at["m:"+id] = append(want, "m:"+id), kickoff
	}
	s := serve(t, files.dataset())
	slices.SortFunc(want, func(a, b string) int {
		return cmp.Or(strings.Compare(at[a], at[b]), strings.Compare(string(s.id(a)), string(s.id(b))))
	})
	for page := 1; page <= 8; page++ {
		_, body := s.get(t, keyOf("club"), fmt.Sprintf("/v1/teams/o:club/matches?limit=70&page=%d", page))
		part, total := idsIn(t, body)
		if got = append(got, part...); total != len(want) {
			t.Errorf("page %d: total %d", page, total)
		}
	}
	if !slices.Equal(want, got) {
		t.Errorf("%v, want %v", got, want)
	}
	// 12 lists of some 83 matches, each in a few parts.
	budget{3, 60}.hold(t, "a club's matches", s.spend(t, keyOf("club"), "/v1/teams/o:club/matches?limit=1"))
}
