package upgrade_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/loader"
	"touchline/shared/loader/export"
	"touchline/shared/loader/history"
	"touchline/shared/loader/upgrade"
	"touchline/shared/seed"
	"touchline/shared/store"
	"touchline/shared/store/generation"
	"touchline/shared/store/records"
	"touchline/shared/store/space"
)

// The tables that earlier builds have written end as those that this build loads. The
// ids of events stay what they were: up to layout 8 they followed from other fields.
func TestKeptTablesAreUpgraded(t *testing.T) {
	want := loaded(t, datasets...)
	right, matches := withoutEvents(want.data(t)), want.matches(t)
	before := withoutEvents(loaded(t, datasets[:len(datasets)-1]...).data(t))
	for layout := space.Oldest; layout < space.Layout; layout++ {
		t.Run(fmt.Sprint("layout ", layout), func(t *testing.T) {
			w := restored(t, keptTable(layout))
			was := w.inLayout(t, layout)
			report := w.upgraded(t)
			if report.From != layout || report.To != space.Layout || report.Loads != 1 || report.Last != len(datasets) || report.Records == 0 {
				t.Errorf("%+v", report)
			}
			if diff := cmp.Diff(right, withoutEvents(w.data(t))); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(matches, w.matches(t)); diff != "" {
				t.Errorf("line-ups, events and statistics: %s", diff)
			}
			if diff := cmp.Diff(was, w.inLayout(t, layout)); diff != "" {
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
			if diff := cmp.Diff(before, withoutEvents(w.data(t))); diff != "" {
				t.Errorf("after an undo of a load from before the upgrade: %s", diff)
			}
		})
	}
}

// withoutEvents leaves out the items that hold events, and their hashes.
func withoutEvents(items map[string]map[string]value) map[string]map[string]value {
	for place, item := range items {
		if strings.HasPrefix(place, space.Prefix+"M#") {
			if delete(item, "dh"); !strings.HasSuffix(place, " -") && !strings.HasSuffix(place, " L") && !strings.HasSuffix(place, " V") {
				delete(items, place)
			}
		}
	}
	return items
}

// matches are the exported matches, without the ids of their events.
func (w *world) matches(t *testing.T) []map[string]any {
	t.Helper()
	files := map[string]*bytes.Buffer{}
	e := &export.Exporter{Table: w.table, Create: func(name string) (io.WriteCloser, error) {
		files[name] = &bytes.Buffer{}
		return closer{files[name]}, nil
	}}
	if _, err := e.Write(t.Context()); err != nil {
		t.Fatal(err)
	}
	var all []map[string]any
	for line := range bytes.Lines(files["matches.ndjson"].Bytes()) {
		match := map[string]any{}
		if err := json.Unmarshal(line, &match); err != nil {
			t.Fatal(err)
		}
		events, _ := match["events"].([]any)
		for _, e := range events {
			delete(e.(map[string]any), "id")
			delete(e.(map[string]any), "period")
		}
		all = append(all, match)
	}
	return all
}

type closer struct{ io.Writer }

func (closer) Close() error { return nil }

// The kept table of this layout is what this build makes.
func TestTheKeptTableIsOfThisLayout(t *testing.T) {
	if _, err := os.Stat(keptTable(space.Layout)); err != nil {
		t.Skip("TestEveryLayoutHasAKeptTable says what is missing")
	}
	if diff := cmp.Diff(loaded(t, datasets...).data(t), restored(t, keptTable(space.Layout)).data(t)); diff != "" {
		t.Error(diff)
	}
}

// TestAnUpgradeCostsNoMoreThanAFirstLoad counts write units as DynamoDB does: those of an
// upgrade are those of a first load and a fiftieth at most, among them the history of loads
// that it copies; those of a removal are those of what is removed.
// TOUCHLINE_SCALE is the size of a synthetic federation instead.
func TestAnUpgradeCostsNoMoreThanAFirstLoad(t *testing.T) {
	files := dataset("norland")
	if size, err := strconv.Atoi(os.Getenv("TOUCHLINE_SCALE")); err == nil {
		dir := t.TempDir()
		if _, err := seed.Write(dir, seed.Options{Size: size, Details: 100}); err != nil {
			t.Fatal(err)
		}
		files = os.DirFS(dir)
	}
	step := func(w *world, what string, do func()) int64 {
		began := time.Now()
		before := w.spent.Load()
		do()
		units := w.spent.Load() - before
		t.Logf("%s: %d write units, %s", what, units, time.Since(began).Round(time.Second))
		return units
	}
	w := counted(t)
	first := step(w, "a first load", func() { load(t, w.loader(), files) })
	w = counted(t)
	before := step(w, "one of the former build", func() { load(t, w.formerLoader(), files) })
	w.put(t, records.VersionKey(), store.Item{"v": &types.AttributeValueMemberN{Value: "8"}})
	beyond := first/50 + 20
	if upgrade := step(w, "an upgrade", func() { w.upgraded(t) }); upgrade < first || upgrade > first+beyond {
		t.Errorf("an upgrade takes %d write units, a first load %d", upgrade, first)
	}
	removal := step(w, "a removal", func() {
		if _, err := w.upgrade().Drop(t.Context(), 8); err != nil {
			t.Fatal(err)
		}
	})
	if removal > before+beyond {
		t.Errorf("a removal takes %d write units, the load of what is removed %d", removal, before)
	}
}

// An upgrade that is killed anywhere, again and again, while the former build loads,
// ends with all that was loaded.
func TestAnUpgradeThatIsKilledGoesOn(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 7
	}
	for writes := 0; ; writes += step {
		w := former(t, dataset("norland"))
		killed, name := 0, ""
		for n := 0; ; n++ {
			_, err := generation.Read(t.Context(), w.table)
			if n < 3 && err != nil { // the former build, which the table still belongs to, loads meanwhile
				name = fmt.Sprint("name ", n)
				load(t, w.formerLoader(), renamed(name))
			}
			u := w.upgrade()
			left := &atomic.Int32{}
			left.Store(int32(writes + 10*n))
			if n >= 3 {
				left.Store(1 << 20)
			}
			table := *w.table
			table.DB, table.Parallel = mortal{w.client, left}, 1
			u.Table, u.Leases = &table, mortal{w.client, left}
			_, err = u.Run(t.Context())
			if err == nil || errors.Is(err, upgrade.ErrCurrent) {
				break
			}
			if !errors.Is(err, errKilled) && !errors.Is(err, store.ErrLeaseLost) || n >= 3 {
				t.Fatalf("%d writes, run %d: %v", writes, n, err)
			}
			killed++
		}
		want := newWorld(t)
		load(t, want.loader(), dataset("norland"))
		load(t, want.loader(), renamed(name))
		if diff := cmp.Diff(want.data(t), w.data(t)); diff != "" {
			t.Fatalf("killed after %d writes: %s", writes, diff)
		}
		if killed == 0 {
			return
		}
	}
}

