package endpoints_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"
)

// The rows. A list with several filters may read as much as the narrowest
// filter's own list, and a tree as much as 500 nodes take.
var (
	single   = budget{1, 1}
	seasonal = budget{2, 1}
	onePage  = budget{2, 3.5}
	several  = budget{3, 8}
	played   = budget{2, 15.5} // a record of half a unit for each of the 25 matches of a page
	tree     = budget{3, 24}   // 500 nodes, each with its place among them: 32 units for 97 KB
)

// TestReadsStayWithinTheirBudget counts what requests read with cold caches,
// after authentication, by a key of the federation and one of an association.
// Its lists are long enough to be in parts; what longer ones cost is tested
// with the lists themselves.
func TestReadsStayWithinTheirBudget(t *testing.T) {
	s := serve(t, province())
	names := strings.NewReplacer(
		"FED", "o:fed", "ASSOCIATION", "o:association0", "CLUB", "o:club0",
		"LEAGUE", "c:league", "CUP", "c:cup", "TEAM", "t:league0", "PLAYER", "p:league0x0", "MATCH", "m:0x1",
	)
	hold := func(b budget, k key, target string) {
		got := s.spend(t, k, names.Replace(target))
		if got.status != 200 {
			t.Errorf("%s: %d", target, got.status)
		}
		b.hold(t, target, got)
	}
	for target, b := range costs() {
		hold(b, keyOf("fed"), target)
		own := strings.HasPrefix(target, "/v1/organizations/ASSOCIATION") || strings.HasPrefix(target, "/v1/organizations/CLUB")
		if own && !strings.Contains(target, "LEAGUE") && !strings.Contains(target, "CUP") { // which are not theirs
			hold(b, keyOf("association0"), target)
		}
	}
}

// A season that is over is found like one that is not, for every route that can
// name one.
func TestArchivedSeasonsStayWithinTheBudget(t *testing.T) {
	s := serve(t, career(t))
	for path, b := range map[string]struct{ current, named budget }{
		"tournaments/c:league": {single, single}, "tournaments/c:league/standings": {single, seasonal},
		"tournaments/c:league/groups":  {budget{1, 1.5}, budget{2, 1.5}}, // with the seasons there are (D57)
		"tournaments/c:league/matches": {onePage, onePage}, "tournaments/c:league/teams": {onePage, onePage}, "tournaments/c:league/players": {onePage, onePage},
		"tournaments/c:league/top-scorers": {onePage, onePage}, "tournaments/c:league/cards": {onePage, onePage},
		"teams/t:a2024/statistics": {single, single}, "teams/t:a2024/matches": {onePage, onePage},
		"players/p:ann/statistics": {single, single}, "players/p:ann/matches": {played, played},
		// The number of players is the length of their list: a third item.
		"tournaments/c:league/statistics": {budget{1, 1.5}, budget{2, 1.5}},
	} {
		for query, b := range map[string]budget{"": b.current, "?season=2024": b.named, "?season=2025": b.named} {
			b.hold(t, path+query, s.spend(t, keyOf("fed"), "/v1/"+path+query))
		}
	}
	// A part of a match, the match, and the competition whose season it is to be: three
	// items, however small.
	for _, part := range []string{"lineups", "events", "statistics"} {
		target := "/v1/matches/m:m2025/" + part
		single.hold(t, target, s.spend(t, keyOf("fed"), target))
		budget{2, 1.5}.hold(t, target, s.spend(t, keyOf("fed"), target+"?season=2025"))
	}
}

// Any page of a long list costs the same: of a team and a player who play every day. Which
// of the player's matches are on a page is known with the second round trip.
func TestAnyPageOfMatchesCostsTheSame(t *testing.T) {
	files, none := folder{}, []object{}
	files.add(t, "organizations", object{"id": "fed", "type": "federation", "name": "Federation"})
	for i := range 21 {
		files.add(t, "teams", object{"id": fmt.Sprint("t", i), "name": "Team", "shortName": "T", "organizationId": "fed"})
	}
	files.add(t, "players", object{"id": "ann", "name": "Ann", "teamId": "t0"})
	for i := range 600 {
		files.add(t, "matches", object{
			"id": fmt.Sprint("m", i), "homeTeamId": "t0", "awayTeamId": fmt.Sprint("t", 1+i%20), "status": "finished", "score": object{"home": 0, "away": 0},
			"kickoffAt": time.Date(2025, 8, 1+i, 12, 0, 0, 0, time.UTC).Format(time.RFC3339),
			"lineups":   object{"confirmed": true, "home": object{"starting": []object{{"playerId": "ann"}}, "bench": none}, "away": object{"starting": none, "bench": none}},
		})
	}
	s := serve(t, files.dataset())
	for query, most := range map[string]float64{ // on a page
		"": 25, "limit=100": 100, "limit=1&page=290": 1, "page=20": 25, "status=finished&page=5": 25, "from=2026-01-01": 25,
		"from=2025-10-01&to=2025-10-07": 25, "to=2026-01-01&limit=100": 100,
	} {
		for resource, b := range map[string]budget{"teams/t:t0": onePage, "players/p:ann": {3, 3 + most/2}} {
			target := "/v1/" + resource + "/matches?" + query
			b.hold(t, target, s.spend(t, keyOf("fed"), target))
		}
	}
}

