package endpoints_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestATournamentIsFoundByScopeAndSeason(t *testing.T) {
	s := serve(t, os.DirFS("testdata/federation"))
	tests := map[string]struct {
		key    key
		target string
		status int
		says   string // in the body
	}{
		"current season":                    {fed, "/v1/tournaments/c:liga", 200, `"season":2025`},
		"current season, named":             {fed, "/v1/tournaments/c:liga?season=2025", 200, `"season":2025`},
		"archived season":                   {fed, "/v1/tournaments/c:liga?season=2024", 200, `"name":"Liga 24"`},
		"oldest season":                     {fed, "/v1/tournaments/c:liga?season=2023", 200, `"season":2023`},
		"unknown season":                    {fed, "/v1/tournaments/c:liga?season=2022", 404, ""},
		"current season is not the highest": {fed, "/v1/tournaments/c:returning", 200, `"season":2024`},
		"a season after the current one":    {fed, "/v1/tournaments/c:returning?season=2026", 200, `"season":2026`},
		"of a key that sees itself only":    {fedAlone, "/v1/tournaments/c:liga", 200, `"season":2025`},
		"owned below":                       {fed, "/v1/tournaments/c:cup", 200, `"season":2025`},
		"owned below, of a key alone":       {fedAlone, "/v1/tournaments/c:cup", 404, ""},
		"owned above":                       {north, "/v1/tournaments/c:liga", 404, ""},
		"owned elsewhere":                   {fed, "/v1/tournaments/c:foreign", 404, ""},
		"hidden":                            {fed, "/v1/tournaments/c:secret", 404, ""},
		"no id":                             {fed, "/v1/tournaments/liga", 404, ""},
		"an organization":                   {fed, "/v1/tournaments/o:fed", 404, ""},
		"matches, unknown season":           {fed, "/v1/tournaments/c:liga/matches?season=2022", 404, ""},
		"standings, unknown season":         {fed, "/v1/tournaments/c:liga/standings?season=2022", 404, ""},
		"teams, out of scope":               {north, "/v1/tournaments/c:liga/teams", 404, ""},
		"players, out of scope":             {north, "/v1/tournaments/c:liga/players", 404, ""},
		"groups, out of scope":              {north, "/v1/tournaments/c:liga/groups", 404, ""},
		"cards, unknown season":             {fed, "/v1/tournaments/c:liga/cards?season=2022&scope=team", 404, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			status, body := s.get(t, tt.key, tt.target)
			if status != tt.status || status == 404 && body != notFound || !strings.Contains(body, tt.says) {
				t.Errorf("%s: %d %s, want %d %s", tt.target, status, body, tt.status, tt.says)
			}
		})
	}
}

func TestMatchesOfATournament(t *testing.T) {
	s := serve(t, os.DirFS("testdata/federation"))
	tests := map[string]struct{ query, want string }{
		"by kickoff, hidden ones left out": {"", "m:m1 m:m2 m:m4 m:m3"},
		"of an archived season":            {"season=2024", "m:m24"},
		"live":                             {"status=live", "m:m2"},
		"finished":                         {"status=finished", "m:m1"},
		"from a day":                       {"from=2025-09-08", "m:m2 m:m4 m:m3"},
		"to a day, to its end":             {"to=2025-09-08", "m:m1 m:m2 m:m4 m:m3"},
		"one day":                          {"from=2025-09-08&to=2025-09-08", "m:m2 m:m4 m:m3"},
		"from inclusive":                   {"from=2025-09-08T22:00:00Z", "m:m4 m:m3"},
		"from a millisecond later":         {"from=2025-09-08T22:00:00.001Z", "m:m3"},
		"to inclusive":                     {"to=2025-09-08T00:00:00Z", "m:m1 m:m2"},
		"to a millisecond before":          {"to=2025-09-07T23:59:59.999Z", "m:m1"},
		"with an offset":                   {"from=2025-09-08T02:00:00%2B02:00&to=2025-09-08T02:00:00%2B02:00", "m:m2"},
		"between two milliseconds":         {"from=2025-09-08T00:00:00.0001Z&to=2025-09-08T00:00:00.0009Z", ""},
		"from and status":                  {"from=2025-09-08&status=postponed", "m:m4"},
		"before all":                       {"to=2020-01-01", ""},
		"after all":                        {"from=2030-01-01", ""},
		"a page":                           {"limit=1&page=2", "m:m2"},
		"a page far away":                  {"limit=100&page=999999999", ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			status, body := s.get(t, fed, "/v1/tournaments/c:liga/matches?"+tt.query)
			got, _ := ids(t, body)
			if status != 200 || strings.Join(got, " ") != tt.want {
				t.Errorf("%d %v, want %s", status, got, tt.want)
			}
			if !strings.Contains(body, `,"competition":{"id":"c:liga",`) || strings.Contains(body, "meta") {
				t.Error(body)
			}
		})
	}
}

func TestTeamsAndPlayersOfATournament(t *testing.T) {
	s := serve(t, os.DirFS("testdata/federation"))
	tests := map[string]struct{ target, want string }{
		"teams by name, hidden ones left out": {"/v1/tournaments/c:liga/teams", "t:albion1 t:city1 t:ghost1 t:guest t:rovers1"},
		"teams of an archived season":         {"/v1/tournaments/c:liga/teams?season=2024", "t:albion24 t:city24"},
		"teams of a season without":           {"/v1/tournaments/c:liga/teams?season=2023", ""},
		"a page of teams":                     {"/v1/tournaments/c:liga/teams?limit=2&page=2", "t:ghost1 t:guest"},
		"players by name, with one lent":      {"/v1/tournaments/c:liga/players", "p:ann p:bob p:cid p:fay p:gus p:jon p:ned"},
		"players of an archived season":       {"/v1/tournaments/c:liga/players?season=2024", "p:eve"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			status, body := s.get(t, fed, tt.target)
			if got, _ := ids(t, body); status != 200 || strings.Join(got, " ") != tt.want {
				t.Errorf("%d %v, want %s", status, got, tt.want)
			}
		})
	}
}

