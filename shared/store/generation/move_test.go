package generation_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/store"
	"touchline/shared/store/generation"
)

// One write opens the data of another layout, from which on the former ones take no loads;
// the way back is one, too. The version grows through both.
func TestDataMoveBetweenLayouts(t *testing.T) {
	const own, other = generation.Layout, generation.Layout + 1
	table := newTable(t)
	list := func(want ...generation.Listed) {
		t.Helper()
		got, err := generation.List(t.Context(), table)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Error(diff, err)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	read := func() (generation.State, error) { return generation.Read(t.Context(), table) }
	list()
	must(generation.End(t.Context(), table, 1, start))
	list(generation.Listed{Layout: own, Version: 1, Open: true})
	if err := generation.Suspend(t.Context(), table, own); err == nil {
		t.Error("data that are open are no longer whole")
	}

	must(generation.Suspend(t.Context(), table, other))
	must(generation.Suspend(t.Context(), table, other)) // by an upgrade after one that was killed
	list(generation.Listed{Layout: own, Version: 1, Open: true}, generation.Listed{Layout: other, Partial: true})
	must(generation.Switch(t.Context(), table, other, start))
	list(generation.Listed{Layout: own, Version: 1}, generation.Listed{Layout: other, Version: 2, Open: true})
	var moved *generation.MovedError
	if err := generation.Begin(t.Context(), table); !errors.As(err, &moved) || moved.To != other {
		t.Errorf("a load into closed data: %v", err)
	}
	if s, err := read(); err != nil || s.Version != 1 || s.Moved != other {
		t.Errorf("closed data are not shown: %+v, %v", s, err)
	}

	must(generation.Switch(t.Context(), table, own, start))
	list(generation.Listed{Layout: own, Version: 3, Open: true}, generation.Listed{Layout: other, Version: 2})
	if s, err := read(); err != nil || s.Moved != 0 || !s.Ended.Equal(start) {
		t.Errorf("%+v, %v", s, err)
	}
	must(generation.Suspend(t.Context(), table, other))
	must(generation.Gone(t.Context(), table, other))
	must(generation.Gone(t.Context(), table, other))
	list(generation.Listed{Layout: own, Version: 3, Open: true})
	if err := generation.Begin(t.Context(), &store.Table{DB: table.DB, Name: table.Name}); err != nil {
		t.Error(err)
	}
}
