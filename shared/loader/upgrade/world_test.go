package upgrade_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/loader"
	"touchline/shared/loader/upgrade"
	"touchline/shared/meter"
	"touchline/shared/simulation"
	"touchline/shared/store"
	"touchline/shared/store/generation"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
	"touchline/shared/store/space"
)

// world is a table in memory.
type world struct {
	client  simulation.Client
	table   *store.Table
	now     time.Time
	holders int
	spent   atomic.Int64 // write units where it is counted
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{client: simulation.Client{Database: simulation.NewDatabase()}, now: time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC)}
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

// formerLoader loads as a build of a layout without a space does, whose items are like
// those of this one. It does not look at the version.
func (w *world) formerLoader() *loader.Loader {
	l := w.loader()
	out := func(k store.Key) store.Key {
		if k == records.VersionKey() {
			return store.Key{PK: "TEST", SK: "version"}
		}
		return store.Key{PK: strings.TrimPrefix(k.PK, space.Prefix), SK: k.SK}
	}
	in := func(k store.Key) store.Key {
		if k.PK == "TEST" {
			return records.VersionKey()
		}
		return store.Key{PK: space.Prefix + k.PK, SK: k.SK}
	}
	table := *w.table
	table.DB, l.Lease.Key = &store.View{DB: w.table.DB, Out: out, In: in}, out(records.LockKey())
	l.Table = &table
	return l
}

// former is a table that a build of layout 8 has loaded a dataset into.
func former(t *testing.T, files fs.FS) *world {
	t.Helper()
	w := newWorld(t)
	load(t, w.formerLoader(), files)
	w.put(t, records.VersionKey(), store.Item{"v": &types.AttributeValueMemberN{Value: "8"}})
	return w
}

func (w *world) put(t *testing.T, key store.Key, item store.Item) {
	t.Helper()
	if err := w.table.Write(t.Context(), []store.Write{{Key: key, Item: item}}); err != nil {
		t.Fatal(err)
	}
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

// upgrade is an upgrade by another process.
func (w *world) upgrade() *upgrade.Upgrade {
	return &upgrade.Upgrade{Table: w.table, Leases: w.client, Holder: w.holder(), Label: "an upgrade", Now: w.time}
}

func (w *world) upgraded(t *testing.T) *upgrade.Report {
	t.Helper()
	report, err := w.upgrade().Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return report
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

// inLayout are the items of a layout that say something about the data.
func (w *world) inLayout(t *testing.T, layout int) map[string]map[string]value {
	t.Helper()
	return w.items(t, func(k store.Key) bool {
		return k.PK != "TEST" && k != records.VersionKey() && !strings.HasSuffix(k.PK, records.VersionKey().PK) &&
			(space.LayoutOf(k.PK) == layout || layout < 9 && space.LayoutOf(k.PK) == 0)
	})
}

func (w *world) state(t *testing.T) generation.State {
	t.Helper()
	s, err := generation.Read(t.Context(), w.table)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// renamed is a change of a federation's name.
func renamed(name string) fs.FS {
	return fstest.MapFS{"organizations.ndjson": {Data: []byte(`{"id":"later","type":"federation","name":"` + name + `"}` + "\n")}}
}

// mortal makes so many writes, and fails from then on.
type mortal struct {
	simulation.Client
	left *atomic.Int32
}

var errKilled = errors.New("the process was killed")

func (m mortal) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, o ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	if m.left.Add(-1) < 0 {
		return nil, errKilled
	}
	return m.Client.BatchWriteItem(ctx, in, o...)
}

func (m mortal) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, o ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	if m.left.Add(-1) < 0 {
		return nil, errKilled
	}
	return m.Client.UpdateItem(ctx, in, o...)
}

// counted is a world that counts what it spends.
func counted(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.table.DB = spending{w.client, &w.spent}
	return w
}

// spending counts the write units of batches: one for each KB of the larger of what an
// item was and what it is.
type spending struct {
	simulation.Client
	units *atomic.Int64
}

func (s spending) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, o ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	for table, requests := range in.RequestItems {
		for _, r := range requests {
			var item store.Item
			if r.PutRequest != nil {
				item = r.PutRequest.Item
			} else {
				item = r.DeleteRequest.Key
			}
			key := store.Item{store.PKName: item[store.PKName], store.SKName: item[store.SKName]}
			was, err := s.GetItem(ctx, &dynamodb.GetItemInput{TableName: &table, Key: key})
			if err != nil {
				return nil, err
			}
			s.units.Add(int64(max(store.Size(item), store.Size(was.Item))+1023) / 1024)
		}
	}
	return s.Client.BatchWriteItem(ctx, in, o...)
}
