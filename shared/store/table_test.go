package store_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/meter"
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

func TestWhatWasWrittenIsRead(t *testing.T) {
	table, all := newTable(t), keys(333)
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

func TestAQueryReadsItsPartOfAPartition(t *testing.T) {
	table := newTable(t)
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
		{"backwards", store.Query{Reverse: true}, "c#29", "a#00", 30},
		{"a prefix", store.Query{Prefix: "b#"}, "b#10", "b#19", 10},
		{"from and to", store.Query{From: "a#05", To: "b#12"}, "a#05", "b#12", 8},
		{"from", store.Query{From: "c#27"}, "c#27", "c#29", 3},
		{"to", store.Query{To: "a#02"}, "a#00", "a#02", 3},
		{"a limit", store.Query{Limit: 15, Consistent: true}, "a#00", "b#14", 15},
		{"a limit beyond", store.Query{Prefix: "c", Limit: 15}, "c#20", "c#29", 10},
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
	table := newTable(t)
	table.Name = "Nowhere"
	_, read := table.Get(t.Context(), store.Key{PK: "p", SK: "s"}, false)
	_, query := table.Query(t.Context(), store.Query{PK: "p"})
	for what, err := range map[string]error{"read": read, "query": query, "write": table.Write(t.Context(), puts(keys(30), ""))} {
		if !errors.Is(err, store.ErrNoTable) || !strings.Contains(err.Error(), "Nowhere") {
			t.Errorf("%s: %v", what, err)
		}
	}
}

// partial is a DynamoDB in memory that does a part of what it is asked.
type partial struct {
	store.SDK
	mu     sync.Mutex
	items  map[store.Key]store.Item
	served int // of each call; 0: nothing, and then 1, 2 ...
	calls  int
	most   int // calls side by side
	now    int
}

func (p *partial) enter() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls++
	p.now++
	p.most = max(p.most, p.now)
	if p.served > 0 {
		return p.served
	}
	return p.calls - 1
}

func (p *partial) leave() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now--
}

func (p *partial) BatchGetItem(_ context.Context, in *dynamodb.BatchGetItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	n := p.enter()
	defer p.leave()
	p.mu.Lock()
	defer p.mu.Unlock()
	out := &dynamodb.BatchGetItemOutput{Responses: map[string][]map[string]types.AttributeValue{}}
	for name, ask := range in.RequestItems {
		n = min(n, len(ask.Keys))
		for _, key := range ask.Keys[:n] {
			if item := p.items[store.KeyOf(key)]; item != nil {
				out.Responses[name] = append(out.Responses[name], item)
			}
		}
		if rest := ask.Keys[n:]; len(rest) > 0 {
			ask.Keys = rest
			out.UnprocessedKeys = map[string]types.KeysAndAttributes{name: ask}
		}
	}
	return out, nil
}

func (p *partial) BatchWriteItem(_ context.Context, in *dynamodb.BatchWriteItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	n := p.enter()
	defer p.leave()
	p.mu.Lock()
	defer p.mu.Unlock()
	out := &dynamodb.BatchWriteItemOutput{}
	for name, requests := range in.RequestItems {
		n = min(n, len(requests))
		for _, r := range requests[:n] {
			if r.PutRequest != nil {
				p.items[store.KeyOf(r.PutRequest.Item)] = r.PutRequest.Item
			} else {
				delete(p.items, store.KeyOf(r.DeleteRequest.Key))
			}
		}
		if rest := requests[n:]; len(rest) > 0 {
			out.UnprocessedItems = map[string][]types.WriteRequest{name: rest}
		}
	}
	return out, nil
}

