package loader_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"touchline/shared/loader"
	"touchline/shared/loader/journal"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// dying is a database that stops answering after a number of writes, as it
// looks to a load that is killed.
type dying struct {
	client
	left atomic.Int64
}

var errKilled = errors.New("killed")

func (d *dying) Write(ctx context.Context, table string, writes []store.Write) (store.Reply, error) {
	if d.left.Add(-1) < 0 {
		return store.Reply{}, errKilled
	}
	return d.client.Write(ctx, table, writes)
}

func (d *dying) TakeLease(ctx context.Context, table string, key store.Key, by store.Holder, now time.Time) (store.Held, error) {
	if d.left.Add(-1) < 0 {
		return store.Held{}, errKilled
	}
	return d.client.TakeLease(ctx, table, key, by, now)
}

// ChangeLease is a write. Renewals come by the clock and are not counted.
func (d *dying) ChangeLease(ctx context.Context, table string, key store.Key, holder string, c store.LeaseChange) (store.Held, error) {
	renewal := !c.Renew.IsZero()
	if renewal && d.left.Load() < 0 || !renewal && d.left.Add(-1) < 0 {
		return store.Held{}, errKilled
	}
	return d.client.ChangeLease(ctx, table, key, holder, c)
}

// dyingAfter is a loader of the same table that is killed after n writes.
func (s *sports) dyingAfter(n int) *loader.Loader {
	l := s.loader()
	d := &dying{client: s.client}
	d.left.Store(int64(n))
	l.Table = &store.Table{DB: d, Name: s.table.Name, Parallel: 1}
	l.Lease.DB = d
	return l
}

// apart is how many writes lie between two interruptions that are tried: make
// test tries a sixth of those of make test-all.
func apart(writes int) int {
	if testing.Short() {
		return 6 * writes
	}
	return writes
}

// Whenever a load is killed, running it again ends right, and so does going on
// with another.
func TestAnInterruptedLoadIsFinishedByTheNext(t *testing.T) {
	for _, next := range []string{"the same", "another"} {
		for kill := 1; kill < 40; kill += apart(4) {
			t.Run(fmt.Sprintf("killed after %d writes, then %s", kill, next), func(t *testing.T) {
				t.Parallel()
				f := newFederation(uint64(100 + kill)) //nolint:gosec // small
				s := inMemory()
				f.grow(40)
				load(t, s, f.folder(t, f.records), anything())
				before := f.copy()
				f.grow(25)
				f.shrink(10)
				decided := f.copy()
				const decisive = 2
				_, err := s.dyingAfter(kill).Load(t.Context(), f.folder(t, since(before, decided)), anything())
				if err != nil && !errors.Is(err, errKilled) {
					t.Fatal(err)
				}
				decidedUpon := s.journaled(t)
				if err != nil && decidedUpon && !errors.As(err, new(*loader.BegunError)) {
					t.Errorf("a load that has begun ended with %v", err)
				}
				var report *loader.Report
				if next == "the same" {
					report = load(t, s, f.folder(t, since(before, decided)), anything())
				} else {
					if err != nil && kill < decisive { // the header of the journal was not written
						f.records = before
					}
					was := f.copy()
					f.grow(6)
					report = load(t, s, f.folder(t, since(was, f.records)), anything())
				}
				if want := kill >= decisive && kill < 6; want && !decidedUpon {
					t.Error("there is no journal after its header was written")
				}
				if next == "the same" && decidedUpon && report.Finished.Entries == 0 {
					t.Error("the report does not say what the interrupted load has done")
				}
				if (report.Finished != nil) != decidedUpon {
					t.Errorf("finished an interrupted load: %v, want %v", report.Finished, decidedUpon)
				}
				once := inMemory()
				load(t, once, f.folder(t, f.records), anything())
				if diff := difference(once.dump(t), s.dump(t)); diff != "" {
					t.Errorf("undisturbed (-) and interrupted (+):\n%s", diff)
				}
				s.checked(t)
			})
		}
	}
}

// The first load of all reads nothing, since there is nothing: what it leaves
// when it is killed must be seen by the next.
func TestAnInterruptedFirstLoadIsFinished(t *testing.T) {
	for kill := 0; kill < 30; kill += apart(5) {
		t.Run(fmt.Sprintf("killed after %d writes", kill), func(t *testing.T) {
			t.Parallel()
			f := newFederation(uint64(200 + kill)) //nolint:gosec // small
			f.grow(60)
			s := inMemory()
			if _, err := s.dyingAfter(kill).Load(t.Context(), f.folder(t, f.records), anything()); err != nil && !errors.Is(err, errKilled) {
				t.Fatal(err)
			}
			load(t, s, f.folder(t, f.records), anything())
			once := inMemory()
			load(t, once, f.folder(t, f.records), anything())
			if diff := difference(once.dump(t), s.dump(t)); diff != "" {
				t.Errorf("undisturbed (-) and interrupted (+):\n%s", diff)
			}
		})
	}
}

// A dry run writes nothing, not even the end of another load.
func TestADryRunDoesNotFinishAnInterruptedLoad(t *testing.T) {
	s := newSports(t)
	f := newFederation(9)
	f.grow(30)
	if _, err := s.dyingAfter(4).Load(t.Context(), f.folder(t, f.records), anything()); !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	was := s.dump(t)
	_, err := s.loader().Load(t.Context(), f.folder(t, f.records), loader.Options{DryRun: true})
	if !errors.Is(err, loader.ErrUnfinished) {
		t.Fatalf("dry run after an interrupted load: %v", err)
	}
	if diff := difference(was, s.dump(t)); diff != "" {
		t.Errorf("before (-) and after (+) a dry run:\n%s", diff)
	}
}

// journaled reports whether a load was decided upon and is not finished.
func (s *sports) journaled(t testing.TB) bool {
	t.Helper()
	header, _, err := journal.Read(t.Context(), s.table)
	if err != nil {
		t.Fatal(err)
	}
	return header != nil
}

// A load that was killed holds its lease until the lease ends. Another one names it, or waits.
func TestALoadOutlastsTheLeaseOfOneThatWasKilled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := inMemoryBy("next")
		f := newFederation(8)
		f.grow(10)
		killed := &store.Lease{DB: s.client, Table: s.table.Name, Key: records.LockKey(), Holder: "killed", Label: "another desk", Now: time.Now}
		if _, err := killed.Take(t.Context()); err != nil {
			t.Fatal(err)
		}
		l := s.loader()
		var held *store.HeldError
		if _, err := l.Load(t.Context(), f.folder(t, f.records), anything()); !errors.As(err, &held) || held.Label != "another desk" || len(s.dump(t)) > 0 {
			t.Fatalf("load during another: %v, want it named", err)
		}
		l.Patience = 2 * store.LeaseTerm
		if _, err := l.Load(t.Context(), f.folder(t, f.records), anything()); err != nil {
			t.Fatal(err)
		}
	})
}
