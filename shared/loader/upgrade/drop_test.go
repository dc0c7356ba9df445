package upgrade_test

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/store"
	"touchline/shared/store/generation"
	"touchline/shared/store/space"
)

// A drop of what an upgrade is making waits for its load; between two of its loads it
// removes all, and the upgrade begins again.
func TestADropDoesNotSpoilAnUpgrade(t *testing.T) {
	for _, when := range []string{"reading the table", "writing"} {
		t.Run(when, func(t *testing.T) {
			w := former(t, dataset("norland"))
			load(t, w.formerLoader(), renamed("changed"))
			u, other := w.upgrade(), w.upgrade()
			other.Now, u.Now = w.time, w.time
			said, dropped := 0, 0
			u.Progress = func(what string, _, _ int) {
				if what != when || dropped > 0 {
					return
				}
				if said++; when == "reading the table" && said < 2 {
					return // nothing is loaded yet
				}
				n, err := other.Drop(t.Context(), space.Layout)
				if held := errors.As(err, new(*store.HeldError)); held != (when == "writing") || !held && (err != nil || n == 0) {
					t.Errorf("%d items dropped: %v", n, err)
				}
				dropped++
			}
			if _, err := u.Run(t.Context()); err != nil || dropped == 0 {
				t.Fatal(dropped, err)
			}
			want := newWorld(t)
			load(t, want.loader(), dataset("norland"))
			load(t, want.loader(), renamed("changed"))
			if diff := cmp.Diff(want.data(t), w.data(t)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A drop that was killed is repeated before another upgrade begins: it leaves nothing. It
// does not matter how far the upgrade was.
func TestADropThatIsKilledIsRepeatedFirst(t *testing.T) {
	w := former(t, dataset("norland"))
	before := w.inLayout(t, 8)
	u := w.upgrade()
	u.Leases, u.Table = w.dying(20)
	if _, err := u.Run(t.Context()); !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	for _, writes := range []int32{4, 6} {
		u = w.upgrade()
		u.Leases, u.Table = w.dying(writes)
		if n, err := u.Drop(t.Context(), space.Layout); !errors.Is(err, errKilled) {
			t.Fatal(n, err)
		}
		if _, err := w.upgrade().Run(t.Context()); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("--drop %d` again first", space.Layout)) {
			t.Fatal(err)
		}
	}
	if n, err := w.upgrade().Drop(t.Context(), space.Layout); err != nil || n == 0 {
		t.Fatal(n, err)
	}
	if left := w.inLayout(t, space.Layout); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
	if diff := cmp.Diff(before, w.inLayout(t, 8)); diff != "" {
		t.Error(diff)
	}
	w.upgraded(t)
	want := newWorld(t)
	load(t, want.loader(), dataset("norland"))
	if diff := cmp.Diff(want.data(t), w.data(t)); diff != "" {
		t.Error(diff)
	}
}

// dying are the client and the table of a process that is killed after some writes.
func (w *world) dying(writes int32) (mortal, *store.Table) {
	left := &atomic.Int32{}
	left.Store(writes)
	table := *w.table
	table.DB, table.Parallel = mortal{w.client, left}, 1
	return mortal{w.client, left}, &table
}

// A removal that was killed anywhere is known until it has ended, and nothing of it is
// after that.
func TestARemovalThatIsKilledIsKnown(t *testing.T) {
	killed := 0
	for writes := int32(0); ; writes += 3 {
		w := former(t, dataset("norland"))
		w.upgraded(t)
		u := w.upgrade()
		u.Leases, u.Table = w.dying(writes)
		_, err := u.Drop(t.Context(), 8)
		if err != nil && !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
		left := len(w.inLayout(t, 8))
		all, listed := generation.List(t.Context(), w.table)
		if known := len(all) == 2 && all[0].Layout == 8 && (all[0].Removing || all[0].Moved > 0); listed != nil || left > 0 && !known {
			t.Fatalf("killed after %d writes: %d items are left, and %+v are listed: %v", writes, left, all, listed)
		}
		if err == nil {
			if left > 0 || len(all) != 1 {
				t.Errorf("%d items are left, and %+v are listed", left, all)
			}
			break
		}
		killed++
		w.now = w.now.Add(2 * store.LeaseTerm)
		if _, err := w.upgrade().Drop(t.Context(), 8); err != nil {
			t.Fatal(err)
		}
		if all, err := generation.List(t.Context(), w.table); err != nil || len(all) != 1 || len(w.inLayout(t, 8)) > 0 {
			t.Errorf("after another run: %+v, %v", all, err)
		}
	}
	if killed < 4 {
		t.Errorf("it was killed %d times", killed)
	}
}
