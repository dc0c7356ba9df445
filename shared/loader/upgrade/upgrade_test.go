package upgrade_test

import (
	"errors"
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/loader"
	"touchline/shared/loader/history"
	"touchline/shared/loader/upgrade"
	"touchline/shared/store"
	"touchline/shared/store/generation"
	"touchline/shared/store/space"
)

// The tables that released builds have written end as those that this build loads.
func TestKeptTablesAreUpgraded(t *testing.T) {
	right := loaded(t, datasets...).data(t)
	undone := loaded(t, datasets[:len(datasets)-1]...).data(t)
	for kept := 1; kept <= space.Layout; kept++ {
		t.Run(fmt.Sprint("layout ", kept), func(t *testing.T) {
			w, layout := restored(t, keptTable(kept)), kept
			if layout == space.Layout {
				layout = before
				w.becomes(t)
			}
			was := w.dataIn(t, layout)
			if report := w.upgraded(t); report.From != layout || report.To != space.Layout || report.Records == 0 {
				t.Errorf("%+v", report)
			}
			if diff := cmp.Diff(right, w.data(t)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(was, w.dataIn(t, layout)); diff != "" {
				t.Errorf("the former data changed: %s", diff)
			}
			loads, err := loader.Loads(t.Context(), w.table, history.Range{})
			if err != nil || len(loads) != len(datasets) || loads[0].Number != len(datasets) || loads[0].Report == nil {
				t.Errorf("%d loads are kept: %v", len(loads), err)
			}
			if _, err := w.upgrade().Run(t.Context()); !errors.Is(err, upgrade.ErrCurrent) {
				t.Errorf("again: %v", err)
			}
			if _, _, err := w.loader().Undo(t.Context(), loader.Options{}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(undone, w.data(t)); diff != "" {
				t.Errorf("after an undo of a load from before the upgrade: %s", diff)
			}
		})
	}
}

// An upgrade takes the write units of a first load, and a fiftieth at most for the history
// that it copies; a removal those of what it removes.
func TestAnUpgradeCostsNoMoreThanAFirstLoad(t *testing.T) {
	w, spent := counted(t)
	load(t, w.loader(), dataset("norland"))
	first := spent.Load()
	w, spent = counted(t)
	w.belongsToTheFormer(t, dataset("norland"))
	loaded := spent.Swap(0)
	beyond := first/50 + 20
	w.upgraded(t)
	if units := spent.Swap(0); units < first || units > first+beyond {
		t.Errorf("an upgrade takes %d write units, a first load %d", units, first)
	}
	if _, err := w.upgrade().Drop(t.Context(), before); err != nil {
		t.Fatal(err)
	}
	if units := spent.Load(); units < first/2 || units > loaded+beyond {
		t.Errorf("a removal takes %d write units, the load of what is removed %d", units, loaded)
	}
}

// While an upgrade runs loads wait, and are told for whom; the former data are open, and
// this build reads nothing.
func TestLoadsWaitForAnUpgrade(t *testing.T) {
	w := former(t, dataset("norland"))
	seen := map[string]bool{}
	loads, drops := w.formerLoader(), w.upgrade()
	u := w.upgrade() // the last one: each has a later clock
	u.Progress = func(what string, _, _ int) {
		if seen[what] {
			return
		}
		seen[what] = true
		_, err := loads.Load(t.Context(), renamed("too early"), loader.Options{})
		if held, ok := errors.AsType[*store.HeldError](err); !ok || held.Label != "an upgrade by a test" {
			t.Errorf("a load while it is %s: %v", what, err)
		}
		if _, err := drops.Drop(t.Context(), before); err == nil {
			t.Errorf("the data that are open were dropped while it is %s", what)
		}
		if _, err := generation.Read(t.Context(), w.table); !errors.As(err, new(*generation.OtherError)) {
			t.Errorf("data that are not whole are read while it is %s: %v", what, err)
		}
	}
	if _, err := u.Run(t.Context()); err != nil || !seen["reading the table"] || !seen["writing"] {
		t.Fatal(seen, err)
	}
	want := newWorld(t)
	load(t, want.loader(), dataset("norland"))
	if diff := cmp.Diff(want.data(t), w.data(t)); diff != "" {
		t.Error(diff)
	}
}

// An upgrade that is killed at any write leaves the former data as they were, and open,
// until it has switched; the next one ends with what a load from nothing makes, and with
// what was loaded in between.
func TestAnUpgradeThatIsKilledGoesOn(t *testing.T) {
	step := int32(1)
	if testing.Short() {
		step = 7
	}
	want := newWorld(t)
	load(t, want.loader(), dataset("norland"))
	load(t, want.loader(), renamed("in between"))
	right := want.data(t)
	for writes := int32(0); ; writes += step {
		w := former(t, dataset("norland"))
		was := w.dataIn(t, before)
		u := w.upgrade()
		u.Lease.DB, u.Table = w.dying(writes)
		_, killed := u.Run(t.Context())
		if killed != nil && !errors.Is(killed, errKilled) && !errors.Is(killed, store.ErrLeaseLost) {
			t.Fatalf("%d writes: %v", writes, killed)
		}
		if diff := cmp.Diff(was, w.dataIn(t, before)); diff != "" {
			t.Fatalf("the former data after %d writes: %s", writes, diff)
		}
		_, unread := generation.Read(t.Context(), w.table)
		if killed == nil {
			if unread != nil || writes < 20 {
				t.Fatalf("after %d writes it has ended: %v", writes, unread)
			}
			return
		}
		if unread == nil { // it was killed after its switch
			load(t, w.loader(), renamed("in between"))
		} else {
			if all := w.list(t); !all[0].Open || len(all) > 1 && !all[1].Partial {
				t.Fatalf("after %d writes: %+v", writes, all)
			}
			load(t, w.formerLoader(), renamed("in between"))
			w.upgraded(t)
		}
		if diff := cmp.Diff(right, w.data(t)); diff != "" {
			t.Fatalf("killed after %d writes: %s", writes, diff)
		}
	}
}

func TestTheWayBackAndForth(t *testing.T) {
	w := former(t, dataset("norland"))
	w.upgraded(t)
	version := w.state(t).Version
	load(t, w.loader(), renamed("after the upgrade"))

	to, since, loads, err := w.upgrade().Back(t.Context())
	if err != nil || to != before || loads != 1 || len(since) != 1 || since[0].Number != 2 {
		t.Fatalf("back to %d, %d loads since, %+v: %v", to, loads, since, err)
	}
	if s := w.state(t); s.Moved != before {
		t.Errorf("%+v", s)
	}
	var moved *generation.MovedError
	if _, err := w.loader().Load(t.Context(), renamed("refused"), loader.Options{}); !errors.As(err, &moved) || moved.To != before {
		t.Errorf("a load into closed data: %v", err)
	}
	if _, err := w.upgrade().Drop(t.Context(), before); err == nil {
		t.Error("the data that are open were dropped")
	}
	load(t, w.formerLoader(), renamed("before the second upgrade"))

	w.upgraded(t)
	if s := w.state(t); s.Moved != 0 || s.Version <= version {
		t.Errorf("version %+v after %d", s, version)
	}
	want := newWorld(t)
	load(t, want.loader(), dataset("norland"))
	load(t, want.loader(), renamed("before the second upgrade"))
	right := want.data(t)
	if diff := cmp.Diff(right, w.data(t)); diff != "" {
		t.Error(diff)
	}

	if n, err := w.upgrade().Drop(t.Context(), before); err != nil || n == 0 {
		t.Errorf("%d items dropped: %v", n, err)
	}
	if left := w.inLayout(t, before); len(left) > 0 {
		t.Errorf("%d items of layout %d are left", len(left), before)
	}
	if diff := cmp.Diff(right, w.data(t)); diff != "" {
		t.Error(diff)
	}
	if _, _, _, err := w.upgrade().Back(t.Context()); err == nil {
		t.Error("a way back to data that were dropped")
	}
	if all := w.list(t); len(all) != 1 || all[0].Layout != space.Layout || !all[0].Open {
		t.Errorf("%+v", all)
	}
}

// A removal that was killed anywhere is known until it has ended, and nothing of it is
// left after that.
func TestARemovalThatIsKilledGoesOn(t *testing.T) {
	killed := 0
	for writes := int32(1); ; writes += 3 {
		w := former(t, dataset("norland"))
		w.upgraded(t)
		u := w.upgrade()
		u.Lease.DB, u.Table = w.dying(writes)
		_, err := u.Drop(t.Context(), before)
		if err != nil && !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
		left, all := len(w.inLayout(t, before)), w.list(t)
		if known := len(all) == 2 && all[0].Layout == before && !all[0].Open; left > 0 && !known {
			t.Fatalf("killed after %d writes: %d items are left, and %+v are listed", writes, left, all)
		}
		if err == nil {
			if left > 0 || len(all) != 1 {
				t.Errorf("%d items are left, and %+v are listed", left, all)
			}
			break
		}
		killed++
		if len(all) > 1 && all[0].Partial {
			if _, _, _, err := w.upgrade().Back(t.Context()); err == nil {
				t.Error("a way back to data that are not whole")
			}
		}
		if len(all) > 1 {
			if _, err := w.upgrade().Drop(t.Context(), before); err != nil {
				t.Fatal(err)
			}
		}
		if all := w.list(t); len(all) != 1 || len(w.inLayout(t, before)) > 0 {
			t.Errorf("after another run: %+v", all)
		}
	}
	if killed < 4 {
		t.Errorf("it was killed %d times", killed)
	}
}

// A table without records is upgraded, and one without a layout is not.
func TestUpgradesOfLittle(t *testing.T) {
	w := former(t, fstest.MapFS{"players.ndjson": {Data: []byte(`{"id":"x","erase":true}`)}})
	if report := w.upgraded(t); report.Records != 0 || w.state(t).Moved != 0 {
		t.Errorf("%+v, %+v", report, w.state(t))
	}
	w = newWorld(t)
	if _, err := w.upgrade().Run(t.Context()); !generation.IsEmpty(err) {
		t.Errorf("an empty table: %v", err)
	}
	if _, err := w.upgrade().Drop(t.Context(), before); err == nil {
		t.Error("data that are not there were dropped")
	}
}