// province is a federation of 3 associations, 60 clubs, a league and a cup of
// 20 teams each, 20 players a team, and the league's matches.
func province() fstest.MapFS {
	files := map[string]*strings.Builder{}
	line := func(file, format string, args ...any) {
		if files[file] == nil {
			files[file] = &strings.Builder{}
		}
		fmt.Fprintf(files[file], format+"\n", args...)
	}
	line("organizations", `{"id":"fed","type":"federation","name":"Football Federation of a Province"}`)
	for i := range 3 {
		line("organizations", `{"id":"association%d","type":"association","name":"Football Association %d","parentId":"fed"}`, i, i)
	}
	for i := range 60 {
		line("organizations", `{"id":"club%d","type":"club","name":"Sporting Club %d","parentId":"association%d","description":"Club of a town"}`, i, i, i%3)
	}
	for _, c := range []string{"league", "cup"} {
		line("competitions", `{"id":"%s","season":2025,"name":"The %s","organizationId":"fed"}`, c, c)
		for i := range 20 {
			line("teams", `{"id":"%s%d","name":"Sporting Club %d","shortName":"SC%d","organizationId":"club%d","competitionId":"%s","season":2025}`, c, i, i, i, i, c)
			for j := range 20 {
				line("players", `{"id":"%s%dx%d","name":"Somebody of Somewhere %d","teamId":"%s%d","number":%d,"position":"midfielder"}`, c, i, j, j*20+i, c, i, j)
			}
		}
	}
	for i := range 20 {
		for j := range 20 {
			if i == j {
				continue
			}
			kickoff := time.Date(2025, 8, 1, 12, 0, 0, 0, time.UTC).AddDate(0, 0, 7*((i+j)%38))
			line("matches", `{"id":"%dx%d","competitionId":"league","season":2025,"status":"finished","kickoffAt":"%s","homeTeamId":"league%d","awayTeamId":"league%d","score":{"home":1,"away":0},"round":%d}`,
				i, j, kickoff.Format(time.RFC3339), i, j, (i+j)%38)
		}
	}
	dataset := fstest.MapFS{}
	for file, lines := range files {
		dataset[file+".ndjson"] = &fstest.MapFile{Data: []byte(lines.String())}
	}
	return dataset
}

func costs() map[string]budget {
	costs := map[string]budget{
		"/v1/organizations/ASSOCIATION?includeDescendants=true": single,
		"/v1/tournaments/CUP":                                        single,
		"/v1/tournaments/CUP?season=2025":                            seasonal,
		"/v1/tournaments/CUP/standings":                              single,
		"/v1/tournaments/LEAGUE/standings":                           single,
		"/v1/matches/MATCH":                                          single,
		"/v1/matches/MATCH?season=2025":                              seasonal,
		"/v1/players/PLAYER":                                         single,
		"/v1/teams/TEAM/players":                                     onePage,
		"/v1/tournaments/LEAGUE/teams":                               onePage,
		"/v1/tournaments/LEAGUE/players":                             onePage,
		"/v1/tournaments/CUP/teams?season=2025":                      onePage,
		"/v1/organizations/FED/tree?depth=3":                         tree,
		"/v1/organizations/ASSOCIATION/tree?includeDescendants=true": tree,
	}
	for _, query := range []string{"", "&limit=1", "&limit=100", "&page=3"} {
		for _, filter := range []string{"", "status=finished", "from=2026-01-01", "to=2026-01-01", "from=2025-10-01&to=2025-10-07"} {
			costs["/v1/tournaments/LEAGUE/matches?"+filter+query] = onePage
		}
		for _, of := range []string{"FED", "ASSOCIATION", "CLUB"} {
			for _, list := range []string{"associations", "clubs", "competitions", "teams", "players"} {
				costs["/v1/organizations/"+of+"/"+list+"?"+query] = onePage
				if list == "players" && of == "FED" {
					continue
				}
				costs["/v1/organizations/"+of+"/"+list+"?includeDescendants=true"+query] = onePage
				costs["/v1/organizations/"+of+"/"+list+"?includeDescendants=true&status=active"+query] = onePage
				costs["/v1/organizations/"+of+"/"+list+"?includeDescendants=true&sort=-name"+query] = onePage
			}
		}
		for _, filter := range []string{
			"clubs?associationId=ASSOCIATION", "competitions?associationId=ASSOCIATION", "competitions?clubId=CLUB", "competitions?teamId=TEAM",
			"teams?associationId=ASSOCIATION", "teams?clubId=CLUB", "teams?competitionId=CUP", "teams?competitionId=LEAGUE", "teams?season=2025",
			"players?associationId=ASSOCIATION", "players?clubId=CLUB", "players?competitionId=CUP", "players?competitionId=LEAGUE", "players?teamId=TEAM",
		} {
			costs["/v1/organizations/FED/"+filter+"&includeDescendants=true"+query] = onePage
			costs["/v1/organizations/ASSOCIATION/"+filter+"&includeDescendants=true"+query] = onePage
			costs["/v1/organizations/FED/"+filter+query] = onePage
			costs["/v1/organizations/FED/"+filter+"&includeDescendants=true&sort=-name"+query] = several
			costs["/v1/organizations/FED/"+filter+"&includeDescendants=true&status=active"+query] = several
		}
		for _, filters := range []string{
			"teams?competitionId=LEAGUE&clubId=CLUB", "players?competitionId=LEAGUE&clubId=CLUB", "players?competitionId=LEAGUE&teamId=TEAM",
			"players?competitionId=LEAGUE&teamId=TEAM&clubId=CLUB&associationId=ASSOCIATION", "competitions?clubId=CLUB&associationId=ASSOCIATION", "competitions?clubId=CLUB&teamId=TEAM",
		} {
			costs["/v1/organizations/FED/"+filters+"&includeDescendants=true"+query] = several
		}
	}
	return costs
}
