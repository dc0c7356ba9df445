package ingest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/ingest"
	"touchline/shared/store"
	"touchline/shared/store/generation"
	"touchline/shared/store/records"
)

// waits passes the message of the drop a on, which has to wait.
func (w *world) waits(cause string) {
	w.t.Helper()
	w.drop("a", "", organizations(club))
	again, line := w.load("a"), w.lastLine()
	if said, _ := line["cause"].(string); !again || line["outcome"] != "waiting" || !strings.Contains(said, cause) || w.report("a") != nil {
		w.t.Fatalf("goes back %v, reported %+v, logged %v", again, w.report("a"), line)
	}
}

func TestADropWaitsForAnotherLoad(t *testing.T) {
	w := newWorld(t)
	other := w.lease()
	other.Label = "another worker"
	if _, err := other.Take(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.waits("another worker")
	if err := other.Free(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.load("a")
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
	w.waits("was moved to layout")
}

// No invocation makes a table of another layout better: the drop is answered at once.
func TestADropForATableOfAnotherLayoutIsAnsweredAtOnce(t *testing.T) {
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
	if r == nil || r.Status != ingest.Faulty || !strings.Contains(r.Faults.Error(), "table sports has data of layout 99, and this version reads and writes layout") || w.items() != 1 {
		t.Errorf("%+v, %d items", r, w.items())
	}
}
