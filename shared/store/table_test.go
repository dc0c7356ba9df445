package store_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/meter"
	"touchline/shared/simulation"
	"touchline/shared/store"
)

func keys(n int) []store.Key {
	all := make([]store.Key, n)
	for i := range all {
		all[i] = store.Key{PK: fmt.Sprintf("p%d", i%7), SK: fmt.Sprintf("s%04d", i)}
	}
	return all
}

func puts(all []store.Key, value string) []store.Write {
	writes := make([]store.Write, len(all))
	for i, k := range all {
		writes[i] = store.Write{Key: k, Item: text(value + k.SK)}
	}
	return writes
}

func whatWasWrittenIsRead(t *testing.T, table *store.Table) {
	all := keys(333)
	if err := table.Write(t.Context(), puts(all, "")); err != nil {
		t.Fatal(err)
	}
	// Twice the same key in one write: the last one counts.
	if err := table.Write(t.Context(), append(puts(all[:2], "old"), store.Write{Key: all[0]}, store.Write{Key: all[1], Item: text("new")})); err != nil {
		t.Fatal(err)
	}
	items, err := table.BatchGet(t.Context(), append(slices.Clone(all), all...), true)
	if err != nil {
		t.Fatal(err)
	}
	if len(items) != len(all)-1 || items[all[0]] != nil || textOf(items[all[1]]) != "new" || textOf(items[all[332]]) != "s0332" {
		t.Errorf("%d items, first %v, second %v", len(items), items[all[0]], items[all[1]])
	}
	for k, item := range items {
		if got := store.KeyOf(item); got != k {
			t.Errorf("item at %v has key %v", k, got)
		}
	}
	if item, err := table.Get(t.Context(), all[0], true); item != nil || err != nil {
		t.Errorf("item that was deleted: %v, %v", item, err)
	}
}

func aQueryReadsItsPart(t *testing.T, table *store.Table) {
	var writes []store.Write
	for i := range 30 {
		sk := fmt.Sprintf("%c#%02d", 'a'+i/10, i)
		// Large enough for more than one page of 1 MB.
		writes = append(writes, store.Write{Key: store.Key{PK: "p", SK: sk}, Item: text(sk + strings.Repeat("x", 100_000))})
	}
	writes = append(writes, store.Write{Key: store.Key{PK: "q", SK: "b#99"}, Item: text("of another")})
	if err := table.Write(t.Context(), writes); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name        string
		query       store.Query
		first, last string
		n           int
	}{
		{"all", store.Query{}, "a#00", "c#29", 30},
		{"from and to", store.Query{From: "a#05", To: "b#12"}, "a#05", "b#12", 8},
		{"consistently", store.Query{From: "b#14", To: "c~", Consistent: true}, "b#14", "c#29", 16},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.query.PK = "p"
			items, err := table.Query(t.Context(), c.query)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, item := range items {
				got = append(got, store.KeyOf(item).SK)
			}
			if len(got) != c.n || got[0] != c.first || got[len(got)-1] != c.last {
				t.Errorf("%v; want %d from %s to %s", got, c.n, c.first, c.last)
			}
		})
	}
}

func TestATableThatIsNotThereIsNamed(t *testing.T) {
	table := &store.Table{DB: onDynamoDB(t), Name: "Nowhere"}
	_, read := table.Get(t.Context(), store.Key{PK: "p", SK: "s"}, false)
	_, query := table.Query(t.Context(), store.Query{PK: "p"})
	for what, err := range map[string]error{"read": read, "query": query, "write": table.Write(t.Context(), puts(keys(30), ""))} {
		if !errors.Is(err, store.ErrNoTable) || !strings.Contains(err.Error(), "Nowhere") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// partial is a database that does a part of what it is asked.
type partial struct {
	*simulation.Database
	mu     sync.Mutex
	served int // of each call; 0: nothing, and then 1, 2 ...
	calls  int
	most   int // calls side by side
	now    int
}

// enter says how many of n to serve.
func (p *partial) enter(n int) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls++
	p.now++
	p.most = max(p.most, p.now)
	if p.served > 0 {
		return min(p.served, n)
	}
	return min(p.calls-1, n)
}

func (p *partial) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now--
}

