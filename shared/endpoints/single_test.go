package endpoints_test

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAMatchIsFoundByCompetitionOrTeams(t *testing.T) {
	s := serve(t, os.DirFS("testdata/federation"))
	tests := map[string]struct {
		key    key
		target string
		status int
	}{
		"of a competition in the scope":            {fed, "/v1/matches/m:m1", 200},
		"of a team in the scope":                   {north, "/v1/matches/m:m1", 200},
		"of a team of the key's organization":      {albion, "/v1/matches/m:m1", 200},
		"of teams elsewhere, the competition here": {south, "/v1/matches/m:abroadmatch", 200},
		"of neither":                              {north, "/v1/matches/m:abroadmatch", 404},
		"a friendly of a team in the scope":       {fed, "/v1/matches/m:friendly", 200},
		"a friendly elsewhere":                    {fed, "/v1/matches/m:elsewhere", 404},
		"of an archived season":                   {fed, "/v1/matches/m:m24", 200},
		"the current season":                      {fed, "/v1/matches/m:m1?season=2025", 200},
		"another season":                          {fed, "/v1/matches/m:m1?season=2024", 404},
		"an archived match by its own season":     {fed, "/v1/matches/m:m24?season=2024", 404},
		"an archived match by the current season": {fed, "/v1/matches/m:m24?season=2025", 200},
		"a friendly has no season":                {fed, "/v1/matches/m:friendly?season=2025", 404},
		"hidden":                                  {fed, "/v1/matches/m:m6", 404},
		"of a hidden team":                        {fed, "/v1/matches/m:m5", 404},
		"unknown":                                 {fed, "/v1/matches/m:nothing", 404},
		"no id":                                   {fed, "/v1/matches/m1", 404},
		"line-ups, another season":                {fed, "/v1/matches/m:m1/lineups?season=2024", 404},
		"statistics elsewhere":                    {fed, "/v1/matches/m:elsewhere/statistics", 404},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			status, body := s.get(t, tt.key, tt.target)
			if status != tt.status || status == 404 && body != notFound {
				t.Errorf("%s: %d %s, want %d", tt.target, status, body, tt.status)
			}
		})
	}
}

func TestTeamsAndPlayersAreFoundByOwnerOrCompetition(t *testing.T) {
	s := serve(t, os.DirFS("testdata/federation"))
	tests := map[string]struct {
		key    key
		target string
		status int
	}{
		"team of an organization in the scope":      {fed, "/v1/teams/t:albion1/players", 200},
		"team of the key's organization":            {albion, "/v1/teams/t:albion1/players", 200},
		"team without one, in a competition":        {fed, "/v1/teams/t:guest/players", 200},
		"team without one, the competition above":   {north, "/v1/teams/t:guest/players", 404},
		"team of a hidden organization, by contest": {fed, "/v1/teams/t:ghost1/players", 200},
		"team elsewhere, in a competition here":     {south, "/v1/teams/t:abroadopen/players", 200},
		"team elsewhere":                            {fed, "/v1/teams/t:abroadteam/players", 404},
		"team of an archived season":                {fed, "/v1/teams/t:albion24/players", 200},
		"hidden team":                               {fed, "/v1/teams/t:shadow/players", 404},
		"a club is no team":                         {fed, "/v1/teams/o:albion/players", 404},
		"team of one below, of a key alone":         {fedAlone, "/v1/teams/t:albioncup/players", 404},
		"team in a competition of a key alone":      {fedAlone, "/v1/teams/t:albion1/players", 200},
		"player of a team in the scope":             {fed, "/v1/players/p:ann", 200},
		"player of a team in a competition here":    {fed, "/v1/players/p:jon", 200},
		"player of an archived season":              {fed, "/v1/players/p:eve", 200},
		"inactive player":                           {fed, "/v1/players/p:cid", 200},
		"hidden player":                             {fed, "/v1/players/p:dan", 404},
		"player of a hidden team":                   {fed, "/v1/players/p:hal", 404},
		"player elsewhere":                          {fed, "/v1/players/p:lou", 404},
		"player of a key of that club":              {albion, "/v1/players/p:ann", 200},
		"player of another club":                    {albion, "/v1/players/p:gus", 404},
		"player lent is the team's only":            {key{"borough", true}, "/v1/players/p:fay", 404},
		"player without an id":                      {fed, "/v1/players/ann", 404},
		"statistics of a player elsewhere":          {fed, "/v1/players/p:lou/statistics", 404},
		"statistics of a team elsewhere":            {fed, "/v1/teams/t:abroadteam/statistics", 404},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			status, body := s.get(t, tt.key, tt.target)
			if status != tt.status || status == 404 && body != notFound {
				t.Errorf("%s: %d %s, want %d", tt.target, status, body, tt.status)
			}
		})
	}
}

