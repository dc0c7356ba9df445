package ingest_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/ingest"
	"touchline/shared/store"
	"touchline/shared/store/generation"
	"touchline/shared/store/records"
)

// killed ends the process where a dataset is read, as one that runs out of memory.
type killed struct{ ingest.Objects }

func (k killed) Get(ctx context.Context, bucket, key string) (*ingest.Content, error) {
	if strings.HasSuffix(key, ".ndjson") {
		panic("out of memory")
	}
	return k.Objects.Get(ctx, bucket, key)
}

// kill receives the message of the drop "a" and ends the process; it reports whether
// that came so far.
func (w *world) kill() (ended bool) {
	objects := w.Worker.Objects
	defer func() { w.Worker.Objects, ended = objects, recover() != nil }()
	w.Worker.Objects = killed{objects}
	w.load("a")
	return false
}

// progress is that of the drop "a".
func (w *world) progress() *ingest.Progress {
	w.t.Helper()
	p, err := ingest.ReadProgress(w.t.Context(), w.Worker.Objects, ingest.Drop{Bucket: bucket, Folder: "a"})
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

// An attempt counts even if the process is killed.
func TestADropThatKillsItsProcessIsGivenUp(t *testing.T) {
	w := newWorld(t)
	w.drop("a", "", organizations(club))
	for n := range ingest.Attempts {
		if r := w.report("a"); r != nil {
			t.Fatalf("reported before attempt %d: %+v", n+1, r)
		}
		if !w.kill() {
			t.Fatalf("attempt %d was none: %v", n+1, w.lastLine())
		}
	}
	if r := w.report("a"); r == nil || !r.Trying || r.Final(w.progress(), w.now) || !r.Final(w.progress(), w.now.Add(ingest.LastTry)) {
		t.Errorf("before the last attempt: %+v", r)
	}
	if w.kill() {
		t.Error("there was one more attempt")
	}
	if r := w.report("a"); r.Status != ingest.Failed || r.Trying || !strings.Contains(r.Message, "memory") {
		t.Errorf("%+v", r)
	}
	// Sent again by hand, when all is well.
	if w.load("a") {
		t.Errorf("the message goes back: %v", w.lastLine())
	}
	w.loaded("a")
}

// If the load gets further in the last attempt, there are more.
func TestADropThatGetsFurtherIsNotGivenUp(t *testing.T) {
	w := newWorld(t)
	whole := w.Worker.Table
	w.drop("a", "", organizations(club))
	w.fail(ingest.Attempts - 1)
	m := &mortal{DB: w.client}
	m.left.Store(2) // the history and the layout; the journal is with the lease
	w.Worker.Table = &store.Table{DB: m, Name: "sports"}
	if !w.load("a") {
		t.Fatalf("it was given up, though it had begun: %+v", w.report("a"))
	}
	w.fail(ingest.Attempts - 1) // with its journal in the table
	if n := w.progress().Attempts.Count; n != ingest.Attempts-1 {
		t.Errorf("counted %d attempts since it got further, want %d", n, ingest.Attempts-1)
	}
	w.Worker.Table = whole
	if w.load("a") {
		t.Fatalf("the message goes back: %v", w.lastLine())
	}
	w.loaded("a")
}

// Waiting for another load is no attempt.
func TestADropThatWaitsIsNotGivenUp(t *testing.T) {
	w := newWorld(t)
	w.drop("a", "", organizations(club))
	other := w.lease()
	if _, err := other.Take(t.Context()); err != nil {
		t.Fatal(err)
	}
	for n := range 2 * ingest.Attempts {
		if !w.receive(message("a/_READY", n+1)) || w.lastLine()["outcome"] != "waiting" {
			t.Fatalf("receive %d: %v", n+1, w.lastLine())
		}
	}
	if r := w.report("a"); r != nil {
		t.Errorf("reported %+v", r)
	}
	if err := other.Free(t.Context()); err != nil {
		t.Fatal(err)
	}
	if w.receive(message("a/_READY", 2*ingest.Attempts+1)) {
		t.Fatalf("the message goes back: %v", w.lastLine())
	}
	w.loaded("a")
}

// A worker that waits does not overwrite what others have counted.
func TestTheCountOutlastsOthersThatWait(t *testing.T) {
	w := newWorld(t)
	w.drop("a", "", organizations(club))
	w.fail(3)
	other := w.lease()
	if _, err := other.Take(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.receive(message("a/_READY", 4))
	if n := w.progress().Attempts.Count; n != 3 {
		t.Errorf("counted %d attempts, want 3", n)
	}
}

// After _READY is put again the count starts from the beginning.
func TestAnotherReadyIsCountedAnew(t *testing.T) {
	w := newWorld(t)
	w.drop("a", "", organizations(club))
	w.fail(3)
	w.put("a/_READY", "{}")
	w.fail(1)
	if n := w.progress().Attempts.Count; n != 1 {
		t.Errorf("counted %d attempts, want 1", n)
	}
}

// A drop for data that were upgraded meanwhile is left to the version that loads them now.
func TestADropWaitsForTheVersionThatTakesLoads(t *testing.T) {
	w := newWorld(t)
	if err := generation.End(t.Context(), w.Worker.Table, 1, time.Now()); err != nil {
		t.Fatal(err)
	}
	if err := generation.Switch(t.Context(), w.Worker.Table, generation.Layout+1, time.Now()); err != nil {
		t.Fatal(err)
	}
	w.drop("a", "", organizations(club))
	for range ingest.Attempts + 1 {
		if !w.load("a") {
			t.Fatalf("the message is gone: %v", w.lastLine())
		}
	}
	if line := w.lastLine(); line["outcome"] != "waiting" {
		t.Errorf("%v", line)
	}
}

// No attempt makes a table of another layout better: the drop is reported at once.
func TestADropForATableOfAnotherLayoutIsGivenUpAtOnce(t *testing.T) {
	w := newWorld(t)
	former := store.Write{Key: records.VersionKey(), Item: store.Item{"v": &types.AttributeValueMemberN{Value: "8"}}}
	if err := w.Worker.Table.Write(t.Context(), []store.Write{former}); err != nil {
		t.Fatal(err)
	}
	w.drop("a", "", organizations(club))
	if w.load("a") {
		t.Fatalf("the message goes back: %v", w.lastLine())
	}
	r := w.report("a")
	if r == nil || r.Status != ingest.Failed || r.Trying || !strings.Contains(r.Message, "table sports has data of a version from before the first release, which this version does not read") {
		t.Errorf("%+v", r)
	}
	if line := w.lastLine(); line["level"] != "ERROR" || w.items() != 1 {
		t.Errorf("%v, %d items", line, w.items())
	}
	// Sent again by hand, with the version that the table is of.
	if err := w.Worker.Table.Write(t.Context(), []store.Write{{Key: records.VersionKey()}}); err != nil {
		t.Fatal(err)
	}
	if w.load("a") {
		t.Fatalf("the message goes back: %v", w.lastLine())
	}
	w.loaded("a")
}
