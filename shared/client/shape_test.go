package client_test

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/client"
)

// The documents in testdata are written according to decisions.md, "Bodies",
// with a value in every field.
func TestTypedResultsKeepEveryFieldOfTheirBody(t *testing.T) {
	x := id(6)
	season := client.SeasonParams{}
	for _, c := range []struct {
		file, target string
		ask          func(*testing.T, *client.Client) any
	}{
		{"groups", "/v1/tournaments/ID/groups", func(t *testing.T, c *client.Client) any {
			return data(must(c.Tournament(x).Groups(t.Context(), season))(t))
		}},
		{"competition-statistics", "/v1/tournaments/ID/statistics?season=2024", func(t *testing.T, c *client.Client) any {
			return data(must(c.Tournament(x).Statistics(t.Context(), client.SeasonParams{Season: 2024}))(t))
		}},
		{"standings-knockout", "/v1/tournaments/ID/standings", func(t *testing.T, c *client.Client) any {
			return data(must(c.Tournament(x).Standings(t.Context(), season))(t))
		}},
		{"top-scorers", "/v1/tournaments/ID/top-scorers?type=assists&page=1&limit=25", func(t *testing.T, c *client.Client) any {
			return must(c.Tournament(x).TopScorers(client.TopScorersParams{Type: client.ByAssists}).Page(t.Context(), 1, 25))(t)
		}},
		{"player-cards", "/v1/tournaments/ID/cards?scope=player", func(t *testing.T, c *client.Client) any {
			return must(c.Tournament(x).PlayerCards(season).Page(t.Context(), 0, 0))(t)
		}},
		{"team-cards", "/v1/tournaments/ID/cards?scope=team", func(t *testing.T, c *client.Client) any {
			return must(c.Tournament(x).TeamCards(season).Page(t.Context(), 0, 0))(t)
		}},
		{"lineups", "/v1/matches/ID/lineups", func(t *testing.T, c *client.Client) any {
			return data(must(c.Match(x).Lineups(t.Context(), season))(t))
		}},
		{"events", "/v1/matches/ID/events", func(t *testing.T, c *client.Client) any {
			return data(must(c.Match(x).Events(t.Context(), season))(t))
		}},
		{"match-statistics", "/v1/matches/ID/statistics", func(t *testing.T, c *client.Client) any {
			return data(must(c.Match(x).Statistics(t.Context(), season))(t))
		}},
		{"team", "/v1/teams/ID", func(t *testing.T, c *client.Client) any {
			return data(map[string]any{"team": must(c.Team(x).Get(t.Context()))(t)})
		}},
		{"team-matches", "/v1/teams/ID/matches?season=2024&from=2099-03-14T12%3A00%3A00Z&to=2099-03-14T13%3A00%3A00Z&status=finished", func(t *testing.T, c *client.Client) any {
			return must(c.Team(x).Matches(client.MatchesParams{
				Season: 2024, From: noon(), To: noon().Add(time.Hour), Status: "finished",
			}).Page(t.Context(), 0, 0))(t)
		}},
		{"team-statistics", "/v1/teams/ID/statistics", func(t *testing.T, c *client.Client) any {
			return data(must(c.Team(x).Statistics(t.Context(), season))(t))
		}},
		{"player-statistics", "/v1/players/ID/statistics", func(t *testing.T, c *client.Client) any {
			return data(must(c.Player(x).Statistics(t.Context(), season))(t))
		}},
		{"player-matches", "/v1/players/ID/matches", func(t *testing.T, c *client.Client) any {
			return must(c.Player(x).Matches(client.MatchesParams{}).Page(t.Context(), 0, 0))(t)
		}},
	} {
		t.Run(c.file, func(t *testing.T) {
			document, err := os.ReadFile("testdata/" + c.file + ".json")
			if err != nil {
				t.Fatal(err)
			}
			f := newFake(t, func(_ int, w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(document) })
			encoded, err := json.Marshal(c.ask(t, f.client()))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(plain(t, document), plain(t, encoded)); d != "" {
				t.Error(d)
			}
			if want := strings.Replace(c.target, "ID", string(x), 1); f.sent()[0] != want {
				t.Errorf("sent %s, want %s", f.sent()[0], want)
			}
		})
	}
}

func TestAPhaseOfAnUnknownFormatIsKeptAsItIs(t *testing.T) {
	f := newFake(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"data":{"playoffFormat":"swiss","playoffStandings":[{"seed":1}],"playoutStandings":null}}`))
	})
	s := must(f.client().Tournament(id(6)).Standings(t.Context(), client.SeasonParams{}))(t)
	if s.PlayoutStandings != nil || s.PlayoffStandings.Rows != nil || string(s.PlayoffStandings.Raw) != `[{"seed":1}]` {
		t.Errorf("%+v", s.PlayoffStandings)
	}
}
