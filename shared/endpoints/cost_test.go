package endpoints_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"touchline/shared/meter"
)

// budget is a row of the design's table of reads: sequential round trips, and
// read units in addition to the size of the response by 8 KB.
type budget struct {
	trips int
	units float64
}

// The rows. A list with several filters may read as much as the narrowest
// filter's own list, and a tree as much as 500 nodes take.
var (
	single   = budget{1, 1}
	seasonal = budget{2, 1}
	onePage  = budget{2, 3}
	several  = budget{3, 8}
	tree     = budget{3, 24} // 500 nodes, each with its place among them: 32 units for 97 KB
)

// TestReadsStayWithinTheirBudget counts what requests read with cold caches,
// after authentication, by a key of the federation and one of an association.
// Its lists are long enough to be in parts; what longer ones cost is tested
// with the lists themselves.
func TestReadsStayWithinTheirBudget(t *testing.T) {
	s := serve(t, province())
	id := func(name string) string { return string(s.id(name)) }
	names := strings.NewReplacer(
		"FED", id("o:fed"), "ASSOCIATION", id("o:association0"), "CLUB", id("o:club0"),
		"LEAGUE", id("c:league"), "CUP", id("c:cup"), "TEAM", id("t:league0"), "PLAYER", id("p:league0x0"), "MATCH", id("m:0x1"),
	)
	for target, b := range costs() {
		t.Run(target, func(t *testing.T) { s.spend(t, key{"fed", true}, names.Replace(target), b) })
		if strings.HasPrefix(target, "/v1/organizations/ASSOCIATION") || strings.HasPrefix(target, "/v1/organizations/CLUB") {
			if strings.Contains(target, "LEAGUE") || strings.Contains(target, "CUP") {
				continue // not theirs
			}
			t.Run("association "+target, func(t *testing.T) { s.spend(t, key{"association0", true}, names.Replace(target), b) })
		}
	}
}

// A season that is over is found like one that is not, for every route that can
// name one.
func TestArchivedSeasonsStayWithinTheBudget(t *testing.T) {
	s := serve(t, archive())
	costs := map[string]budget{
		"tournaments/c:league": single, "tournaments/c:league/standings": seasonal, "tournaments/c:league/groups": {2, 1.5}, // with the seasons there are (D57)
		"tournaments/c:league/matches": onePage, "tournaments/c:league/teams": onePage, "tournaments/c:league/players": onePage,
		"tournaments/c:league/top-scorers": onePage, "tournaments/c:league/cards": onePage,
		"teams/t:a2024/statistics": single, "teams/t:a2024/matches": onePage,
		"players/p:a2024x1/statistics": single, "players/p:a2024x1/matches": onePage,
		// The number of players is the length of their list: a third item.
		"tournaments/c:league/statistics": {2, 1.5},
	}
	for path, b := range costs {
		for _, season := range []string{"2024", "2025"} {
			t.Run(path+" "+season, func(t *testing.T) {
				target := written.ReplaceAllStringFunc("/v1/"+path+"?season="+season, func(name string) string { return string(s.id(name)) })
				s.spend(t, key{"fed", true}, target, b)
			})
		}
	}
}

// archive has a league of two groups in two seasons.
func archive() fstest.MapFS {
	var competitions, teams, players, matches strings.Builder
	for _, season := range []int{2024, 2025} {
		fmt.Fprintf(&competitions, `{"id":"league","season":%d,"name":"League","organizationId":"fed","groups":[{"id":"A%d","name":"A","order":1},{"id":"B%d","name":"B","order":2}]}`+"\n", season, season, season)
		for _, team := range []string{"a", "b"} {
			fmt.Fprintf(&teams, `{"id":"%s%d","name":"Team %s","shortName":"%s","organizationId":"fed","competitionId":"league","season":%d,"group":"A%d"}`+"\n", team, season, team, team, season, season)
			fmt.Fprintf(&players, `{"id":"%s%dx1","name":"Player","teamId":"%s%d"}`+"\n", team, season, team, season)
		}
		fmt.Fprintf(&matches, `{"id":"match%d","competitionId":"league","season":%d,"status":"finished","kickoffAt":"%d-09-01T12:00:00Z","homeTeamId":"a%d","awayTeamId":"b%d","score":{"home":1,"away":0},"group":"A%d",`+
			`"lineups":{"confirmed":true,"home":{"starting":[{"playerId":"a%dx1"}],"bench":[]},"away":{"starting":[{"playerId":"b%dx1"}],"bench":[]}}}`+"\n", season, season, season, season, season, season, season, season)
	}
	return fstest.MapFS{
		"organizations.ndjson": {Data: []byte(`{"id":"fed","type":"federation","name":"Federation"}`)},
		"competitions.ndjson":  {Data: []byte(competitions.String())},
		"teams.ndjson":         {Data: []byte(teams.String())},
		"players.ndjson":       {Data: []byte(players.String())},
		"matches.ndjson":       {Data: []byte(matches.String())},
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

// spend asks with cold caches and compares what is read with the budget.
func (s *service) spend(t *testing.T, k key, target string, b budget) {
	t.Helper()
	s.restart()
	if _, _, err := s.reader.Standing(t.Context(), s.id("o:"+k.organization)); err != nil {
		t.Fatal(err)
	}
	s.table.Meter = &meter.Meter{}
	defer func() { s.table.Meter = nil }()
	status, body := s.ask(t, k, target)
	used := s.table.Meter.Total()
	allowed := b.units + float64(len(body))/8192
	t.Logf("%d, %6d bytes, %d trips of %d, %4.1f units of %4.1f", status, len(body), used.Trips, b.trips, used.ReadUnits, allowed)
	if status != 200 {
		t.Error("it answers nothing")
	}
	if used.Trips > b.trips || used.ReadUnits > allowed {
		t.Errorf("%d: %d trips, at most %d are allowed; %.1f units, at most %.1f", status, used.Trips, b.trips, used.ReadUnits, allowed)
	}
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