func TestWhatIsLeftUnprocessedIsAskedForAgain(t *testing.T) {
	for _, served := range []int{0, 1, 13} {
		t.Run(fmt.Sprintf("%d a call", served), func(t *testing.T) {
			db := &partial{items: map[store.Key]store.Item{}, served: served}
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
			if diff := cmp.Diff(slices.Sorted(maps.Keys(asText(db.items))), slices.Sorted(maps.Keys(asText(got)))); diff != "" || len(got) != len(all) {
				t.Errorf("%d items (-there +got):\n%s", len(got), diff)
			}
			if u := table.Meter.Total(); u.ItemsWritten != len(all) || u.ItemsRead != len(all) {
				t.Errorf("meter: %+v", u)
			}
			if len(pauses) == 0 || slices.Min(pauses) <= 0 || slices.Max(pauses) > 4*time.Second {
				t.Errorf("pauses %v", pauses)
			}
		})
	}
}

// busy refuses its first calls.
type busy struct {
	*partial
	refused int
}

func (b *busy) refuse() error {
	if b.refused == 0 {
		return nil
	}
	b.refused--
	return &types.ProvisionedThroughputExceededException{}
}

func (b *busy) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	if err := b.refuse(); err != nil {
		return nil, err
	}
	return b.partial.BatchGetItem(ctx, in, options...)
}

func (b *busy) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	if err := b.refuse(); err != nil {
		return nil, err
	}
	return b.partial.BatchWriteItem(ctx, in, options...)
}

func TestATableThatIsBusyIsAskedAgain(t *testing.T) {
	db := &busy{partial: &partial{items: map[store.Key]store.Item{}, served: 100}, refused: 12}
	pauses := 0
	table := &store.Table{DB: db, Name: "Things", Wait: func(context.Context, time.Duration) error {
		pauses++
		return nil
	}}
	if err := table.Write(t.Context(), puts(keys(20), "")); err != nil {
		t.Fatal(err)
	}
	db.refused = 12
	got, err := table.BatchGet(t.Context(), keys(20), false)
	if err != nil || len(got) != 20 || pauses != 24 {
		t.Errorf("%d items, %d pauses, %v", len(got), pauses, err)
	}
}

func asText(items map[store.Key]store.Item) map[string]bool {
	texts := map[string]bool{}
	for k, item := range items {
		texts[k.PK+k.SK+textOf(item)] = true
	}
	return texts
}

func TestACallEndsWithItsContext(t *testing.T) {
	gone := errors.New("nobody waits")
	ctx, cancel := context.WithCancelCause(t.Context())
	waits := 0
	table := &store.Table{
		DB:   &stuck{},
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

// TestAScanReadsEachItemOnce, whichever segment it is in.
func TestAScanReadsEachItemOnce(t *testing.T) {
	table, all := newTable(t), keys(300)
	if err := table.Write(t.Context(), puts(all, "")); err != nil {
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

// scanned is a table whose scans end with their context.
type scanned struct {
	store.SDK
	end func()
}

func (s scanned) Scan(ctx context.Context, _ *dynamodb.ScanInput, _ ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	s.end()
	return nil, ctx.Err()
}

// stuck processes nothing.
type stuck struct{ store.SDK }

func (*stuck) BatchGetItem(_ context.Context, in *dynamodb.BatchGetItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	return &dynamodb.BatchGetItemOutput{UnprocessedKeys: in.RequestItems}, nil
}

func TestParallelCallsAreBounded(t *testing.T) {
	db := &partial{items: map[store.Key]store.Item{}, served: 100}
	table := &store.Table{DB: db, Name: "Things", Parallel: 3}
	if err := table.Write(t.Context(), puts(keys(25*40), "")); err != nil {
		t.Fatal(err)
	}
	if db.most > 3 || db.calls != 40 {
		t.Errorf("%d calls, %d side by side; want 40, at most 3", db.calls, db.most)
	}
}

func TestAWriterWritesAllOrFails(t *testing.T) {
	table, all := newTable(t), keys(1234)
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

	table.Name = "Nowhere"
	w = table.Writer(t.Context())
	for _, write := range puts(all, "") {
		if err = w.Put(write); err != nil {
			break
		}
	}
	if closing := w.Close(); !errors.Is(closing, store.ErrNoTable) || err != nil && !errors.Is(err, store.ErrNoTable) {
		t.Errorf("put %v, close %v", err, closing)
	}
}
