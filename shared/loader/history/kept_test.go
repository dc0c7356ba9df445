package history

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/simulation"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

const day = 24 * time.Hour

var noon = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

// loadsAt keeps loads of some days before noon, of so many bytes each, with two pieces beside
// the second.
func loadsAt(t *testing.T, table *store.Table, size int, days ...int) Kept {
	t.Helper()
	k := Kept{Days: 14, First: 1, Since: noon.Add(-time.Duration(days[0]) * day).UnixMilli()}
	for i, ago := range days {
		p := &Past{Number: i + 1, ID: "load", Began: noon.Add(-time.Duration(ago) * day)}
		writes, err := p.Writes(nil)
		if err != nil {
			t.Fatal(err)
		}
		p.Size = size
		if i == 1 {
			p.Pieces = 2
		}
		writes[len(writes)-1].Item = item(t, p)
		if err := table.Write(t.Context(), writes); err != nil {
			t.Fatal(err)
		}
		k.Bytes += size
	}
	return k
}

func TestLoadsThatAreTooOldGo(t *testing.T) {
	for _, tt := range []struct {
		name string
		days []int // ago, of each load that is there
		size int
		gone int // how many of the first
		left int // the first that is known to stay
	}{
		{"none", []int{3, 2, 1}, 1, 0, 1},
		{"just young enough", []int{14, 2}, 1, 0, 1},
		{"the oldest", []int{15, 3, 2}, 1, 1, 2},
		{"two", []int{20, 15, 2}, 1, 2, 3},
		{"all", []int{20, 19}, 1, 2, 3},
		{"by their size", []int{3, 2, 1}, MostBytes / 3, 1, 2},
		{"no more than some at a time", slices.Repeat([]int{30}, 20), 1, removedLoads, removedLoads + 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			table := &store.Table{DB: simulation.NewDatabase(), Name: "sports"}
			before := loadsAt(t, table, tt.size, tt.days...)
			p := &Past{Number: len(tt.days) + 1, Began: noon, Millis: noon.UnixMilli(), Size: 10}
			k, writes, err := before.Add(t.Context(), table, p)
			if err != nil {
				t.Fatal(err)
			}
			var want []store.Key
			for n := range tt.gone {
				if want = append(want, records.LoadKey(n+1)); n == 1 {
					want = append(want, records.UndoKey(2, 0), records.UndoKey(2, 1))
				}
			}
			var got []store.Key
			for _, w := range writes {
				got = append(got, w.Key)
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
			if bytes := (len(tt.days)-tt.gone)*tt.size + 10; k.First != tt.left || k.Bytes != bytes {
				t.Errorf("%+v, want the first to be %d of %d bytes", k, tt.left, bytes)
			}
		})
	}
}

// unread is a table that cannot be queried.
type unread struct{ *simulation.Database }

var errDown = errors.New("down")

func (unread) Query(context.Context, string, store.Query, store.Key) (store.Reply, error) {
	return store.Reply{}, errDown
}

// A load whose predecessors cannot be read is not kept without them.
func TestLoadsThatCannotBeReadStay(t *testing.T) {
	table := &store.Table{DB: unread{simulation.NewDatabase()}, Name: "sports"}
	old := Kept{Days: 14, First: 1, Since: noon.Add(-15 * day).UnixMilli()}
	if _, writes, err := old.Add(t.Context(), table, &Past{Number: 2, Millis: noon.UnixMilli()}); !errors.Is(err, errDown) || len(writes) > 0 {
		t.Errorf("%d writes, %v", len(writes), err)
	}
}

func TestSoManyLoadsAreKept(t *testing.T) {
	p := &Past{Number: Most, Millis: noon.UnixMilli()}
	k := Kept{Days: 14, First: 1, Since: p.Millis}
	if k.full(p) {
		t.Errorf("%d are too many", Most)
	}
	if p.Number++; !k.full(p) {
		t.Errorf("%d are not too many", Most+1)
	}
	first, writes, err := Kept{}.Add(t.Context(), nil, &Past{Number: 1, Millis: noon.UnixMilli(), Size: 3})
	want := Kept{Days: DefaultDays, First: 1, Since: noon.UnixMilli(), Bytes: 3}
	if err != nil || len(writes) > 0 || first != want {
		t.Errorf("%+v, %v, want %+v", first, err, want)
	}
}

func TestChangedRecordsAreNamed(t *testing.T) {
	e := &ChangedError{Number: 3}
	for i := range shownChanged + 2 {
		e.Records = append(e.Records, Change{Record: Record{Kind: sport.KindTeam, ID: "id"}, Key: fmt.Sprint("t", i)})
	}
	if text := e.Error(); !strings.Contains(text, "team t9, and 2 more") || strings.Contains(text, "t10") {
		t.Error(text)
	}
	e.Records = e.Records[:1]
	e.Records[0].Key = ""
	if text := e.Error(); text != "load 3 cannot be undone: changed since: team id" {
		t.Error(text)
	}
}

// Where none of the oldest numbers has a load, the next load looks further.
func TestAGapInTheNumbersIsPassed(t *testing.T) {
	for last, want := range map[int]Kept{18: {First: 19}, 39: {First: 40, Since: 7, Bytes: 5}} {
		got, writes, err := Kept{First: 3, Since: 1}.without(nil, last, &Past{Number: 40, Millis: 7, Size: 5})
		if err != nil || len(writes) > 0 || got != want {
			t.Errorf("none up to %d: %+v, want %+v; %v, %v", last, got, want, writes, err)
		}
	}
}

// The mark of a lease is read as it was noted, and is empty where nothing was noted.
func TestAMarkIsKept(t *testing.T) {
	for _, want := range []Mark{{}, {Number: 3, ID: "load", Erased: true, Kept: Kept{Days: 30}}} {
		item, err := want.Item()
		got, failed := MarkOf(item)
		if err != nil || failed != nil || got != want || (item == nil) != (want == Mark{}) {
			t.Errorf("%+v is read as %+v, %v, %v", want, got, err, failed)
		}
	}
}
