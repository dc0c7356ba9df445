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

// Loads are kept for days, and what is too old goes with what lies beside it.
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
	many := ""
	for n := range 400 { // whose way back is in pieces
		many += fmt.Sprintf(`{"id":"club %d","type":"club","name":"Club %d","parentId":"liga"}`+"\n", n, n)
	}
	for _, tt := range []struct {
		days  int
		lines string
		want  []int
	}{{0, named(0) + "\n" + many, []int{1}}, {1, named(1), []int{2, 1}}, {14, named(2), []int{3, 2, 1}}, {16, named(3), []int{4, 3}}} {
		of(day.AddDate(0, 0, tt.days), tt.lines)
		if got := kept(); !slices.Equal(got, tt.want) {
			t.Errorf("after %d days %v are kept, want %v", tt.days, got, tt.want)
		}
	}
	if left, err := s.table.Query(t.Context(), store.Query{PK: records.JournalPK, From: "undo#", To: "undo#~"}); err != nil || len(left) > 0 {
		t.Errorf("%d pieces of ways back are left, %v", len(left), err)
	}
	if err := s.loader().Keep(t.Context(), 30); err != nil {
		t.Fatal(err)
	}
	if of(day.AddDate(0, 0, 40), named(4)); !slices.Equal(kept(), []int{5, 4, 3}) {
		t.Errorf("with 30 days %v are kept", kept())
	}
}
