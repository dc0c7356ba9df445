package file

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"
	bolt "go.etcd.io/bbolt"

	"touchline/shared/store"
	"touchline/shared/store/file/owner"
	"touchline/shared/store/file/socket"
	"touchline/shared/store/flat"
)

// compile-time: what a service and the commands use.
var (
	_ store.DB     = (*Database)(nil)
	_ store.Leases = (*Database)(nil)
	_ store.DB     = (*File)(nil)
)

// folder makes a folder that only this user may enter, with a short name: a socket's
// path has a bound.
func folder(tb testing.TB) string {
	tb.Helper()
	at, err := os.MkdirTemp("", "f")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = os.RemoveAll(at) })
	return at
}

func openIn(tb testing.TB, folder string) *File {
	tb.Helper()
	f, err := Open(filepath.Join(folder, "data.db"), Options{NoSync: true})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = f.Close() })
	return f
}

// dial serves f, and reaches it.
func dial(tb testing.TB, f *File) *Database {
	tb.Helper()
	if _, err := os.Stat(filepath.Join(filepath.Dir(f.path), socket.Name)); err != nil {
		server, err := f.Serve()
		if err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(func() { _ = server.Close() })
	}
	d, err := Dial(tb.Context(), filepath.Dir(f.path))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = d.Close() })
	return d
}

// ways are the two ways to the data.
func ways(t *testing.T, test func(*testing.T, *Database)) {
	both(t, func(t *testing.T, _ string, d *Database) { test(t, d) })
}

