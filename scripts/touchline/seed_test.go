package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"touchline/shared/seed"
)

func TestSeedWritesADatasetAndCountsIt(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made")
	var counts seed.Counts
	out := newTerminal(nil).succeed(t, "seed", "--size", "1", "--json", dir)
	if err := json.Unmarshal([]byte(out), &counts); err != nil || counts != (seed.Counts{Organizations: 230, Competitions: 20, Teams: 500, Players: 10_000, Matches: 2_500}) {
		t.Errorf("got %s, %v", out, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "teams.ndjson")); err != nil {
		t.Error(err)
	}
	term := newTerminal(nil)
	term.fails(t, exitFailed, "holds a dataset already", "seed", "--demo", dir)
}