func (p *partial) Get(ctx context.Context, table string, keys []store.Key, consistent bool) (store.Reply, error) {
	n := p.enter(len(keys))
	defer p.leave()
	out, err := p.Database.Get(ctx, table, keys[:n], consistent)
	out.Left = keys[n:]
	return out, err
}

func (p *partial) Write(ctx context.Context, table string, writes []store.Write) (store.Reply, error) {
	n := p.enter(len(writes))
	defer p.leave()
	out, err := p.Database.Write(ctx, table, writes[:n])
	for _, w := range writes[n:] {
		out.Left = append(out.Left, w.Key)
	}
	return out, err
}

func TestWhatIsLeftUnprocessedIsAskedForAgain(t *testing.T) {
	for _, served := range []int{0, 1, 13} {
		t.Run(fmt.Sprintf("%d a call", served), func(t *testing.T) {
			db := &partial{Database: simulation.NewDatabase(), served: served}
			var pauses []time.Duration
			var mu sync.Mutex
			table := &store.Table{DB: db, Name: "Things", Meter: &meter.Meter{}, Wait: func(_ context.Context, d time.Duration) error {
				mu.Lock()
				defer mu.Unlock()
				pauses = append(pauses, d)
				return nil
			}}
			all := keys(130)
			if err := table.Write(t.Context(), puts(all, "")); err != nil {
				t.Fatal(err)
			}
			got, err := table.BatchGet(t.Context(), all, false)
			if err != nil {
				t.Fatal(err)
			}
			there := map[store.Key]store.Item{}
			for _, item := range db.Items("Things") {
				there[store.KeyOf(item)] = item
			}
			if len(there) != len(all) || !reflect.DeepEqual(there, got) {
				t.Errorf("%d items, of %d that are there", len(got), len(there))
			}
			if u := table.Meter.Total(); u.ItemsWritten != len(all) || u.ItemsRead != len(all) {
				t.Errorf("meter: %+v", u)
			}
			if len(pauses) == 0 || slices.Min(pauses) <= 0 || slices.Max(pauses) > 50*time.Millisecond { // longer only while nothing moves
				t.Errorf("pauses %v", pauses)
			}
		})
	}
}

// failing fails its first calls.
type failing struct {
	*simulation.Database
	times int
	with  error
}

func (f *failing) fail() error {
	if f.times == 0 {
		return nil
	}
	f.times--
	return f.with
}

func (f *failing) Get(ctx context.Context, table string, keys []store.Key, consistent bool) (store.Reply, error) {
	if err := f.fail(); err != nil {
		return store.Reply{}, err
	}
	return f.Database.Get(ctx, table, keys, consistent)
}

func (f *failing) Query(ctx context.Context, table string, q store.Query, after store.Key) (store.Reply, error) {
	if err := f.fail(); err != nil {
		return store.Reply{}, err
	}
	return f.Database.Query(ctx, table, q, after)
}

func (f *failing) Scan(ctx context.Context, table string, after store.Key) (store.Reply, error) {
	if err := f.fail(); err != nil {
		return store.Reply{}, err
	}
	return f.Database.Scan(ctx, table, after)
}

func (f *failing) Write(ctx context.Context, table string, writes []store.Write) (store.Reply, error) {
	if err := f.fail(); err != nil {
		return store.Reply{}, err
	}
	return f.Database.Write(ctx, table, writes)
}