// both are ways, with the folder of the data.
func both(t *testing.T, test func(*testing.T, string, *Database)) {
	t.Run("file", func(t *testing.T) {
		dir := folder(t)
		test(t, dir, &openIn(t, dir).Database)
	})
	t.Run("socket", func(t *testing.T) {
		dir := folder(t)
		test(t, dir, dial(t, openIn(t, dir)))
	})
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

func key(i int) store.Key { return store.Key{PK: "p", SK: fmt.Sprintf("%06d", i)} }

func itemOf(s string) store.Item { return store.Item{"v": text(s)} }

func write(tb testing.TB, d *Database, writes ...store.Write) {
	tb.Helper()
	if _, err := d.Write(tb.Context(), "sports", writes); err != nil {
		tb.Fatal(err)
	}
}

// all scans a table, page by page.
func all(tb testing.TB, d *Database) (items []store.Item) {
	tb.Helper()
	for after, more := (store.Key{}), true; more; {
		page, err := d.Scan(tb.Context(), "sports", after)
		if err != nil {
			tb.Fatal(err)
		}
		items = append(items, page.Items...)
		after, more = page.Next, page.Next != store.Key{}
	}
	return items
}

func TestAQueryIsOfOnePartitionInOrder(t *testing.T) {
	ways(t, func(t *testing.T, d *Database) {
		for _, pk := range []string{"a", "ab", "b", "\x01a"} {
			for _, sk := range []string{"", "1", "10", "2", "2\x00", "3\xff", "\xff\xff"} {
				write(t, d, store.Write{Key: store.Key{PK: pk, SK: sk}, Item: itemOf(pk + sk)})
			}
		}
		for name, c := range map[string]struct {
			q     store.Query
			after string
			want  []string
		}{
			"between, both ends in": {q: store.Query{From: "10", To: "2"}, want: []string{"10", "2"}},
			"all":                   {q: store.Query{}, want: []string{"", "1", "10", "2", "2\x00", "3\xff", "\xff\xff"}},
			"after":                 {q: store.Query{From: "1", To: "2\x00"}, after: "10", want: []string{"2", "2\x00"}},
			"after the last":        {q: store.Query{}, after: "\xff\xff", want: nil},
		} {
			c.q.PK = "a"
			after := store.Key{}
			if c.after != "" {
				after = store.Key{PK: "a", SK: c.after}
			}
			reply, err := d.Query(t.Context(), "sports", c.q, after)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, item := range reply.Items {
				got = append(got, store.KeyOf(item).SK)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s: %s", name, diff)
			}
		}
		if none, err := d.Query(t.Context(), "no such table", store.Query{PK: "a"}, store.Key{}); err != nil || len(none.Items) != 0 {
			t.Errorf("a table that is not there: %v, %v", none, err)
		}
	})
}

func TestWhatDynamoDBRefusesIsRefusedWhole(t *testing.T) {
	ways(t, func(t *testing.T, d *Database) {
		fits := itemOf(strings.Repeat("x", maxItem-len("v")-len("pkskp000001")))
		longest := store.Key{PK: strings.Repeat("p", maxPK), SK: strings.Repeat("s", maxSK)}
		write(t, d, store.Write{Key: key(1), Item: fits}, store.Write{Key: longest, Item: store.Item{"v": nested(flat.MaxDepth)}})
		for name, bad := range map[string]store.Write{
			"more than 400 KB":  {Key: key(2), Item: itemOf(strings.Repeat("x", maxItem-len("v")-len("pkskp000002")+1))},
			"no key":            {Item: itemOf("x")},
			"no key to delete":  {},
			"a long key":        {Key: store.Key{PK: strings.Repeat("p", maxPK+1)}, Item: itemOf("x")},
			"a long sort key":   {Key: store.Key{PK: "p", SK: strings.Repeat("s", maxSK+1)}, Item: itemOf("x")},
			"a set":             {Key: key(2), Item: store.Item{"v": &types.AttributeValueMemberSS{Value: []string{"x"}}}},
			"an empty value":    {Key: key(2), Item: store.Item{"v": nil}},
			"a list too deeply": {Key: key(2), Item: store.Item{"v": nested(flat.MaxDepth + 1)}},
		} {
			if _, err := d.Write(t.Context(), "sports", []store.Write{{Key: key(3), Item: itemOf("x")}, bad}); err == nil {
				t.Errorf("%s is taken", name)
			}
		}
		if _, err := d.Write(t.Context(), "sports", make([]store.Write, largestWrite+1)); err == nil {
			t.Error("more writes than a call takes are taken")
		}
		if got := all(t, d); len(got) != 2 || store.KeyOf(got[0]) != key(1) || store.KeyOf(got[1]) != longest {
			t.Errorf("%d items, want the first two alone", len(got))
		}
	})
}

func nested(depth int) types.AttributeValue {
	v := text("x")
	for range depth {
		v = &types.AttributeValueMemberL{Value: []types.AttributeValue{v}}
	}
	return v
}

// whole fails the test where a check finds damage.
func whole(tb testing.TB, d *Database) Report {
	tb.Helper()
	report, err := d.Check(tb.Context())
	if err != nil || len(report.Damage) > 0 {
		tb.Fatalf("%v, %v", report.Damage, err)
	}
	return report
}

// jobOf puts an item, or is refused.
func jobOf(ctx context.Context, table string, i int, refusal error) *job {
	return &job{ctx: ctx, done: make(chan struct{}), decide: func(*bolt.Tx) ([]change, error) {
		c, _ := changeOf(table, store.Write{Key: key(i), Item: itemOf("x")})
		return []change{c}, refusal
	}}
}

func TestAJobThatIsRefusedLeavesNothingInWhatItShares(t *testing.T) {
	f := openIn(t, folder(t))
	refusal := errors.New("refused")
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	jobs := []*job{
		jobOf(t.Context(), "sports", 1, nil), jobOf(t.Context(), "sports", 2, refusal),
		jobOf(t.Context(), "sports", 3, nil), jobOf(gone, "sports", 4, nil),
	}
	f.commit(jobs)
	for i, want := range []error{nil, refusal, nil, context.Canceled} {
		if <-jobs[i].done; !errors.Is(jobs[i].err, want) {
			t.Errorf("job %d: %v, want %v", i+1, jobs[i].err, want)
		}
	}
	if got := len(all(t, &f.Database)); got != 2 {
		t.Errorf("%d items, want those of the two jobs that were done", got)
	}
}

func TestACommitThatFailsForAllIsTriedForEach(t *testing.T) {
	f := openIn(t, folder(t))
	good, bad := jobOf(t.Context(), "sports", 1, nil), jobOf(t.Context(), "", 1, nil) // a table without a name: bbolt's own refusal
	f.commit([]*job{good, bad})
	if <-good.done; good.err != nil {
		t.Error(good.err)
	}
	if <-bad.done; bad.err == nil {
		t.Error("what cannot be written is answered as written")
	}
	if got := len(all(t, &f.Database)); got != 1 {
		t.Errorf("%d items, want 1", got)
	}
}

// Writes that wait while another is made are made by one of them, in one transaction.
func TestWritesThatWaitShareATransaction(t *testing.T) {
	f := openIn(t, folder(t))
	const writers = 16
	var wait sync.WaitGroup
	before := f.last(t)
	err := f.alone(t.Context(), func() error {
		for i := range writers {
			wait.Go(func() { write(t, &f.Database, store.Write{Key: key(i), Item: itemOf("x")}) })
		}
		for waiting := 0; waiting < writers; {
			f.queue.Lock()
			waiting = len(f.waiting)
			f.queue.Unlock()
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	wait.Wait()
	if got := f.last(t) - before; got != 1 {
		t.Errorf("%d transactions, want 1", got)
	}
}

// last is the number of the last transaction.
func (f *File) last(t *testing.T) (n int) {
	t.Helper()
	if err := f.view(func(tx *bolt.Tx) error { n = tx.ID(); return nil }); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestNothingIsDoneAfterClose(t *testing.T) {
	f := openIn(t, folder(t))
	write(t, &f.Database, store.Write{Key: key(1), Item: itemOf("x")})
	if err := errors.Join(f.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	_, reading := f.Get(t.Context(), "sports", []store.Key{key(1)}, true)
	_, writing := f.Write(t.Context(), "sports", []store.Write{{Key: key(1)}})
	_, checking := f.Check(t.Context())
	for _, err := range []error{reading, writing, checking} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("%v, want ErrClosed", err)
		}
	}
}

func TestASecondOpenIsRefusedAtOnce(t *testing.T) {
	f := openIn(t, folder(t))
	for _, o := range []Options{{}, {ReadOnly: true}} {
		if _, err := Open(f.path, o); !errors.Is(err, owner.ErrInUse) {
			t.Errorf("%+v: %v, want owner.ErrInUse", o, err)
		}
	}
	if _, err := Connect(t.Context(), f.path); !errors.Is(err, owner.ErrInUse) {
		t.Errorf("Connect: %v, want owner.ErrInUse", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	d, err := Connect(t.Context(), f.path)
	if err != nil {
		t.Fatal(err)
	}
	_ = d.Close()
}

func TestWhatCannotBeWrittenAnyMoreIsSaid(t *testing.T) {
	f := openIn(t, folder(t))
	err := f.update(t.Context(), func(*bolt.Tx) ([]change, error) { panic("page 7 already freed") })
	if why := <-f.Broken(); !errors.Is(err, ErrDamaged) || !errors.Is(why, ErrDamaged) {
		t.Errorf("%v, and broken for %v; want ErrDamaged", err, why)
	}
}
