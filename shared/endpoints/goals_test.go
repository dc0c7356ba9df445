package endpoints_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/loader"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
	"touchline/shared/store/records/recordstest"
	"touchline/shared/testdata/seed"
)

// TestResponsesAreRightWhileGoalsAreLoaded asks while one dataset brings a goal to
// every match, with a write of the load between any two round trips of the reads.
// A response shows a match as it was or as it will be, in its place, and never
// again as it was once it has shown it as it will be. That one match is ahead of
// another, or of its events, or of what a player did in it, is no fault (D10).
func TestResponsesAreRightWhileGoalsAreLoaded(t *testing.T) {
	before, goals := seed.Write(t, seed.Options{Live: 20}), seed.Write(t, seed.Options{Live: 20, Goals: true})
	s := over(recordstest.New(t))
	s.table.Load(t, os.DirFS(before))
	w := &watch{service: s, targets: watched(t, os.DirFS(goals))}
	w.was = w.responses(t)
	db := s.table.DB
	turns := &turns{write: make(chan struct{}), read: make(chan struct{})}
	s.table.DB = reads{db, turns}
	ended, asked := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(asked)
		w.repeat(t, ended)
	}()
	l := loader.Loader{
		Table: &store.Table{DB: writes{db, turns}, Name: s.table.Name, Parallel: 1},
		Lease: &store.Lease{DB: s.table.Leases, Table: s.table.Name, Key: records.LockKey(), Holder: "goals", Label: "a test", Now: time.Now},
	}
	if _, err := l.Load(t.Context(), os.DirFS(goals), loader.Options{}); err != nil {
		t.Error(err)
	}
	close(ended)
	close(turns.write)
	<-asked
	s.table.DB = db
	w.judge(t, w.responses(t))
}

// turns has a load and the reads take turns: a write, then a round trip.
type turns struct{ write, read chan struct{} }

// writes is the database for the load: it makes each write by itself.
type writes struct {
	store.DB
	*turns
}

// Write implements store.DB.
func (w writes) Write(ctx context.Context, table string, all []store.Write) (store.Reply, error) {
	for _, one := range all {
		out, err := w.DB.Write(ctx, table, []store.Write{one})
		if err != nil || len(out.Left) > 0 {
			return store.Reply{}, fmt.Errorf("write to %s: %w, %d left", table, err, len(out.Left))
		}
		w.write <- struct{}{}
		<-w.read
	}
	return store.Reply{}, nil
}

// reads is the database for the reads.
type reads struct {
	store.DB
	*turns
}

// Get implements store.DB.
func (r reads) Get(ctx context.Context, table string, keys []store.Key, consistent bool) (store.Reply, error) {
	if _, more := <-r.write; more { // else the load has ended
		defer func() { r.read <- struct{}{} }()
	}
	return r.DB.Get(ctx, table, keys, consistent)
}

// watch asks for the same again and again.
type watch struct {
	*service
	targets []string
	was     []string   // the responses before
	seen    [][]string // the responses of each time that it asked for all
}

// watched are targets that show one match of each league.
func watched(t *testing.T, goals fs.FS) []string {
	t.Helper()
	var targets []string
	league := ""
	for line := range bytes.Lines(plainOf(t, goals, "matches.ndjson")) {
		var m struct {
			ID, CompetitionID, HomeTeamID string
			Events                        []struct{ PlayerID string }
		}
		if err := json.Unmarshal(line, &m); err != nil {
			t.Fatal(err)
		}
		if m.CompetitionID == league {
			continue
		}
		league = m.CompetitionID
		competition, match := sport.IDFor(sport.KindCompetition, league), sport.IDFor(sport.KindMatch, m.ID)
		team, scorer := sport.IDFor(sport.KindTeam, m.HomeTeamID), sport.IDFor(sport.KindPlayer, m.Events[len(m.Events)-1].PlayerID)
		for _, resource := range []sport.ID{
			"tournaments/" + competition + "/matches?limit=100", "tournaments/" + competition + "/matches?limit=100&page=2",
			"tournaments/" + competition + "/matches?status=live", "tournaments/" + competition + "/standings",
			"tournaments/" + competition + "/top-scorers", "teams/" + team + "/matches?limit=100", "teams/" + team + "/matches?status=live",
			"matches/" + match, "matches/" + match + "/events", "matches/" + match + "/lineups", "matches/" + match + "/statistics",
			"players/" + scorer + "/matches",
		} {
			targets = append(targets, "/v1/"+string(resource))
		}
	}
	return targets
}

// responses are those of all targets, of a worker that has read nothing yet.
func (w *watch) responses(t *testing.T) []string {
	var bodies []string
	for _, target := range w.targets {
		w.restart()
		status, body := w.ask(t, keyOf("est"), target)
		if status != 200 {
			t.Errorf("%s: %d %s", target, status, body)
		}
		bodies = append(bodies, body)
	}
	return bodies
}

// repeat asks until the load has ended.
func (w *watch) repeat(t *testing.T, ended <-chan struct{}) {
	for {
		w.seen = append(w.seen, w.responses(t))
		select {
		case <-ended:
			return
		default:
		}
	}
}

// judge compares what was seen with the responses before and after.
func (w *watch) judge(t *testing.T, is []string) {
	between := 0 // times at which some responses were ahead of others
	ahead := make([][]bool, len(w.targets))
	for _, responses := range w.seen {
		news, olds := 0, 0
		for i, body := range responses {
			w.compare(t, i, body, is[i], &ahead[i])
			switch {
			case w.was[i] == is[i]:
			case body == w.was[i]:
				olds++
			default:
				news++
			}
		}
		if news > 0 && olds > 0 {
			between++
		}
	}
	t.Logf("asked for %d targets %d times, %d of them between before and after", len(w.targets), len(w.seen), between)
	if between == 0 {
		t.Error("no response was between before and after: the load and the reads did not alternate")
	}
}

// compare holds that every piece of a response is as it was or as it is, and not
// as it was where it is ahead already.
func (w *watch) compare(t *testing.T, target int, body, after string, ahead *[]bool) {
	was, is, got := pieces(t, w.was[target]), pieces(t, after), pieces(t, body)
	if *ahead == nil {
		*ahead = make([]bool, len(was))
	}
	if len(got) != len(was) || len(is) != len(was) {
		t.Fatalf("%s has %d pieces, want %d: %s", w.targets[target], len(got), len(was), body)
	}
	for i := range got {
		if got[i] != is[i] && (got[i] != was[i] || (*ahead)[i]) {
			t.Fatalf("%s: before (-) and while it is loaded (+):\n%s", w.targets[target], cmp.Diff(was[i], got[i]))
		}
		(*ahead)[i] = got[i] != was[i]
	}
}

// pieces are what a response shows that is written by itself: the entries of a
// list, of a player's matches the match and his part in it, and what is around
// the entries; or the whole body.
func pieces(t *testing.T, body string) []string {
	t.Helper()
	var list struct {
		Data  []map[string]json.RawMessage
		Total int
	}
	if json.Unmarshal([]byte(body), &list) != nil {
		return []string{body}
	}
	all := []any{list.Total}
	for _, entry := range list.Data {
		if part, ok := entry["performance"]; ok {
			all = append(all, part)
			delete(entry, "performance")
		}
		all = append(all, entry)
	}
	texts := make([]string, len(all))
	for i, one := range all {
		text, err := json.Marshal(one)
		if err != nil {
			t.Fatal(err)
		}
		texts[i] = string(text)
	}
	return texts
}
