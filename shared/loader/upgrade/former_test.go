package upgrade_test

import (
	"context"
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/loader"
	"touchline/shared/loader/upgrade"
	"touchline/shared/simulation"
	"touchline/shared/store"
	"touchline/shared/store/generation"
	"touchline/shared/store/records"
	"touchline/shared/store/space"
)

// before is a layout that no build has: what tests upgrade is stored as this one's is.
const before = -1

// formerLoader loads as a build of the layout before does, whose items are like those of
// this one. It does not look at the version.
func (w *world) formerLoader() *loader.Loader {
	l := w.loader()
	version := store.Key{PK: "TEST", SK: "version"}
	move := func(from, to string, is, becomes store.Key) func(store.Key) store.Key {
		return func(k store.Key) store.Key {
			if k == is {
				return becomes
			}
			return store.Key{PK: to + strings.TrimPrefix(k.PK, from), SK: k.SK}
		}
	}
	out := move(space.Prefix, space.Of(before), records.VersionKey(), version)
	table := *w.table
	table.DB, l.Lease.Key = &view{DB: w.table.DB, Out: out, In: move(space.Of(before), space.Prefix, version, records.VersionKey())}, out(records.LockKey())
	l.Table = &table
	return l
}

// former is a table that a build of the layout before has loaded a dataset into.
func former(t *testing.T, files fs.FS) *world {
	t.Helper()
	w := newWorld(t)
	w.belongsToTheFormer(t, files)
	return w
}

func (w *world) belongsToTheFormer(t *testing.T, files fs.FS) {
	t.Helper()
	load(t, w.formerLoader(), files)
	w.opens(t, before)
}

// opens says that the table has data of a layout.
func (w *world) opens(t *testing.T, layout int) {
	t.Helper()
	number := func(n int) types.AttributeValue { return &types.AttributeValueMemberN{Value: strconv.Itoa(n)} }
	entry := &types.AttributeValueMemberM{Value: store.Item{"n": number(1)}}
	version := store.Item{"o": number(layout), "s": &types.AttributeValueMemberM{Value: store.Item{strconv.Itoa(layout): entry}}}
	if err := w.table.Write(t.Context(), []store.Write{{Key: records.VersionKey(), Item: version}}); err != nil {
		t.Fatal(err)
	}
}

// becomes gives the data of this layout to the one before.
func (w *world) becomes(t *testing.T) {
	t.Helper()
	var writes []store.Write
	for _, item := range w.client.Items(w.table.Name) {
		key := store.KeyOf(item)
		if pk, ok := strings.CutPrefix(key.PK, space.Prefix); ok {
			writes = append(writes, store.Write{Key: key}, store.Write{Key: store.Key{PK: space.Of(before) + pk, SK: key.SK}, Item: item})
		}
	}
	if err := w.table.Write(t.Context(), writes); err != nil {
		t.Fatal(err)
	}
	w.opens(t, before)
}

// inLayout are the items of a layout.
func (w *world) inLayout(t *testing.T, layout int) map[string]map[string]value {
	t.Helper()
	return w.items(t, func(k store.Key) bool { return strings.HasPrefix(k.PK, space.Of(layout)) })
}

// dataIn are those of a layout without what leases and loads keep.
func (w *world) dataIn(t *testing.T, layout int) map[string]map[string]value {
	t.Helper()
	return w.items(t, func(k store.Key) bool {
		return strings.HasPrefix(k.PK, space.Of(layout)) && !strings.HasSuffix(k.PK, records.VersionKey().PK)
	})
}

// dying are the client and the table of a process that is killed after some writes.
func (w *world) dying(writes int32) (mortal, *store.Table) {
	left := &atomic.Int32{}
	left.Store(writes)
	table := *w.table
	table.DB, table.Parallel = mortal{w.client, left}, 1
	return mortal{w.client, left}, &table
}

func (w *world) list(t *testing.T) []generation.Listed {
	t.Helper()
	all, err := generation.List(t.Context(), w.table)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// upgrade is an upgrade by another process.
func (w *world) upgrade() *upgrade.Upgrade {
	return &upgrade.Upgrade{Loader: w.loader()}
}

func (w *world) upgraded(t *testing.T) *upgrade.Report {
	t.Helper()
	report, err := w.upgrade().Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return report
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

// counted is a world that counts what it spends.
func counted(t *testing.T) (*world, *atomic.Int64) {
	t.Helper()
	w, spent := newWorld(t), &atomic.Int64{}
	w.table.DB = spending{w.client, spent}
	return w, spent
}

// spending counts the write units of bulk writes.
type spending struct {
	store.DB
	units *atomic.Int64
}

func (s spending) Write(ctx context.Context, table string, writes []store.Write) (store.Reply, error) {
	out, err := s.DB.Write(ctx, table, writes)
	s.units.Add(int64(out.Units))
	return out, err
}

// mortal makes so many writes, and fails from then on.
type mortal struct {
	*simulation.Database
	left *atomic.Int32
}

var errKilled = errors.New("the process was killed")

func (m mortal) Write(ctx context.Context, table string, writes []store.Write) (store.Reply, error) {
	if m.left.Add(-1) < 0 {
		return store.Reply{}, errKilled
	}
	return m.Database.Write(ctx, table, writes)
}

func (m mortal) TakeLease(ctx context.Context, table string, key store.Key, by store.Holder, now time.Time) (store.Held, error) {
	if m.left.Add(-1) < 0 {
		return store.Held{}, errKilled
	}
	return m.Database.TakeLease(ctx, table, key, by, now)
}

func (m mortal) ChangeLease(ctx context.Context, table string, key store.Key, holder string, c store.LeaseChange) (store.Held, error) {
	if m.left.Add(-1) < 0 {
		return store.Held{}, errKilled
	}
	return m.Database.ChangeLease(ctx, table, key, holder, c)
}