const (
	albionRef = `{"id":"t:albion1","name":"Albion I","shortName":"ALB","logo":"https://img.example/albion1.png"}`
	cityRef   = `{"id":"t:city1","name":"City I","shortName":"CTY","logo":null}`
	ligaRef   = `{"id":"c:liga","name":"Liga","logo":"https://img.example/liga.png","type":"league","season":2025,"stage":"regular","timezone":"Europe/Vienna"}`
)

func TestBodiesOfTournaments(t *testing.T) {
	s := serve(t, os.DirFS("testdata/federation"))
	tests := map[string]struct{ target, want string }{
		"competition": {"/v1/tournaments/c:liga",
			`{"data":{"competition":` + strings.TrimSuffix(ligaRef, "}") +
				`,"gender":"men","completed":false,"hasPlayoff":true,"hasPlayout":true,"groupCount":2}}}`},
		"competition with little": {"/v1/tournaments/c:liga?season=2023",
			`{"data":{"competition":{"id":"c:liga","name":"Liga 23","logo":null,"type":"league","season":2023,"stage":"regular","timezone":"UTC",` +
				`"gender":null,"completed":true,"hasPlayoff":false,"hasPlayout":false,"groupCount":0}}}`},
		"matches": {"/v1/tournaments/c:liga/matches?status=finished",
			`{"data":[{"id":"m:m1","status":"finished","kickoffAt":"2025-09-01T16:00:00.000Z","home":` + albionRef + `,"away":` + cityRef +
				`,"score":{"home":2,"away":1},"penalties":null,"leg":null,"twoLegs":false,"winner":"home","round":1,"group":"Group A"}],` +
				`"page":1,"limit":25,"total":1,"hasMore":false,"competition":` + ligaRef + `}`},
		"a match to come": {"/v1/tournaments/c:open/matches",
			`{"data":[{"id":"m:abroadmatch","status":"upcoming","kickoffAt":"2026-05-01T12:00:00.000Z",` +
				`"home":{"id":"t:abroadopen","name":"Abroad Open","shortName":"ABR","logo":null},"away":{"id":"t:fedopen","name":"Select Open","shortName":"SEL","logo":null},` +
				`"score":{"home":0,"away":0},"penalties":null,"leg":2,"twoLegs":true,"winner":"none","round":0,"group":null}],` +
				`"page":1,"limit":25,"total":1,"hasMore":false,` +
				`"competition":{"id":"c:open","name":"Open","logo":null,"type":"tournament","season":2025,"stage":"regular","timezone":"UTC"}}`},
		"standings of a season without teams": {"/v1/tournaments/c:liga/standings?season=2023",
			`{"data":{"competition":{"id":"c:liga","name":"Liga 23","logo":null,"type":"league","season":2023,"stage":"regular","timezone":"UTC"},` +
				`"standings":[],"playoffStandings":null,"playoutStandings":null,"playoffFormat":null,"playoutFormat":null,"playoffCompleted":null,"playoutCompleted":null}}`},
		"teams": {"/v1/tournaments/c:liga/teams?limit=1&page=4",
			`{"data":[{"id":"t:guest","name":"Guest","shortName":"GUE","logo":null,"organizationId":null,"competitionId":"c:liga","season":2025,"group":"Group B","status":"active"}],` +
				`"page":4,"limit":1,"total":5,"hasMore":true}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			status, body := s.get(t, fed, tt.target)
			if diff := cmp.Diff(tt.want, body); status != 200 || diff != "" {
				t.Error(status, diff)
			}
		})
	}
}

func TestStandingsHoldTheTablesOfAllStages(t *testing.T) {
	s := serve(t, os.DirFS("testdata/federation"))
	_, body := s.get(t, fed, "/v1/tournaments/c:liga/standings")
	for _, part := range []string{
		`{"data":{"competition":` + ligaRef + `,"standings":[{"rank":1,"team":` + albionRef +
			`,"played":1,"won":1,"drawn":0,"lost":0,"goalsFor":2,"goalsAgainst":1,"goalDiff":1,"points":3,"startingPoints":0,"group":"Group A"},`,
		`"goalDiff":-1,"points":-3,"startingPoints":-3,"group":"Group A"}`,
		`"playoffStandings":[{"round":1,"order":1,"home":{"id":"t:po-albion","name":"Albion I","shortName":"ALB","logo":null},` +
			`"away":{"id":"t:po-city","name":"City I","shortName":"CTY","logo":null},` +
			`"aggregate":{"home":1,"away":1},"penalties":{"home":3,"away":4},"winner":"away","matchIds":["m:tie1"]}],`,
		`"playoutStandings":[],"playoffFormat":"knockout","playoutFormat":"league","playoffCompleted":false,"playoutCompleted":true}}`,
	} {
		if !strings.Contains(body, part) {
			t.Errorf("%s\nis not in\n%s", part, body)
		}
	}
	if strings.Contains(body, "Shadow") {
		t.Error("a hidden team is in the table")
	}
}
