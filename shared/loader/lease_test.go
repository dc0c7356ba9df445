package loader_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"touchline/shared/store"
)

// sleepy is a database as a machine sees it that sleeps once: after so many bulk
// writes, for as long as asleep takes. It keeps count of what it wrote since.
type sleepy struct {
	client
	mu     sync.Mutex
	writes int
	asleep func()
	slept  atomic.Bool
	since  int

	awake sync.RWMutex // nothing is renewed while the machine sleeps
}

func (s *sleepy) ChangeLease(ctx context.Context, table string, key store.Key, holder string, c store.LeaseChange) (store.Held, error) {
	s.awake.RLock()
	defer s.awake.RUnlock()
	return s.client.ChangeLease(ctx, table, key, holder, c)
}

func (s *sleepy) Write(ctx context.Context, table string, writes []store.Write) (store.Reply, error) {
	slept := s.slept.Load()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.slept.Load() != slept { // no connection outlives the sleep
		return store.Reply{}, &store.TransientError{Err: io.ErrUnexpectedEOF}
	}
	out, err := s.client.Write(ctx, table, writes)
	switch s.writes--; {
	case s.writes == 0:
		s.awake.Lock()
		s.asleep()
		s.slept.Store(true)
		s.awake.Unlock()
	case s.writes < 0 && err == nil:
		s.since++
	}
	return out, err
}

// A load whose machine sleeps while another load takes over, finishes it, and
// loads something else writes nothing when it wakes: not its own, no header of a
// journal, and it does not end what the other has begun.
func TestALoadThatSleptWritesNothingMore(t *testing.T) {
	for after := 3; after < 14; after += apart(2) { // the first writes are those of the journal and the entry, before the load is decided
		for _, ends := range []bool{true, false} { // or is killed half-way
			t.Run(fmt.Sprintf("after %d writes, the next ends: %v", after, ends), func(t *testing.T) {
				t.Parallel()
				f := newFederation(uint64(600 + after)) //nolint:gosec // small
				s := inMemory()
				f.grow(40)
				load(t, s, f.folder(t, f.records), anything())
				before := f.copy()
				f.grow(25)
				first := f.folder(t, since(before, f.records))
				was := f.copy()
				f.grow(10)
				f.shrink(5)
				second := f.folder(t, since(was, f.records))

				var slept atomic.Int64 // nanoseconds
				begun := time.Now()
				now := func() time.Time { return begun.Add(time.Duration(slept.Load())) }
				l := s.loader()
				l.Lease.Holder, l.Lease.Now = "sleepy", now
				db := &sleepy{client: s.client, writes: after}
				db.asleep = func() {
					slept.Add(int64(time.Minute))
					next := s.dyingAfter(1000)
					if !ends {
						next = s.dyingAfter(25)
					}
					next.Lease.Holder, next.Lease.Now = "next", now
					_, err := next.Load(t.Context(), second, anything())
					if err != nil && !errors.Is(err, errKilled) {
						t.Error(err)
					}
				}
				l.Table = &store.Table{DB: db, Name: s.table.Name, Parallel: 1}
				l.Lease.DB = db
				_, err := l.Load(t.Context(), first, anything())
				if db.writes > 0 {
					t.Skipf("the load makes %d writes fewer", db.writes)
				}
				if err == nil || db.since > 0 {
					t.Errorf("the load that slept ended with %v after %d more writes", err, db.since)
				}
				last := s.loader()
				last.Lease.Holder, last.Lease.Now = "last", func() time.Time { return now().Add(time.Minute) }
				if _, err := last.Load(t.Context(), second, anything()); err != nil {
					t.Fatal(err)
				}
				s.same(t, f.folder(t, f.records))
			})
		}
	}
}

// slow is a database that responds to a renewal after a time, 0: never. It is slow until then
// alone; zero: for ever.
type slow struct {
	client
	after time.Duration
	until time.Time
}

func (s slow) ChangeLease(ctx context.Context, table string, key store.Key, holder string, c store.LeaseChange) (store.Held, error) {
	if !c.Renew.IsZero() && (s.until.IsZero() || time.Now().Before(s.until)) {
		var responds <-chan time.Time
		if s.after > 0 {
			responds = time.After(s.after)
		}
		select {
		case <-ctx.Done():
			return store.Held{}, ctx.Err()
		case <-responds:
		}
	}
	return s.client.ChangeLease(ctx, table, key, holder, c)
}

// Each renewal has a deadline, so that renewals that hang end the load.
func TestALoadWhoseRenewalsHangEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFederation(620)
		f.grow(5)
		s := inMemoryBy("stuck")
		s.client = slow{client: s.client}
		l := s.loader()
		began := time.Now()
		l.Progress = func(string, int, int) { time.Sleep(time.Minute) }
		_, err := l.Load(t.Context(), f.folder(t, f.records), anything())
		if err == nil || !strings.Contains(err.Error(), "lost the right to load") {
			t.Errorf("ended with %v", err)
		}
		if took := time.Since(began); took > 2*time.Minute {
			t.Errorf("it took %v", took)
		}
	})
}

// A database may be busy for longer than a lease lasts, while nothing is written.
func TestALoadWhoseRenewalsAreSlowGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFederation(622)
		f.grow(5)
		s := inMemoryBy("slow")
		s.client = slow{s.client, store.LeaseTerm + time.Second, time.Now().Add(9 * time.Minute)}
		l := s.loader()
		l.Progress = func(string, int, int) { time.Sleep(10 * time.Minute) }
		if _, err := l.Load(t.Context(), f.folder(t, f.records), anything()); err != nil {
			t.Error(err)
		}
	})
}

// The header of the journal is the fence: a load that has lost its lease cannot
// write one, and the table is that of the loads before.
func TestALoadThatLostItsLeaseDecidesNothing(t *testing.T) {
	s := newSports(t)
	f := newFederation(621)
	f.grow(20)
	load(t, s, f.folder(t, f.records), anything())
	was := s.dump(t)
	f.grow(5)
	l := s.loader()
	l.Lease.Holder = "sleepy"
	l.Lease.DB = thief{s.client, func() {
		other := s.loader()
		other.Lease.Holder, other.Lease.Now = "other", func() time.Time { return time.Now().Add(time.Minute) }
		if _, err := other.Lease.Take(t.Context()); err != nil {
			t.Error(err)
		}
		if err := other.Lease.Free(t.Context()); err != nil {
			t.Error(err)
		}
	}}
	_, err := l.Load(t.Context(), f.folder(t, f.records), anything())
	if !errors.Is(err, store.ErrLeaseLost) {
		t.Errorf("ended with %v", err)
	}
	if diff := difference(was, s.dump(t)); diff != "" {
		t.Errorf("before (-) and after (+):\n%s", diff)
	}
}

// thief takes the lease just before the payload is written.
type thief struct {
	client
	steal func()
}

func (d thief) ChangeLease(ctx context.Context, table string, key store.Key, holder string, c store.LeaseChange) (store.Held, error) {
	if c.Payload != nil && *c.Payload != nil {
		d.steal()
	}
	return d.client.ChangeLease(ctx, table, key, holder, c)
}
