package site

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// TestTheSearchFindsWhatReadersAskFor among the first three.
func TestTheSearchFindsWhatReadersAskFor(t *testing.T) {
	asked := []struct{ query, want string }{
		{"pagination", "lists.html#pages"},
		{"webhook", "limits.html#how-to-poll"},
		{"image", "reference-organizations.html#getOrganization"},
		{"top scorers", "reference-tournaments.html#listTournamentTopScorers"},
		{"fixtures", "reference-tournaments.html#listTournamentMatches"},
		{"ical", "live.html#which-matches"},
		{"standings", "reference-tournaments.html#getTournamentStandings"},
		{"player statistics", "reference-players.html#getPlayerStatistics"},
		{"canonical", "signing.html#the-canonical-string"},
		{"how do I sign a request", "signing.html"},
		{"sign", "signing.html"}, // on the way to "signing"
		{"throttling", "limits.html#what-is-limited"},
		{"rateLimited", "errors.html#rateLimited"},
		{"bad request", "errors.html#badRequest"},
		{"synchronize", "mirror.html"},
		{"previous season", "seasons.html#seasons-before"},
		{"sdk", "kits.html"},
		{"allowed values", "errors.html#parameters"},
		{"replay", "signing.html"},
		{"deprecation", "changes.html"},
		// From somebody who has a site to build and has read no page.
		{"today's matches", "lists.html#today"},
		{"id of our team in the new season", "club.html#the-turn-of-a-season"},
		{"why is the table 404", "club.html#which-key"},
		{"player photo", "club.html#photos"},
		{"delete personal data", "mirror.html#names"},
		{"nginx", "signing.html#the-usual-mistakes"},
		{"did anything change", "mirror.html#has-anything-changed"},
		{"clock skew", "kits.html#the-clock"},
		{"qqqq", ""},
	}
	var queries []string
	for _, a := range asked {
		queries = append(queries, a.query)
	}
	_, index, _ := strings.Cut(string(written(t)["assets/index.js"]), " = ")
	var places []string
	onNode(t, `({ index, queries }) => {
  const { find, place } = require('./assets/find.js')
  return queries.map((q) => place(find(index, q, 1)[0], q))
}`, map[string]any{"index": json.RawMessage(index), "queries": []string{"webhook", "cleanSheets", "compression", "erasure"}}, &places)
	for i, word := range []string{"webhooks", "cleanSheets", "compressed", "eras"} {
		if !strings.Contains(places[i], word) || len(places[i]) > 180 {
			t.Errorf("%s is shown as %q", word, places[i])
		}
	}
	var found [][]string
	onNode(t, `({ index, queries }) => {
  const { find } = require('./assets/find.js')
  return queries.map((q) => find(index, q, 12).map((e) => e.link))
}`, map[string]any{"index": json.RawMessage(index), "queries": queries}, &found)
	for i, a := range asked {
		first := found[i][:min(3, len(found[i]))]
		if a.want == "" && len(found[i]) > 0 || a.want != "" && !slices.Contains(first, a.want) {
			t.Errorf("%s: %s, want %q", a.query, first, a.want)
		}
		if a.query == "ical" && slices.Contains(found[i], "signing.html#the-canonical-string") {
			t.Error("a word is found within another")
		}
	}
}
