package main

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"touchline/scripts/touchline/serve"
	"touchline/shared/dataset"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// TestTheMatchOfThePageIsPlayed by the commands of the page Live: each is in the next answer,
// though what is read of the match may be an hour old.
func TestTheMatchOfThePageIsPlayed(t *testing.T) {
	term, dir := importer(t)
	example(t, dir)
	writeFile(t, filepath.Join(dir, "matches.ndjson"), `{"id":"m","competitionId":"c","status":"live","kickoffAt":"2026-03-14T14:00:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":1,"away":1}}`)
	term.succeed(t, "import", dir)
	d := term.database(t)
	cached, key := serve.CacheOf(&term.Terminal, d), records.MatchKey(dataset.ID(sport.KindMatch, "m"))
	tick := make(chan time.Time)
	go serve.FreshAt(t.Context(), d.Sports(), cached, tick)
	page := document(t, "scripts/touchline/site/content/live.md")
	commands := regexp.MustCompile("(?m)^(?:echo '(.*)' [|] )?touchline ((?:import|undo).*)$").FindAllStringSubmatch(page, -1)
	for i, want := range []string{"{2 1} live", "{1 1} live", "{1 1} finished"} {
		term.In = strings.NewReader(strings.ReplaceAll(commands[i][1], `"ID"`, `"m"`))
		term.succeed(t, strings.Fields(commands[i][2])...)
		tick <- time.Time{}
		tick <- time.Time{} // taken after the first look has ended
		items, err := cached.Get(t.Context(), []store.Key{key}, func(store.Key, store.Item) time.Duration { return time.Hour })
		must(t, err)
		m, err := store.Decode[records.MatchRecord](items[key])
		must(t, err)
		if got := fmt.Sprint(*m.Score, " ", m.Status); got != want {
			t.Errorf("after %q: %s, want %s", commands[i][0], got, want)
		}
	}
}
