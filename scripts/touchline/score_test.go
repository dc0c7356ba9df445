package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"touchline/scripts/touchline/serve"
	"touchline/shared/dataset"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// A score is reported in one line, and the goal noted once however often it is sent.
func TestAScoreIsReported(t *testing.T) {
	term, dir := importer(t)
	for name, text := range map[string]string{
		"organizations": `{"id":"o","type":"federation","name":"F"}`,
		"competitions":  `{"id":"c","season":2026,"name":"C","organizationId":"o"}`,
		"teams":         `{"id":"a","name":"Ants","shortName":"A","competitionId":"c"}` + "\n" + `{"id":"b","name":"Bees","shortName":"B","competitionId":"c"}`,
		"players":       `{"id":"P7","name":"Seven","teamId":"b"}`,
		"matches":       `{"id":"M101","competitionId":"c","status":"upcoming","kickoffAt":"2026-03-14T15:00:00Z","homeTeamId":"a","awayTeamId":"b"}`,
	} {
		writeFile(t, filepath.Join(dir, name+".ndjson"), text+"\n")
	}
	term.succeed(t, "import", dir)
	d := term.database(t)
	cached := serve.CacheOf(&term.Terminal, d)
	key := records.MatchKey(dataset.ID(sport.KindMatch, "M101"))
	goals := func() int {
		t.Helper()
		items, err := cached.Get(t.Context(), []store.Key{key}, func(store.Key, store.Item) time.Duration { return time.Hour })
		if err != nil {
			t.Fatal(err)
		}
		m, err := store.Decode[records.MatchRecord](items[key])
		if err != nil {
			t.Fatal(err)
		}
		if m.Score == nil {
			return 0
		}
		return m.Score.Away
	}
	tick := make(chan time.Time)
	go serve.FreshAt(t.Context(), d.Sports(), cached, tick)
	look := func() { tick <- time.Time{}; tick <- time.Time{} } // taken after the first look has ended
	look()
	if goals() != 0 {
		t.Error("a goal before there was one")
	}
	goal := []string{"score", "M101", "0:1", "--minute", "35", "--player", "P7"}
	if out := term.succeed(t, goal...); !strings.Contains(out, `to "live"`) || !strings.Contains(out, "0:1") || !strings.Contains(out, "events") {
		t.Error(out)
	}
	if look(); goals() != 1 {
		t.Error("the goal is not in the next answer")
	}
	if out := term.succeed(t, goal...); out != "" {
		t.Error(out)
	}
	term.prints(t, `to "finished"`, "score", "M101", "0:1", "--end")
	term.prints(t, "0:1 to 0:2", "score", string(dataset.ID(sport.KindMatch, "M101")), "0:2", "--minute", "50", "--player", string(dataset.ID(sport.KindPlayer, "P7")))
	if code := term.run("score", "M110", "0:2"); code == 0 || !strings.Contains(term.Errors.String(), "there is no match M110") {
		t.Error(term.Errors.String())
	}
	for _, args := range [][]string{{"M101", "1"}, {"M101", "1:-1"}, {"M101", "1:1", "--player", "P7"}, {"M102", "1:0"}, {"M101", "2:3", "--minute", "40"}, {"M101", "1:2", "--minute", "36", "--player", "nobody"}} {
		if code := term.run(append([]string{"score"}, args...)...); code == 0 {
			t.Errorf("%v is taken", args)
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
		{[]string{"m", "25:23", "20:25"}, `score none to 1:1`},
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