// TestAFailureThatPassesIsAskedAgain: a refusal for the rate without a bound, another
// three times, any other never.
func TestAFailureThatPassesIsAskedAgain(t *testing.T) {
	final := errors.New("not what an item looks like")
	for name, c := range map[string]struct {
		with  error
		times int
		want  bool // the call succeeds
	}{
		"busy":                  {fmt.Errorf("refused: %w", store.ErrThrottled), 12, true},
		"out of reach":          {fmt.Errorf("lost: %w", &store.TransientError{Err: errors.New("reset")}), 3, true},
		"out of reach for long": {&store.TransientError{Err: errors.New("reset")}, 4, false},
		"final":                 {final, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			db := &failing{Database: simulation.NewDatabase(), with: c.with}
			pauses := 0
			table := &store.Table{DB: db, Name: "Things", Wait: func(context.Context, time.Duration) error {
				pauses++
				return nil
			}}
			for what, call := range map[string]func() error{
				"write": func() error { return table.Write(t.Context(), puts(keys(20), "")) },
				"get":   func() error { _, err := table.BatchGet(t.Context(), keys(20), false); return err },
				"query": func() error { _, err := table.Query(t.Context(), store.Query{PK: "p1"}); return err },
				"scan":  func() error { return table.Scan(t.Context(), func(store.Item) error { return nil }) },
			} {
				db.times, pauses = c.times, 0
				err := call()
				if c.want && (err != nil || pauses != c.times) || !c.want && (!errors.Is(err, c.with) || pauses != c.times-1) {
					t.Errorf("%s: %d pauses, %v", what, pauses, err)
				}
			}
		})
	}
}

// A request pauses for two seconds at most, over all of its reads.
func TestTheReadsOfARequestAreNotRepeatedForLong(t *testing.T) {
	refused := fmt.Errorf("refused: %w", store.ErrThrottled)
	var waited time.Duration
	table := &store.Table{Name: "Things", Wait: func(_ context.Context, d time.Duration) error {
		waited += d
		return nil
	}}
	ctx := store.Impatient(t.Context(), store.ReadPatience)
	for n, db := range []store.DB{&failing{Database: simulation.NewDatabase(), with: refused, times: 4}, stuck{simulation.NewDatabase()}, &failing{Database: simulation.NewDatabase(), with: refused, times: 100}} {
		table.DB = db
		_, err := table.Get(ctx, store.Key{PK: "p", SK: "s"}, false)
		if want := n > 0; errors.Is(err, store.ErrThrottled) != want {
			t.Errorf("read %d: %v", n, err)
		}
	}
	if waited > store.ReadPatience || waited < store.ReadPatience/4 {
		t.Errorf("they paused for %v", waited)
	}
}

func TestACallEndsWithItsContext(t *testing.T) {
	gone := errors.New("nobody waits")
	ctx, cancel := context.WithCancelCause(t.Context())
	waits := 0
	table := &store.Table{
		DB:   stuck{simulation.NewDatabase()},
		Name: "Things",
		Wait: func(ctx context.Context, _ time.Duration) error {
			if waits++; waits == 20 {
				cancel(gone)
			}
			return context.Cause(ctx)
		},
	}
	if _, err := table.Get(ctx, store.Key{PK: "p", SK: "s"}, false); !errors.Is(err, gone) || waits != 20 {
		t.Errorf("after %d pauses: %v", waits, err)
	}
}

func aScanReadsEachItemOnce(t *testing.T, table *store.Table) {
	all := keys(300)
	if err := table.Write(t.Context(), puts(all, strings.Repeat("x", 9_000))); err != nil {
		t.Fatal(err)
	}
	var found []store.Key
	if err := table.Scan(t.Context(), func(item store.Item) error { found = append(found, store.KeyOf(item)); return nil }); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(found, store.Key.Compare)
	slices.SortFunc(all, store.Key.Compare)
	if diff := cmp.Diff(all, found); diff != "" {
		t.Error(diff)
	}
}

