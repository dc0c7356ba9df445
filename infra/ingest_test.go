package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"

	"touchline/shared/loader"
)

// ingest loads drops: a dataset, the same again, changes, a faulty one, one that
// leaves most records out, and one after an interrupted load.
func (w *world) ingest(t *testing.T) calls {
	t.Helper()
	whole, part := federation(t), federation(t)
	if err := os.Remove(filepath.Join(part, "matches.ndjson.gz")); err != nil {
		t.Fatal(err)
	}
	return w.during(func() {
		w.load(t, whole, loader.Options{DryRun: true})
		w.load(t, whole, loader.Options{Label: "a drop"})
		for n := range 6 {
			w.breakOff(t, part, loader.Options{Replace: true, AllowDeletes: aws.Int(1 << 30)}, n*n)
		}
		w.load(t, part, loader.Options{Replace: true, AllowDeletes: aws.Int(1 << 30), Label: "another"})
		w.load(t, whole, loader.Options{GoodPart: true})
		faulty := t.TempDir()
		if err := os.WriteFile(filepath.Join(faulty, "teams.ndjson"), []byte("{\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if report, err := w.loader().Load(t.Context(), os.DirFS(faulty), loader.Options{}); err == nil && report.Faults == nil {
			t.Error("a faulty dataset was loaded")
		}
	})
}

// breakOff begins a load whose writes fail after a number of them.
func (w *world) breakOff(t *testing.T, dir string, o loader.Options, writes int) {
	t.Helper()
	w.mu.Lock()
	w.writes = writes
	w.mu.Unlock()
	_, err := w.loader().Load(t.Context(), os.DirFS(dir), o)
	w.mu.Lock()
	w.writes = -1
	w.mu.Unlock()
	if err == nil {
		t.Errorf("a load of more than %d bulk writes was not broken off", writes)
	}
}
