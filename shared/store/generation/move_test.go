package generation_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/store/generation"
	"touchline/shared/store/records"
)

// An upgrade opens its data with one write, from which on the former ones take no loads;
// the way back is one, too. The version grows through both.
func TestDataMoveBetweenLayouts(t *testing.T) {
	table := newTable(t)
	now := start
	list := func(want ...generation.Listed) {
		t.Helper()
		got, err := generation.List(t.Context(), table)
		if err != nil {
			t.Fatal(err)
		}
		for i, g := range got {
			if g.Closed.Equal(now) != (g.Moved > 0) {
				t.Errorf("layout %d was closed at %v", g.Layout, g.Closed)
			}
			got[i].Ended, got[i].Closed = time.Time{}, time.Time{}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	at := func(layout, version, moved, last int) generation.Listed {
		return generation.Listed{Layout: layout, State: generation.State{Version: version, Moved: moved}, Last: last}
	}
	list()
	put(t, table, map[string]any{"v": 8})
	list(at(8, 0, 0, 0))
	must(generation.Finish(t.Context(), table, 8, 3, now))
	list(at(8, 0, 9, 3), at(9, 1, 0, 0))
	must(generation.End(t.Context(), table, 4, now))

	must(generation.Back(t.Context(), table, 8, 4, now))
	list(at(8, 0, 0, 0), at(9, 2, 8, 4))
	var moved *generation.MovedError
	if _, err := generation.Begin(t.Context(), table); !errors.As(err, &moved) || moved.To != 8 {
		t.Errorf("a load into closed data: %v", err)
	}
	if s, err := generation.Read(t.Context(), table); err != nil || s.Version != 2 {
		t.Errorf("closed data are not shown: %+v, %v", s, err)
	}
	if err := generation.Forget(t.Context(), table, 8); err == nil {
		t.Error("data that are open were forgotten")
	}

	must(generation.Resume(t.Context(), table))
	list(at(8, 0, 0, 0))
	other, ok := errors.AsType[*generation.OtherError](func() error { _, err := generation.Read(t.Context(), table); return err }())
	if !ok || other.Open != 8 || !other.Upgradable() {
		t.Errorf("data of an upgrade that is not finished: %+v", other)
	}
	must(generation.Finish(t.Context(), table, 8, 5, now))
	list(at(8, 0, 9, 5), at(9, 3, 0, 0))
	if item, err := table.Get(t.Context(), records.BuildingKey(), true); err != nil || item != nil {
		t.Errorf("what an upgrade keeps stays: %v, %v", item, err)
	}
	must(generation.Forget(t.Context(), table, 8))
	list(generation.Listed{Layout: 8, Removing: true}, at(9, 3, 0, 0))
	must(generation.Removed(t.Context(), table, 8))
	must(generation.Removed(t.Context(), table, 8))
	list(at(9, 3, 0, 0))
}