// TestAScanSaysWhyItsContextEnded, such as that a lease was lost.
func TestAScanSaysWhyItsContextEnded(t *testing.T) {
	gone := errors.New("nobody waits")
	ctx, cancel := context.WithCancelCause(t.Context())
	table := &store.Table{DB: scanned{end: func() { cancel(gone) }}, Name: "Things"}
	if err := table.Scan(ctx, func(store.Item) error { return nil }); !errors.Is(err, gone) {
		t.Errorf("ended with %v", err)
	}
}

// scanned is a database whose scans end with their context.
type scanned struct {
	store.DB
	end func()
}

func (s scanned) Scan(ctx context.Context, _ string, _ store.Key) (store.Reply, error) {
	s.end()
	return store.Reply{}, ctx.Err()
}

// stuck gets to nothing.
type stuck struct{ *simulation.Database }

func (stuck) Get(_ context.Context, _ string, keys []store.Key, _ bool) (store.Reply, error) {
	return store.Reply{Left: keys}, nil
}

func TestParallelCallsAreBounded(t *testing.T) {
	db := &partial{Database: simulation.NewDatabase(), served: 100}
	table := &store.Table{DB: db, Name: "Things", Parallel: 3}
	if err := table.Write(t.Context(), puts(keys(25*40), "")); err != nil {
		t.Fatal(err)
	}
	if db.most > 3 || db.calls != 40 {
		t.Errorf("%d calls, %d side by side; want 40, at most 3", db.calls, db.most)
	}
}

func aWriterWritesAll(t *testing.T, table *store.Table) {
	all := keys(1234)
	w := table.Writer(t.Context())
	for _, write := range puts(all, "") {
		if err := w.Put(write); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := table.BatchGet(t.Context(), all, true)
	if err != nil || len(got) != len(all) {
		t.Fatalf("%d items, %v", len(got), err)
	}
}

func TestAWriterFails(t *testing.T) {
	table := &store.Table{DB: onDynamoDB(t), Name: "Nowhere"}
	w := table.Writer(t.Context())
	var err error
	for _, write := range puts(keys(1234), "") {
		if err = w.Put(write); err != nil {
			break
		}
	}
	if closing := w.Close(); !errors.Is(closing, store.ErrNoTable) || err != nil && !errors.Is(err, store.ErrNoTable) {
		t.Errorf("put %v, close %v", err, closing)
	}
}

func aQueryOfNothing(t *testing.T, table *store.Table) {
	if items, err := table.Query(t.Context(), store.Query{PK: "p"}); err != nil || len(items) > 0 {
		t.Errorf("%v, %v", items, err)
	}
}

func theLargestItem(t *testing.T, table *store.Table) {
	key := store.Key{PK: "p", SK: "s"}
	const names = len("pkpsksv")
	largest := strings.Repeat("x", 400<<10-names)
	if err := table.Write(t.Context(), []store.Write{{Key: key, Item: text(largest)}}); err != nil {
		t.Fatal(err)
	}
	if err := table.Write(t.Context(), []store.Write{{Key: key, Item: text(largest + "x")}}); err == nil {
		t.Error("a byte more was taken")
	}
	if item, err := table.Get(t.Context(), key, true); err != nil || textOf(item) != largest {
		t.Errorf("%d bytes, %v", len(textOf(item)), err)
	}
}

// oneOfManyWriters: items are whole, whoever writes at the same time.
func oneOfManyWriters(t *testing.T, table *store.Table) {
	key := store.Key{PK: "p", SK: "s"}
	var all sync.WaitGroup
	for i := range 16 {
		all.Go(func() {
			item := store.Item{"v": text(fmt.Sprint(i))["v"], "w": text(fmt.Sprint(i))["v"]}
			if err := table.Write(t.Context(), []store.Write{{Key: key, Item: item}}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	item, err := table.Get(t.Context(), key, true)
	if err != nil || textOf(item) == "" || !reflect.DeepEqual(item["v"], item["w"]) {
		t.Errorf("%v, %v", item, err)
	}
}
