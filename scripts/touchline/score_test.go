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

// The commands of the page Live play a match: each is in the next answer, though what is
// read of it may be an hour old. A goal is noted once however often it is sent.
func TestAScoreIsReported(t *testing.T) {
	term, dir := importer(t)
	example(t, dir)
	writeFile(t, filepath.Join(dir, "matches.ndjson"), `{"id":"m","competitionId":"c","status":"live","kickoffAt":"2026-03-14T14:00:00Z","homeTeamId":"a","awayTeamId":"b","score":{"home":2,"away":1}}`)
	term.succeed(t, "import", dir)
	d := term.database(t)
	cached, key := serve.CacheOf(&term.Terminal, d), records.MatchKey(dataset.ID(sport.KindMatch, "m"))
	when := make(chan time.Time)
	go serve.FreshAt(t.Context(), d.Sports(), cached, when)
	page := document(t, "scripts/touchline/site/content/live.md")
	commands := regexp.MustCompile("(?m)^touchline ((?:score|undo).*)$").FindAllStringSubmatch(page, -1)
	for i, want := range []string{"{3 1} live", "{2 1} live", "{2 1} finished"} {
		term.succeed(t, strings.Fields(strings.Replace(commands[i][1], "ID", "m", 1))...)
		when <- time.Time{}
		when <- time.Time{} // taken after the first look has ended
		items, err := cached.Get(t.Context(), []store.Key{key}, func(store.Key, store.Item) time.Duration { return time.Hour })
		must(t, err)
		m, err := store.Decode[records.MatchRecord](items[key])
		must(t, err)
		if got := fmt.Sprint(*m.Score, " ", m.Status); got != want {
			t.Errorf("after %q: %s, want %s", commands[i][1], got, want)
		}
	}
	goal := []string{"score", string(dataset.ID(sport.KindMatch, "m")), "3:1", "--minute", "75", "--player", string(dataset.ID(sport.KindPlayer, "p"))}
	term.prints(t, "score 2:1 to 3:1, events none to 1", goal...)
	if out := term.succeed(t, goal...); out != "" {
		t.Error(out)
	}
	term.fails(t, exitFailed, "there is no match n", "score", "n", "0:2")
	for _, args := range []string{"m 1", "m 1:-1", "m 1:1 --player p", "m 4:3 --minute 80", "m 4:1 --minute 81 --player nobody"} {
		if code := term.run(append([]string{"score"}, strings.Fields(args)...)...); code == exitOK {
			t.Errorf("%s is taken", args)
		}
	}
}

// A match over sets is reported by these, and the set points of a former score go with it.
func TestScoreTakesSets(t *testing.T) {
	term, dir := importer(t)
	writeFile(t, filepath.Join(dir, "organizations.ndjson"), `{"id":"o","type":"federation","name":"O"}`)
	writeFile(t, filepath.Join(dir, "competitions.ndjson"), `{"id":"v","season":2025,"name":"V","organizationId":"o","rules":{"like":"fivb-pools"}}`+"\n"+`{"id":"f","season":2025,"name":"F","organizationId":"o"}`)
	writeFile(t, filepath.Join(dir, "teams.ndjson"), `{"id":"a","name":"A","shortName":"A","competitionId":"v"}`+"\n"+`{"id":"b","name":"B","shortName":"B","competitionId":"v"}`)
	writeFile(t, filepath.Join(dir, "matches.ndjson"), `{"id":"m","competitionId":"v","status":"upcoming","kickoffAt":"2026-03-14T14:00:00Z","homeTeamId":"a","awayTeamId":"b"}`+"\n"+
		`{"id":"n","competitionId":"f","status":"upcoming","kickoffAt":"2026-04-14T14:00:00Z","homeTeamId":"a","awayTeamId":"b"}`)
	term.succeed(t, "import", dir)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"m", "25:23", "20:25"}, `status "upcoming" to "live", score none to 1:1`},
		{[]string{"m", "25:23 25:20 25:18", "--end"}, `score 1:1 to 3:0, setPoints none to 75:61`},
		{[]string{"m", "0:3", "--end"}, `setPoints 75:61 to none`},
		{[]string{"m", "23:25", "20:25", "18:25", "--end"}, `setPoints none to 61:75`},
	} {
		term.prints(t, c.want, append([]string{"score"}, c.args...)...)
	}
	for _, c := range []struct{ args, want string }{
		{"m 3:3 --end", "must be 3 sets for one side"}, {"m 25:23 20:20", "has no winner"}, {"n 25:23 20:25 --end", "is not over sets"}, {"m 25:23 20:25 --minute 3", "belongs to a goal"},
	} {
		if code := term.run(append([]string{"score"}, strings.Fields(c.args)...)...); code == 0 || !strings.Contains(term.Errors.String(), c.want) {
			t.Errorf("%s: %d %s", c.args, code, term.Errors.String())
		}
	}
}
