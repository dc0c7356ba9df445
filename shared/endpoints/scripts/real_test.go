package scripts

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"touchline/shared/outside"
	"touchline/shared/sport"
)

// Real data over the API: what it answers, against the records as they lie there, with
// nothing of the packages that the service computes with.

type (
	rawTeam struct {
		ID, Name, CompetitionID, Group string
		Season                         int
	}
	rawScore struct{ Home, Away int }
	rawMatch struct {
		ID, CompetitionID, Group string
		HomeTeamID, AwayTeamID   string
		Season, Round            int
		ExtraTime                bool
		Score, Penalties         *rawScore
		Lineups                  struct{ Home, Away rawSquad }
		Events                   []rawEvent
	}
	rawSquad struct{ Starting []struct{ PlayerID string } }
	rawEvent struct {
		Type, Detail, PlayerID, PlayerInID, PlayerOutID string
		Minute                                          int
	}
)

// real is a folder of the data next to the repository, read and loaded.
type real struct {
	*run
	teams   []rawTeam
	matches []rawMatch
}

// loadReal loads a folder, with a key for its federation.
func loadReal(t *testing.T, folder, federation string) *real {
	t.Helper()
	dir := outside.Path(t, "data/"+folder)
	r := &real{}
	readLines(t, filepath.Join(dir, "teams.ndjson"), &r.teams)
	readLines(t, filepath.Join(dir, "matches.ndjson.gz"), &r.matches)
	w := newWorld(t, newDocument(t), os.DirFS(dir))
	r.run = newRun(t, w, &script{file: folder, keys: []line{{1, []string{"key", "k", "organization=" + federation, "quota=1000000"}}}})
	return r
}

// readLines reads the records of a file, compressed or not.
func readLines[T any](t *testing.T, file string, into *[]T) {
	t.Helper()
	text, err := os.ReadFile(filepath.Clean(file))
	if err != nil {
		t.Fatal(err)
	}
	var lines io.Reader = bytes.NewReader(text)
	if strings.HasSuffix(file, ".gz") {
		if lines, err = gzip.NewReader(lines); err != nil {
			t.Fatal(err)
		}
	}
	for d := json.NewDecoder(lines); ; {
		var record T
		if err := d.Decode(&record); err == io.EOF {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		*into = append(*into, record)
	}
}

// of gives the matches of a World Cup.
func (r *real) of(season int) []rawMatch {
	var found []rawMatch
	for _, m := range r.matches {
		if m.CompetitionID == "worldcup" && m.Season == season {
			found = append(found, m)
		}
	}
	return found
}

// get asks and reads the answer into reply.
func (r *real) get(t *testing.T, target string, reply any) {
	t.Helper()
	x := r.exchange(t, target)
	if x.Status != http.StatusOK {
		t.Fatalf("%s: %d, %s", target, x.Status, x.Body)
	}
	if err := json.Unmarshal(x.Body, reply); err != nil {
		t.Fatalf("%s: %v", target, err)
	}
}

// all asks for a list page by page.
func all[T any](t *testing.T, r *real, target string) []T {
	t.Helper()
	var items []T
	for page := 1; ; page++ {
		var reply struct {
			Data    []T
			Total   int
			HasMore bool
		}
		separator := "?"
		if strings.Contains(target, "?") {
			separator = "&"
		}
		r.get(t, fmt.Sprintf("%s%slimit=40&page=%d", target, separator, page), &reply)
		items = append(items, reply.Data...)
		if !reply.HasMore {
			if len(items) != reply.Total {
				t.Errorf("%s: %d items of %d", target, len(items), reply.Total)
			}
			return items
		}
	}
}

// The ids of records.
func worldCup() string           { return string(sport.IDFor(sport.KindCompetition, "worldcup")) }
func teamID(key string) string   { return string(sport.IDFor(sport.KindTeam, key)) }
func matchID(key string) string  { return string(sport.IDFor(sport.KindMatch, key)) }
func playerID(key string) string { return string(sport.IDFor(sport.KindPlayer, key)) }

// reference is a record as others name it.
type reference struct{ ID, Name string }
