package upgrade_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/store"
	"touchline/shared/store/space"
)

var update = flag.Bool("update", false, "keep a table of the layout of this build")

// A layout without a kept table cannot be upgraded with confidence by the next one.
func TestEveryLayoutHasAKeptTable(t *testing.T) {
	if *update {
		if _, err := os.Stat(keptTable(space.Layout)); err == nil {
			t.Fatalf("%s is there, and is never written again: what is stored otherwise has another layout", keptTable(space.Layout))
		}
		keep(t, loaded(t, datasets...), keptTable(space.Layout))
	}
	for layout := 1; layout <= space.Layout; layout++ {
		if _, err := os.Stat(keptTable(layout)); err != nil {
			t.Errorf("layout %d has no kept table: go test ./shared/loader/upgrade -update, with the build that writes it: %v", layout, err)
		}
	}
}

// The kept table of this layout is what this build makes.
func TestTheKeptTableIsOfThisLayout(t *testing.T) {
	if diff := cmp.Diff(loaded(t, datasets...).data(t), restored(t, keptTable(space.Layout)).data(t)); diff != "" {
		t.Error(diff)
	}
}

// keep writes the items of a table to a file.
func keep(t *testing.T, w *world, file string) {
	t.Helper()
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // the level is one
	items := w.items(t, func(store.Key) bool { return true })
	for _, key := range slices.Sorted(maps.Keys(items)) {
		line, err := json.Marshal(items[key])
		if err == nil {
			_, err = fmt.Fprintf(z, "%s\n", line)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}
