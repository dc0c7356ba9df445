package client_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/client"
	"touchline/shared/openapi"
)

// body is an answer with data of a type.
type body[T any] struct {
	Data T `json:"data"`
}

// The documents in testdata are written according to decisions.md, "Bodies",
// with a value in every field.
func TestTypesKeepEveryFieldOfTheirBody(t *testing.T) {
	for file, into := range map[string]any{
		"groups":                 new(body[client.Groups]),
		"competition-statistics": new(body[client.CompetitionStatistics]),
		"standings-knockout":     new(body[client.Standings]),
		"top-scorers":            new(client.Page[client.TopScorer]),
		"player-cards":           new(client.Page[client.PlayerCards]),
		"team-cards":             new(client.Page[client.TeamCards]),
		"lineups":                new(body[client.Lineups]),
		"events":                 new(body[client.Events]),
		"match-statistics":       new(body[client.MatchStatistics]),
		"team": new(body[struct {
			Team client.TeamDetail `json:"team"`
		}]),
		"team-matches":      new(client.Page[client.TeamMatch]),
		"team-statistics":   new(body[client.TeamStatistics]),
		"player-statistics": new(body[client.PlayerStatistics]),
		"player-matches":    new(client.Page[client.PlayerMatch]),
	} {
		t.Run(file, func(t *testing.T) {
			document, err := os.ReadFile("testdata/" + file + ".json")
			if err != nil {
				t.Fatal(err)
			}
			keeps(t, document, into)
		})
	}
}

// keeps decodes a document and encodes it again: nothing is lost.
func keeps(t *testing.T, document []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(document, into); err != nil {
		t.Fatal(err)
	}
	encoded, err := json.Marshal(into)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(plain(t, document), plain(t, encoded)); d != "" {
		t.Error(d)
	}
}

// TestTypesKeepWhatTheServiceReturns: the examples are its responses.
func TestTypesKeepWhatTheServiceReturns(t *testing.T) {
	examples := openapi.Examples()
	for path, into := range map[string]any{
		"/v1/ping":                       new(body[client.Ping]),
		"/v1/{alias}/{id}":               new(body[client.Organization]),
		"/v1/{alias}/{id}/associations":  new(client.Page[client.Organization]),
		"/v1/{alias}/{id}/competitions":  new(client.Page[client.ListedCompetition]),
		"/v1/{alias}/{id}/teams":         new(client.Page[client.ListedTeam]),
		"/v1/{alias}/{id}/players":       new(client.Page[client.ListedPlayer]),
		"/v1/tournaments/{id}/matches":   new(client.Page[client.Match]),
		"/v1/tournaments/{id}/standings": new(body[client.Standings]),
		"/v1/matches/{id}":               new(body[client.MatchDetail]),
		"/v1/teams/{id}/players":         new(client.Page[client.SquadPlayer]),
		"/v1/teams/{id}/matches":         new(client.Page[client.TeamMatch]),
		"/v1/players/{id}/matches":       new(client.Page[client.PlayerMatch]),
	} {
		t.Run(path, func(t *testing.T) { keeps(t, examples[path].Body, into) })
	}
}

func TestAPhaseOfAnUnknownFormatIsKeptAsItIs(t *testing.T) {
	var s client.Standings
	if err := json.Unmarshal([]byte(`{"playoffFormat":"swiss","playoffStandings":[{"seed":1}],"playoutStandings":null}`), &s); err != nil {
		t.Fatal(err)
	}
	if s.PlayoutStandings != nil || s.PlayoffStandings.Rows != nil || string(s.PlayoffStandings.Raw) != `[{"seed":1}]` {
		t.Errorf("%+v", s.PlayoffStandings)
	}
}
