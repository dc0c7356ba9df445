package ingest_test

import (
	"context"
	"errors"
	"os"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"touchline/shared/ingest"
	"touchline/shared/store"
	"touchline/shared/testdata/seed"
)

// mortal fails after a number of bulk writes. To a worker this looks as if it
// was killed.
type mortal struct {
	store.DB
	left atomic.Int64
}

func (m *mortal) Write(ctx context.Context, table string, writes []store.Write) (store.Reply, error) {
	if m.left.Add(-1) < 0 {
		return store.Reply{}, errors.New("killed")
	}
	return m.DB.Write(ctx, table, writes)
}

// interrupt drops the demo dataset into the folder a, and kills the worker that
// loads it.
func (w *world) interrupt() {
	w.t.Helper()
	whole := w.Worker.Table
	w.drop("a", "", demoFiles(w.t))
	m := &mortal{DB: w.client}
	m.left.Store(20)
	w.Worker.Table = &store.Table{DB: m, Name: "sports"}
	if !w.load("a") || w.report("a") != nil {
		w.t.Fatalf("it was not interrupted: %+v", w.report("a"))
	}
	w.Worker.Table = whole
}

// An interrupted load continues when its message comes again, without reading
// its dataset; or the worker of another drop finishes and reports it.
func TestADropIsFinishedByWhoeverComesNext(t *testing.T) {
	for _, next := range []string{"a", "b"} {
		t.Run(next, func(t *testing.T) {
			w := newWorld(t)
			w.interrupt()
			for name := range demoFiles(t) {
				if _, err := w.s3.DeleteObject(t.Context(), &s3.DeleteObjectInput{Bucket: aws.String(bucket), Key: aws.String("a/" + name)}); err != nil {
					t.Fatal(err)
				}
			}
			w.drop("b", "", organizations(club))
			if w.load(next) {
				t.Fatal("the message goes back")
			}
			counts := w.loaded("a")
			if counts.Players.Created == 0 || counts.Players.Unchanged != 0 {
				t.Errorf("not the counts of the whole load: %+v", counts)
			}
			if next == "b" {
				if b := w.loaded("b"); b.Finished == nil || b.Organizations.Created != 1 {
					t.Errorf("%+v", b)
				}
				if w.load("a"); w.lastLine()["outcome"] != "answered before" {
					t.Errorf("logged %v", w.lastLine())
				}
			}
		})
	}
}

// hurried cancels a context after so many items were written, as the deadline does.
type hurried struct {
	store.DB
	left   atomic.Int64
	cancel context.CancelCauseFunc
}

func (h *hurried) Write(ctx context.Context, table string, writes []store.Write) (store.Reply, error) {
	if h.left.Add(-int64(len(writes))) < 0 {
		h.cancel(ingest.TimeIsUp)
	}
	return h.DB.Write(ctx, table, writes)
}

// A load that takes longer than an invocation goes on in the next ones, at once.
func TestALongLoadGoesOnAfterTheDeadline(t *testing.T) {
	if testing.Short() {
		t.Skip("loads 10,000 players: make test-all runs it")
	}
	w := newWorld(t)
	dir := seed.Write(t, seed.Options{Size: 1})
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(dir + "/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		w.put("s/"+e.Name(), string(text))
	}
	w.put("s/_READY", "")
	invocations := 0
	for back := true; back; {
		if invocations++; invocations > 20 {
			t.Fatal("it does not get to its end")
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		db := &hurried{DB: w.client, cancel: cancel}
		db.left.Store(12_000)
		w.Worker.Table = &store.Table{DB: db, Name: "sports"}
		answer, err := w.Handle(ctx, message("s/_READY"))
		if err != nil {
			t.Fatal(err)
		}
		back = len(answer.BatchItemFailures) > 0
		if line := w.lastLine(); back && line["outcome"] != "paused" {
			t.Fatalf("logged %v", line)
		}
	}
	if invocations < 3 {
		t.Errorf("it took %d invocations", invocations)
	}
	if counts := w.loaded("s"); counts.Players.Created != 10_000 {
		t.Errorf("%+v", counts)
	}
}