func TestTheWayBackAndForth(t *testing.T) {
	w := former(t, dataset("norland"))
	w.upgraded(t)
	version := w.state(t).Version
	load(t, w.loader(), renamed("after the upgrade"))

	to, since, loads, err := w.upgrade().Back(t.Context())
	if err != nil || to != 8 || loads != 1 || len(since) != 1 || since[0].Number != 2 {
		t.Fatalf("back to %d, %d loads since, %+v: %v", to, loads, since, err)
	}
	if s := w.state(t); s.Moved != 8 {
		t.Errorf("%+v", s)
	}
	var moved *generation.MovedError
	if _, err := w.loader().Load(t.Context(), renamed("refused"), loader.Options{}); !errors.As(err, &moved) || moved.To != 8 {
		t.Errorf("a load into closed data: %v", err)
	}
	if _, err := w.upgrade().Drop(t.Context(), 8); err == nil {
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

	if n, err := w.upgrade().Drop(t.Context(), 8); err != nil || n == 0 {
		t.Errorf("%d items dropped: %v", n, err)
	}
	if left := w.inLayout(t, 8); len(left) > 0 {
		t.Errorf("%d items of layout 8 are left", len(left))
	}
	if diff := cmp.Diff(right, w.data(t)); diff != "" {
		t.Error(diff)
	}
	if _, _, _, err := w.upgrade().Back(t.Context()); err == nil {
		t.Error("a way back to data that were dropped")
	}
	if all, err := generation.List(t.Context(), w.table); err != nil || len(all) != 1 || all[0].Layout != space.Layout {
		t.Errorf("%+v, %v", all, err)
	}
}
