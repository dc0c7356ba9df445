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
	if out := term.succeed(t, "score", "M101", "0:1", "--end"); !strings.Contains(out, `to "finished"`) {
		t.Error(out)
	}
	if out := term.succeed(t, "score", string(dataset.ID(sport.KindMatch, "M101")), "0:2", "--minute", "50", "--player", string(dataset.ID(sport.KindPlayer, "P7"))); !strings.Contains(out, "0:1 to 0:2") {
		t.Error(out)
	}
	if code := term.run("score", "M110", "0:2"); code == 0 || !strings.Contains(term.Errors.String(), "there is no match M110") {
		t.Error(term.Errors.String())
	}
	for _, args := range [][]string{{"M101", "1"}, {"M101", "1:-1"}, {"M101", "1:1", "--player", "P7"}, {"M102", "1:0"}, {"M101", "2:3", "--minute", "40"}, {"M101", "1:2", "--minute", "36", "--player", "nobody"}} {
		if code := term.run(append([]string{"score"}, args...)...); code == 0 {
			t.Errorf("%v is taken", args)
		}
	}
}
