package ingest_test

import (
	"context"
	"fmt"
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

// kill receives the message of the drop "a" for the n-th time and ends the process; it
// reports whether that came so far.
func (w *world) kill(received int) (ended bool) {
	objects := w.Worker.Objects
	defer func() { w.Worker.Objects, ended = objects, recover() != nil }()
	w.Worker.Objects = killed{objects}
	w.receive(message("a/_READY", received))
	return false
}

// A receive counts even if the process is killed.
func TestADropThatKillsItsProcessIsGivenUp(t *testing.T) {
	w := newWorld(t)
	w.drop("a", "", organizations(club))
	for n := range ingest.Receives {
		if !w.kill(n + 1) {
			t.Fatalf("receive %d did not read the dataset: %v", n+1, w.lastLine())
		}
		if r := w.report("a"); r != nil {
			t.Fatalf("reported after receive %d: %+v", n+1, r)
		}
	}
	if w.kill(ingest.Receives + 1) {
		t.Error("the dataset was read once more")
	}
	if r := w.report("a"); r == nil || r.Status != ingest.Failed || !strings.Contains(r.Message, "memory") {
		t.Errorf("%+v", r)
	}
	if line := w.lastLine(); line["level"] != "ERROR" || line["IngestFailures"] != 1.0 {
		t.Errorf("logged %v", line)
	}
	// Sent again by hand, when all is well.
	if w.load("a") {
		t.Errorf("the message goes back: %v", w.lastLine())
	}
	w.loaded("a")
}

// A drop that has waited for another load for long is loaded all the same.
func TestADropIsLoadedAtTheLastReceive(t *testing.T) {
	w := newWorld(t)
	w.drop("a", "", organizations(club))
	other := w.lease()
	other.Label = "another worker"
	if _, err := other.Take(t.Context()); err != nil {
		t.Fatal(err)
	}
	for n := 1; n < ingest.Receives; n++ {
		if !w.receive(message("a/_READY", n)) || w.lastLine()["outcome"] != "waiting" {
			t.Fatalf("receive %d: %v", n, w.lastLine())
		}
	}
	if cause := fmt.Sprint(w.lastLine()["cause"]); w.report("a") != nil || w.delays[0] != 15*time.Second || !strings.Contains(cause, "another worker") {
		t.Errorf("reported %+v, delays %v, logged %s", w.report("a"), w.delays, cause)
	}
	if err := other.Free(t.Context()); err != nil {
		t.Fatal(err)
	}
	if w.receive(message("a/_READY", ingest.Receives)) {
		t.Fatalf("the message goes back: %v", w.lastLine())
	}
	w.loaded("a")
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
	for n := 1; n < ingest.Receives; n++ {
		if !w.receive(message("a/_READY", n)) {
			t.Fatalf("the message is gone: %v", w.lastLine())
		}
	}
	if line := w.lastLine(); line["outcome"] != "waiting" {
		t.Errorf("%v", line)
	}
}

// No invocation makes a table of another layout better: the drop is reported at once.
func TestADropForATableOfAnotherLayoutIsGivenUpAtOnce(t *testing.T) {
	w := newWorld(t)
	number := func(n string) types.AttributeValue { return &types.AttributeValueMemberN{Value: n} }
	layouts := &types.AttributeValueMemberM{Value: store.Item{"99": &types.AttributeValueMemberM{Value: store.Item{"n": number("1")}}}}
	other := store.Write{Key: records.VersionKey(), Item: store.Item{"o": number("99"), "s": layouts}}
	if err := w.Worker.Table.Write(t.Context(), []store.Write{other}); err != nil {
		t.Fatal(err)
	}
	w.drop("a", "", organizations(club))
	if w.load("a") {
		t.Fatalf("the message goes back: %v", w.lastLine())
	}
	r := w.report("a")
	if r == nil || r.Status != ingest.Failed || !strings.Contains(r.Message, "table sports has data of layout 99, and this version reads and writes layout") {
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
