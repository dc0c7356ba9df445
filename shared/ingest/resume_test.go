package ingest_test

import (
	"context"
	"errors"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"touchline/shared/ingest"
	"touchline/shared/seed"
	"touchline/shared/store"
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
	w.drop("a", "", demo(w.t))
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
			for name := range demo(t) {
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

// A drop may abandon the interrupted load of another: that one is not finished,
// and the drop is loaded.
func TestADropGivesUpAnInterruptedOne(t *testing.T) {
	w := newWorld(t)
	w.interrupt()
	w.drop("b", `{"abandon":true}`, organizations(club))
	if w.load("b") {
		t.Fatal("the message goes back")
	}
	if b := w.loaded("b"); b.Finished != nil || b.Organizations.Created != 1 {
		t.Errorf("%+v", b)
	}
	if w.load("a") {
		t.Fatal("the message of the load that was given up goes back")
	}
	if a := w.loaded("a"); a.Players.Created == 0 {
		t.Errorf("its own message loads it from its dataset: %+v", a)
	}
}

// An invocation stops before its deadline, and its message comes back at once.
func TestALongLoadPausesBeforeTheDeadline(t *testing.T) {
	if testing.Short() {
		t.Skip("loads 10,000 players: make test-all runs it")
	}
	w := newWorld(t)
	dir := t.TempDir()
	if _, err := seed.Write(dir, seed.Options{Size: 1}); err != nil {
		t.Fatal(err)
	}
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
	real := time.Now()
	ctx, cancel := context.WithDeadline(t.Context(), real.Add(time.Hour))
	defer cancel()
	var asked atomic.Int64
	w.Worker.Now = func() time.Time { // the time passes while the dataset is read
		if asked.Add(1) < 6 {
			return real
		}
		return real.Add(time.Hour - 30*time.Second)
	}
	answer, err := w.Handle(ctx, message("s/_READY", 1))
	if err != nil || len(answer.BatchItemFailures) != 1 {
		t.Fatalf("%+v, %v", answer, err)
	}
	if line := w.lastLine(); line["outcome"] != "paused" || len(w.delays) != 1 || w.delays[0] != 0 {
		t.Fatalf("logged %v, delays %v", line, w.delays)
	}
	// Each of the next has time for a portion or two.
	invocations := 1
	for back := true; back; {
		if invocations++; invocations > 100 {
			t.Fatal("it does not get to its end")
		}
		before := w.Worker.Table.Meter.Total().ItemsWritten
		w.Worker.Now = func() time.Time {
			if w.Worker.Table.Meter.Total().ItemsWritten < before+3000 {
				return real
			}
			return real.Add(time.Hour - 30*time.Second)
		}
		answer, err := w.Handle(ctx, message("s/_READY", invocations))
		if err != nil {
			t.Fatal(err)
		}
		back = len(answer.BatchItemFailures) > 0
	}
	if invocations < 3 {
		t.Errorf("it took %d invocations", invocations)
	}
	if counts := w.loaded("s"); counts.Players.Created != 10_000 {
		t.Errorf("%+v", counts)
	}
	p, err := ingest.ReadProgress(t.Context(), w.Worker.Objects, ingest.Drop{Bucket: bucket, Folder: "s"})
	if err != nil || p == nil || p.What == "" {
		t.Errorf("progress %+v, %v", p, err)
	}
}
