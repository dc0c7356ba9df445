package loader_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"touchline/shared/loader"
	"touchline/shared/loader/history"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// Loads are kept for days, whatever their number: a Saturday of live scores pushes
// nothing out, and what is too old goes with what lies beside it, some with each load.
func TestLoadsAreKeptForDays(t *testing.T) {
	s := inMemory()
	day := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	of := func(at time.Time, lines string) {
		t.Helper()
		l := s.loader()
		l.Now = func() time.Time { return at }
		if _, err := l.Load(t.Context(), organization(lines), loader.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	named := func(n int) string { return fmt.Sprintf(`{"id":"liga","type":"federation","name":"Liga %d"}`, n) }
	kept := func() (numbers []int) {
		t.Helper()
		loads, err := loader.Loads(t.Context(), s.table, history.Range{})
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range loads {
			numbers = append(numbers, l.Number)
		}
		return numbers
	}
	items := func(prefix string) int {
		t.Helper()
		found, err := s.table.Query(t.Context(), store.Query{PK: records.JournalPK, Prefix: prefix})
		if err != nil {
			t.Fatal(err)
		}
		return len(slices.DeleteFunc(found, func(item store.Item) bool { return store.KeyOf(item) == records.JournalKey(0) }))
	}
	many := ""
	for n := range 400 {
		many += fmt.Sprintf(`{"id":"club %d","type":"club","name":"Club %d","parentId":"liga"}`+"\n", n, n)
	}
	of(day, named(0)+"\n"+many)
	if items("undo#") == 0 || items("load#") == 0 {
		t.Fatal("the first load has nothing beside its entry: the test says nothing")
	}
	for n := range 20 {
		of(day.AddDate(0, 0, 1), named(n+1))
	}
	if got := kept(); len(got) != 21 {
		t.Errorf("after a Saturday %d loads are kept", len(got))
	}
	of(day.AddDate(0, 0, 13), many[:len(many)-1]+"\n"+named(21)) // nobody touched the clubs
	if _, _, err := s.loader().Undo(t.Context(), loader.Options{Load: 5, DryRun: true}); err == nil {
		t.Error("a load is undone whose record was changed since")
	}
	of(day.AddDate(0, 0, 14).Add(time.Hour), named(22))
	if got := kept(); len(got) != 22 || got[21] != 2 || items("undo#") != 0 || items("load#") != 22 {
		t.Errorf("after 14 days %v are kept, %d items of ways back, %d of loads", got, items("undo#"), items("load#"))
	}
	for i, want := range []int{7, 4, 5} { // each removes some
		of(day.AddDate(0, 0, 16), named(23+i))
		if got := kept(); len(got) != want {
			t.Errorf("%d loads are kept, want %d: %v", len(got), want, got)
		}
	}
	if err := s.loader().Keep(t.Context(), 30); err != nil {
		t.Fatal(err)
	}
	of(day.AddDate(0, 0, 40), named(30))
	if got := kept(); len(got) != 6 {
		t.Errorf("with 30 days %v are kept", got)
	}
}
