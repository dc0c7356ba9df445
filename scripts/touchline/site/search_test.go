package site

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// findDriver asks the search of the site, with the index that it loads, and prints
// the links that each query finds.
const findDriver = `
require(process.argv[1])
const { find } = require(process.argv[2])
let text = ''
process.stdin.on('data', (d) => { text += d }).on('end', () => {
  console.log(JSON.stringify(JSON.parse(text).map((q) => find(globalThis.touchlineIndex, q, 12).map((e) => e.link))))
})`

// TestTheSearchFindsWhatReadersAskFor among the first three.
func TestTheSearchFindsWhatReadersAskFor(t *testing.T) {
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip(err)
	}
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
		{"replay", "start.html#1-get-the-kit-for-your-language"},
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
	in, err := json.Marshal(queries)
	must(t, err)
	index := filepath.Join(t.TempDir(), "index.js")
	must(t, os.WriteFile(index, written(t)["assets/index.js"], 0o600))
	node := exec.CommandContext(t.Context(), "node", "-e", findDriver, index, "./assets/find.js")
	node.Stdin = strings.NewReader(string(in))
	out, err := node.Output()
	must(t, err)
	var found [][]string
	if err := json.Unmarshal(out, &found); err != nil || len(found) != len(asked) {
		t.Fatalf("%d answers, %v", len(found), err)
	}
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
