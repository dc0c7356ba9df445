package webconsole

import (
	"net/http"
	"os"
	"strings"
	"testing"

	"touchline/shared/seed"
)

// benchmarkSize is that of the federation of BenchmarkPages, in multiples of S:
// 100,000 players and 25,000 matches.
const benchmarkSize = 10

// BenchmarkPages measures the pages of a large federation. A page should take
// less than 200 ms.
func BenchmarkPages(b *testing.B) {
	dir := b.TempDir()
	if _, err := seed.Write(dir, seed.Options{Size: benchmarkSize, Now: testTime}); err != nil {
		b.Fatal(err)
	}
	browser := loaded(b, os.DirFS(dir), Options{})
	first := func(page, kind string) string {
		body := browser.send(http.MethodGet, page, "", nil).Body.String()
		_, rest, found := strings.Cut(body, `href="`+kind)
		if !found {
			b.Fatalf("%s has no link to %s", page, kind)
		}
		id, _, _ := strings.Cut(rest, `"`)
		return kind + id
	}
	organization := first("/data", "/data/organizations/")
	competition := first("/data", "/data/competitions/")
	fixtures := strings.Replace(competition, "/data/competitions/", "/fixtures/", 1)
	team := first(competition+"?tab=teams", "/data/teams/")
	for _, page := range []string{
		"/data", organization + "?tab=clubs", organization + "?tab=players",
		competition, competition + "?tab=order", competition + "?tab=matches", competition + "?tab=scorers", competition + "?tab=numbers",
		first(fixtures, "/data/matches/"), team, team + "?tab=numbers", first(team, "/data/players/"), "/loads", "/keys",
	} {
		b.Run(strings.Trim(idOf.ReplaceAllString(page, "{id}"), "/"), func(b *testing.B) {
			for b.Loop() {
				if w := browser.send(http.MethodGet, page, "", nil); w.Code != http.StatusOK {
					b.Fatalf("%s: %d", page, w.Code)
				}
			}
		})
	}
}
