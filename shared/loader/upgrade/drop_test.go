package upgrade_test

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/store"
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
	dying := func(w *world, writes int32) (mortal, *store.Table) {
		left := &atomic.Int32{}
		left.Store(writes)
		table := *w.table
		table.DB, table.Parallel = mortal{w.client, left}, 1
		return mortal{w.client, left}, &table
	}
	w := former(t, dataset("norland"))
	before := w.inLayout(t, 8)
	u := w.upgrade()
	u.Leases, u.Table = dying(w, 20)
	if _, err := u.Run(t.Context()); !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	for _, writes := range []int32{4, 6} {
		u = w.upgrade()
		u.Leases, u.Table = dying(w, writes)
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
