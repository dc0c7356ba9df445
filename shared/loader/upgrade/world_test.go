package upgrade_test

import (
	"fmt"
	"io/fs"
	"os"
	"testing"
	"time"

	"touchline/shared/loader"
	"touchline/shared/meter"
	"touchline/shared/simulation"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// world is a table in memory.
type world struct {
	client  *simulation.Database
	table   *store.Table
	now     time.Time
	holders int
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{client: simulation.NewDatabase(), now: time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC)}
	w.table = &store.Table{DB: w.client, Name: "sports", Meter: &meter.Meter{}}
	return w
}

func (w *world) time() time.Time { return w.now }

// holder is unlike that of any process before, whose leases have run out.
func (w *world) holder() string {
	w.holders++
	w.now = w.now.Add(2 * store.LeaseTerm)
	return fmt.Sprint("process ", w.holders)
}

// loader is that of this build.
func (w *world) loader() *loader.Loader {
	return &loader.Loader{Table: w.table, Lease: &store.Lease{
		DB: w.client, Table: "sports", Key: records.LockKey(), Holder: w.holder(), Label: "a test", Now: w.time,
	}}
}

func load(t *testing.T, l *loader.Loader, files fs.FS) *loader.Report {
	t.Helper()
	report, err := l.Load(t.Context(), files, loader.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func dataset(name string) fs.FS { return os.DirFS("../../endpoints/scripts/testdata/" + name) }

// loaded is a table with datasets that this build has loaded.
func loaded(t *testing.T, datasets ...string) *world {
	t.Helper()
	w := newWorld(t)
	for _, name := range datasets {
		load(t, w.loader(), dataset(name))
	}
	return w
}

// items are the items of a table.
func (w *world) items(t *testing.T, wanted func(store.Key) bool) map[string]map[string]value {
	t.Helper()
	all := map[string]map[string]value{}
	err := w.table.Scan(t.Context(), func(item store.Item) error {
		key := store.KeyOf(item)
		if !wanted(key) {
			return nil
		}
		values := map[string]value{}
		for name, v := range item {
			values[name] = valueOf(v)
		}
		all[key.PK+" "+key.SK] = values
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// data are the items of this layout but those of lists, which package loader checks.
func (w *world) data(t *testing.T) map[string]map[string]value {
	t.Helper()
	report, err := w.loader().Check(t.Context(), false)
	if err != nil || len(report.Differences) > 0 {
		t.Errorf("check: %+v, %v", report, err)
	}
	return w.items(t, func(k store.Key) bool {
		kind, _ := records.Partition(k.PK)
		_, list := pagedlist.ListIn(k.PK)
		return kind != 0 && !list
	})
}
