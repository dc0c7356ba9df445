package journal

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/loader/diff"
	"touchline/shared/loader/spool"
	"touchline/shared/simulation"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
)

// log notes what is written.
type log struct {
	mu   sync.Mutex
	says []string
}

func (l *log) say(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.says = append(l.says, fmt.Sprintf(format, args...))
}

// noted are lists that note what is made of them.
type noted struct {
	diff.Stored
	schema int
	log    *log
}

// Apply implements diff.Stored.
func (n noted) Apply(_ context.Context, _ *store.Table, lists []pagedlist.Changes, o pagedlist.Options) error {
	for _, l := range lists {
		text := fmt.Sprintf("%d %s*%d", n.schema, l.List, len(l.All))
		if o.Fresh {
			text += " fresh"
		}
		n.log.say("%s", text)
	}
	return nil
}

// changes are so many of a list, whose value says that there is to be no entry.
func changes(schema byte, list string, n int) (all source) {
	for i := range n {
		all = append(all, spool.Record{Place: spool.Place{Phase: byte(diff.InLists), Schema: schema, Name: list, Key: []byte{byte(i)}}})
	}
	return all
}

func items(phase diff.Phase, n int) (all source) {
	for i := range n {
		all = append(all, spool.Record{Place: spool.Place{Phase: byte(phase), Name: "pk", Key: fmt.Appendf(nil, "%d-%d", phase, i)}})
	}
	return all
}

// Lists are written whole, in portions of which some are made side by side.
func TestPortions(t *testing.T) {
	for _, tt := range []struct {
		name    string
		writes  source
		portion int
		want    []string // of lists
	}{
		{"one portion", slices.Concat(changes(0, "a", 2), changes(0, "b", 1)), 10, []string{"0 a*2 fresh", "0 b*1 fresh"}},
		{"two schemas", slices.Concat(changes(0, "a", 1), changes(1, "a", 1)), 10, []string{"0 a*1 fresh", "1 a*1 fresh"}},
		{"a list is not cut", changes(0, "a", 7), 2, []string{"0 a*7 fresh"}},
		{"unless it is very long", changes(0, "a", 17), 2, []string{"0 a*8 fresh", "0 a*8", "0 a*1"}},
		{"what follows a long one", slices.Concat(changes(0, "a", 9), changes(0, "b", 1)), 2, []string{"0 a*8 fresh", "0 a*1", "0 b*1"}},
		{"what is before a long one is made", slices.Concat(changes(0, "a", 1), changes(0, "b", 8)), 2, []string{"0 a*1 fresh", "0 b*7 fresh", "0 b*1"}},
		{"four side by side", slices.Concat(changes(0, "a", 1), changes(0, "b", 1), changes(0, "c", 1), changes(0, "d", 1), changes(0, "e", 1)), 1,
			[]string{"0 a*1 fresh", "0 b*1 fresh", "0 c*1 fresh", "0 d*1 fresh", "0 e*1 fresh"}},
		{"phases", slices.Concat(items(diff.Pieces, 1), changes(0, "a", 1), items(diff.InItems, 2)), 25, []string{"0 a*1 fresh"}},
		{"nothing", nil, 1, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := &log{}
			w := &Writer{
				Table: &store.Table{DB: simulation.NewDatabase(), Name: "sports"}, Fresh: true, Portion: tt.portion,
				Lists: []diff.Stored{noted{schema: 0, log: l}, noted{schema: 1, log: l}}, Progress: func(int, int) {},
			}
			if err := w.Write(t.Context(), &tt.writes); err != nil {
				t.Fatal(err)
			}
			if slices.Contains([]string{"two schemas", "four side by side"}, tt.name) { // which has no order
				slices.Sort(l.says)
			}
			if d := cmp.Diff(tt.want, l.says); d != "" {
				t.Error(d)
			}
		})
	}
}
