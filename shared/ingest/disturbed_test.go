package ingest_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/ingest"
	"touchline/shared/store"
	"touchline/shared/store/dynamo"
	"touchline/shared/store/records"
)

// disturbance makes calls to the bucket and to DynamoDB fail; all of them are
// counted together. A call fails either before it is made or after, in which
// case its response is lost.
type disturbance struct {
	calls atomic.Int64
	fails map[int64]bool
	from  int64 // from this call on all fail, as if the process had ended; 0: none
	lost  bool
}

// next counts a call, and reports whether it fails.
func (d *disturbance) next() bool {
	n := d.calls.Add(1)
	return d.fails[n] || d.from > 0 && n >= d.from
}

var errDisturbed = errors.New("connection reset")

// of makes a call, or makes it fail.
func of[T any](d *disturbance, call func() (T, error)) (T, error) {
	var none T
	fails := d.next()
	if fails && !d.lost {
		return none, errDisturbed
	}
	answer, err := call()
	if fails {
		return none, errDisturbed
	}
	return answer, err
}

type disturbedObjects struct {
	ingest.Objects
	*disturbance
}

func (d disturbedObjects) List(ctx context.Context, bucket, folder string, limit int) ([]string, error) {
	return of(d.disturbance, func() ([]string, error) { return d.Objects.List(ctx, bucket, folder, limit) })
}

// Get opens an object. A lost response breaks off in the middle.
func (d disturbedObjects) Get(ctx context.Context, bucket, key string) (*ingest.Content, error) {
	fails := d.next()
	if fails && !d.lost {
		return nil, errDisturbed
	}
	content, err := d.Objects.Get(ctx, bucket, key)
	if !fails {
		return content, err
	}
	if err != nil {
		return nil, errDisturbed
	}
	body := content.ReadCloser
	content.ReadCloser = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(io.LimitReader(body, 2), iotest.ErrReader(io.ErrUnexpectedEOF)), body}
	return content, nil
}

func (d disturbedObjects) Put(ctx context.Context, bucket, key string, body []byte) error {
	_, err := of(d.disturbance, func() (int, error) { return 0, d.Objects.Put(ctx, bucket, key, body) })
	return err
}

type disturbedDB struct {
	client
	*disturbance
}

func (d disturbedDB) Get(ctx context.Context, table string, keys []store.Key, consistent bool) (store.Reply, error) {
	return of(d.disturbance, func() (store.Reply, error) { return d.client.Get(ctx, table, keys, consistent) })
}

func (d disturbedDB) Write(ctx context.Context, table string, writes []store.Write) (store.Reply, error) {
	return of(d.disturbance, func() (store.Reply, error) { return d.client.Write(ctx, table, writes) })
}

func (d disturbedDB) Query(ctx context.Context, table string, q store.Query, after store.Key) (store.Reply, error) {
	return of(d.disturbance, func() (store.Reply, error) { return d.client.Query(ctx, table, q, after) })
}

func gzipOf(t *testing.T, text string) string {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// disturb makes a new table and disturbs the calls from now on. It returns the
// name of the table.
func (w *world) disturb(d *disturbance) string {
	w.t.Helper()
	table := fmt.Sprint("sports-", w.lease().Holder[len("worker "):])
	if c, ok := w.client.(dynamo.DB); ok {
		if _, err := c.Client.(*dynamodb.Client).CreateTable(w.t.Context(), dynamo.Table(table)); err != nil {
			w.t.Fatal(err)
		}
	}
	db := disturbedDB{w.client, d}
	w.Worker.Table = &store.Table{DB: db, Name: table, Parallel: 1}
	w.Worker.NewLease = func() *store.Lease {
		l := w.lease()
		l.DB, l.Table, l.Now = db, table, w.Worker.Now
		return l
	}
	return table
}

// keysOf returns the keys of all items of a table, except a lease without a
// journal, whose release may have been lost.
func (w *world) keysOf(table string) map[store.Key]bool {
	w.t.Helper()
	found := map[store.Key]bool{}
	err := w.scanned(table, func(item store.Item) {
		if key := store.KeyOf(item); key != records.LockKey() || item[store.LeasePayload] != nil {
			found[key] = true
		}
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return found
}

// Any call to the bucket or to DynamoDB may fail, or lose its response: alone,
// together with the next, or with all that follow. The message goes back, and in
// the end the drop is loaded and reported as if nothing had happened.
func TestADropOutlastsAFaultAtAnyCall(t *testing.T) {
	w := newWorld(t)
	objects := w.Worker.Objects
	files := map[string]string{
		"organizations.ndjson": club,
		"teams.ndjson.gz":      gzipOf(t, `{"id":"t","name":"Team","shortName":"T","organizationId":"c"}`+"\n"),
	}
	run := func(name string, d *disturbance) (keys map[store.Key]bool) {
		w.logged.Reset()
		w.drop(name, "", files)
		table := w.disturb(d)
		w.Worker.Objects = disturbedObjects{objects, d}
		tries := 1
		for ; w.receive(message(name + "/_READY")); tries++ {
			d.from = 0
			if w.now = w.now.Add(2 * store.LeaseTerm); tries > 4 {
				t.Fatalf("%s: not done yet: %v", name, w.lastLine())
			}
		}
		w.Worker.Objects = objects
		if counts := w.loaded(name); tries < 3 && (counts.Organizations.Created != 1 || counts.Teams.Created != 1) {
			t.Errorf("%s: in %d tries %+v", name, tries, counts)
		}
		// What remains of its journal is cleared by the next load that changes
		// something.
		d.fails, d.from = nil, 0
		w.now = w.now.Add(2 * store.LeaseTerm)
		w.drop(name+"-next", "", organizations(strings.ReplaceAll(club, "Club", "Renamed")))
		if w.load(name + "-next"); w.loaded(name+"-next").Organizations.Changed != 1 {
			t.Errorf("%s: it was not complete: %+v", name, w.report(name+"-next").Counts)
		}
		return w.keysOf(table)
	}
	calm := &disturbance{}
	want := run("calm", calm)
	for n := int64(1); n <= calm.calls.Load(); n++ { // of both loads
		for _, lost := range []bool{false, true} {
			for how, d := range map[string]*disturbance{
				"one":  {fails: map[int64]bool{n: true}},
				"two":  {fails: map[int64]bool{n: true, n + 1: true}},
				"rest": {from: n}, // of this invocation
			} {
				d.lost = lost
				name := fmt.Sprintf("call-%d-%s-%v", n, how, lost)
				if diff := cmp.Diff(want, run(name, d)); diff != "" {
					t.Errorf("%s: calm (-) and disturbed (+):\n%s", name, diff)
				}
			}
		}
	}
}