func TestBodiesOfSingleResources(t *testing.T) {
	s := serve(t, os.DirFS("testdata/federation"))
	tests := map[string]struct{ target, want string }{
		"match": {"/v1/matches/m:m1",
			`{"data":{"competition":` + ligaRef + `,"match":{"id":"m:m1","status":"finished","kickoffAt":"2025-09-01T16:00:00.000Z","home":` + albionRef + `,"away":` + cityRef +
				`,"score":{"home":2,"away":1},"penalties":null,"leg":null,"twoLegs":false,"winner":"home","round":1,"group":"Group A"}}}`},
		"match with a shoot-out": {"/v1/matches/m:tie1",
			`{"data":{"competition":{"id":"c:liga-playoff","name":"Liga Playoff","logo":null,"type":"cup","season":2025,"stage":"playoff","timezone":"UTC"},` +
				`"match":{"id":"m:tie1","status":"finished","kickoffAt":"2026-01-10T12:00:00.000Z",` +
				`"home":{"id":"t:po-albion","name":"Albion I","shortName":"ALB","logo":null},"away":{"id":"t:po-city","name":"City I","shortName":"CTY","logo":null},` +
				`"score":{"home":1,"away":1},"penalties":{"home":3,"away":4},"leg":null,"twoLegs":false,"winner":"away","round":1,"group":null}}}`},
		"friendly": {"/v1/matches/m:friendly",
			`{"data":{"competition":null,"match":{"id":"m:friendly","status":"upcoming","kickoffAt":"2026-04-01T12:00:00.000Z",` +
				`"home":{"id":"t:fedteam","name":"Select","shortName":"SEL","logo":null},"away":{"id":"t:abroadteam","name":"Abroad Team","shortName":"ABR","logo":null},` +
				`"score":{"home":0,"away":0},"penalties":null,"leg":null,"twoLegs":false,"winner":"none","round":0,"group":null}}}`},
		"archived match": {"/v1/matches/m:m24",
			`{"data":{"competition":{"id":"c:liga","name":"Liga 24","logo":null,"type":"league","season":2024,"stage":"regular","timezone":"UTC"},` +
				`"match":{"id":"m:m24","status":"finished","kickoffAt":"2024-09-01T12:00:00.000Z",` +
				`"home":{"id":"t:albion24","name":"Albion 24","shortName":"ALB","logo":null},"away":{"id":"t:city24","name":"City 24","shortName":"CTY","logo":null},` +
				`"score":{"home":1,"away":1},"penalties":null,"leg":null,"twoLegs":false,"winner":"draw","round":0,"group":null}}}`},
		"player": {"/v1/players/p:ann",
			`{"data":{"player":{"id":"p:ann","name":"Ann","number":7,"position":"forward","photo":"https://img.example/ann.png","team":` + albionRef + `}}}`},
		"squad": {"/v1/teams/t:albion1/players?limit=2",
			`{"data":[{"id":"p:bob","name":"bob","number":1,"position":"goalkeeper","photo":"https://img.example/nobody.png","teamId":"t:albion1"},` +
				`{"id":"p:cid","name":"Çid","number":7,"position":null,"photo":"https://img.example/nobody.png","teamId":"t:albion1"}],` +
				`"page":1,"limit":2,"total":3,"hasMore":true}`},
		"squad, a page far away": {"/v1/teams/t:albion1/players?limit=100&page=999999999", `{"data":[],"page":999999999,"limit":100,"total":3,"hasMore":false}`},
		"ping": {"/v1/ping",
			`{"data":{"apiVersion":1,"serverTime":"2026-03-14T15:09:26.535Z","keyId":"tk_test","resourceType":"organization","resourceId":"o:fed","scopes":["teams:read"]}}`},
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
