// Package store reads and writes items of tables.
//
// A DB is the database that keeps them: DynamoDB (package dynamo), a file on this machine
// (package file), or memory (package simulation). A Table reads and writes items of one
// table in bulk: it splits requests, bounds the parallelism, and repeats what the database
// leaves undone until the context ends, so that its callers see complete results or an
// error. A Meter counts what that costs; a Cached keeps items for a worker's requests; a
// Lease is the right of one writer at a time. Which items the Sports
// table has is package records; how ordered lists are kept is package pagedlist.
//
// Items may be shared with a cache: nobody changes an item that was returned.
package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"touchline/shared/meter"
)

// Key is the primary key of an item.
type Key struct{ PK, SK string }

// Compare orders keys by their partitions, then within these.
func (k Key) Compare(o Key) int { return cmp.Or(cmp.Compare(k.PK, o.PK), cmp.Compare(k.SK, o.SK)) }

// The names of the key attributes.
const (
	PKName = "pk"
	SKName = "sk"
)

// Item is an item, in DynamoDB's kinds of values. What comes from a Table has its key
// attributes, what goes to one gets them there.
type Item = map[string]types.AttributeValue

// Write puts Item at Key, or deletes what is there where Item is nil. The item
// becomes the Table's: it adds the key attributes.
type Write struct {
	Key  Key
	Item Item
}

// Table is one table with the key attributes pk and sk, both strings. It is
// safe for concurrent use.
type Table struct {
	DB    DB
	Name  string
	Meter *meter.Meter // counts every use of the table; may be nil
	// Parallel bounds the calls under way for one bulk read or write; 0: as Bounds says.
	Parallel int
	// Wait pauses between repetitions, until d has passed or the context has
	// ended, whose error it returns; nil is a timer.
	Wait func(ctx context.Context, d time.Duration) error
}

func (t *Table) parallel() int { return cmp.Or(t.Parallel, t.DB.Bounds().Calls) }

// Get reads one item; nil if there isn't one.
func (t *Table) Get(ctx context.Context, key Key, consistent bool) (Item, error) {
	items, err := t.BatchGet(ctx, []Key{key}, consistent)
	return items[key], err
}

// BatchGet reads the items at keys, in parallel calls; keys may
// repeat, and those without an item are not in the result. A consistent read
// sees every write that has returned before it and costs twice as much.
func (t *Table) BatchGet(ctx context.Context, keys []Key, consistent bool) (map[Key]Item, error) {
	unique := make([]Key, 0, len(keys))
	seen := make(map[Key]bool, len(keys))
	for _, k := range keys {
		if !seen[k] {
			seen[k] = true
			unique = append(unique, k)
		}
	}
	items := make(map[Key]Item, len(unique))
	var mu sync.Mutex
	err := t.inBatches(ctx, len(unique), t.DB.Bounds().Get, func(ctx context.Context, from, to int) (int, error) {
		return t.getBatch(ctx, unique[from:to], consistent, func(k Key, item Item) {
			mu.Lock()
			items[k] = item
			mu.Unlock()
		})
	})
	if err != nil {
		return nil, t.failed("read", err)
	}
	return items, nil
}

// Write makes the writes, in parallel calls and in no order; of several for a key the
// last one counts. After an error any of them may have been made. The end of the
// context or the failure of another call begins no further call and is no reason to
// leave one that is under way: a database may make what was cut off a moment later,
// over what was written since.
func (t *Table) Write(ctx context.Context, writes []Write) error {
	writes = lastPerKey(writes)
	err := t.inBatches(ctx, len(writes), t.DB.Bounds().Write, func(ctx context.Context, from, to int) (int, error) {
		return t.writeBatch(ctx, writes[from:to])
	})
	return t.failed("write", err)
}

func lastPerKey(writes []Write) []Write {
	place := make(map[Key]int, len(writes))
	for i, w := range writes {
		place[w.Key] = i
	}
	if len(place) == len(writes) {
		return writes
	}
	kept := make([]Write, 0, len(place))
	for i, w := range writes {
		if place[w.Key] == i {
			kept = append(kept, w)
		}
	}
	return kept
}

// inBatches runs do over [0, n) in batches of size, and counts the sequential
// round trips: batches side by side are one, and do says how many rounds its
// batch took.
func (t *Table) inBatches(ctx context.Context, n, size int, do func(ctx context.Context, from, to int) (rounds int, err error)) error {
	ctx = t.metered(ctx)
	call := meter.Begin(ctx, meter.Sports)
	if n <= size {
		rounds, err := 0, error(nil)
		if n > 0 {
			rounds, err = do(ctx, 0, n)
		}
		call.End(rounds)
		return err
	}
	var mu sync.Mutex
	longest := 0
	calls, under := errgroup.WithContext(ctx)
	calls.SetLimit(t.parallel())
	for from := 0; from < n && under.Err() == nil; from += size {
		calls.Go(func() error {
			rounds, err := do(under, from, min(from+size, n))
			mu.Lock()
			longest = max(longest, rounds)
			mu.Unlock()
			return err
		})
	}
	err := calls.Wait()
	waves := (n + size*t.parallel() - 1) / (size * t.parallel())
	call.End(waves - 1 + longest)
	if err == nil {
		err = context.Cause(ctx)
	}
	return err
}

func (t *Table) getBatch(ctx context.Context, keys []Key, consistent bool, found func(Key, Item)) (rounds int, err error) {
	var pause backoff
	for {
		rounds++
		out, err := t.DB.Get(ctx, t.Name, keys, consistent)
		moved := err == nil && len(out.Left) < len(keys)
		if err == nil {
			for _, item := range out.Items {
				found(KeyOf(item), item)
			}
			meter.Add(ctx, meter.Sports, meter.Use{ItemsRead: len(out.Items), ReadUnits: out.Units})
			if keys = out.Left; len(keys) == 0 {
				return rounds, nil
			}
		}
		if err := pause.again(ctx, t.Wait, err, moved); err != nil {
			return rounds, err
		}
	}
}

func (t *Table) writeBatch(ctx context.Context, writes []Write) (rounds int, err error) {
	for _, w := range writes {
		if w.Item != nil {
			maps.Copy(w.Item, w.Key.Item())
		}
	}
	var pause backoff
	for {
		if ctx.Err() != nil {
			return rounds, context.Cause(ctx)
		}
		rounds++
		out, err := t.DB.Write(context.WithoutCancel(ctx), t.Name, writes)
		moved := err == nil && len(out.Left) < len(writes)
		if err == nil {
			rest := at(writes, out.Left)
			meter.Add(ctx, meter.Sports, meter.Use{ItemsWritten: len(writes) - len(rest), WriteUnits: out.Units})
			if writes = rest; len(writes) == 0 {
				return rounds, nil
			}
		}
		if err := pause.again(ctx, t.Wait, err, moved); err != nil {
			return rounds, err
		}
	}
}

// at are the writes at keys.
func at(writes []Write, keys []Key) []Write {
	var some []Write
	for _, w := range writes {
		if slices.Contains(keys, w.Key) {
			some = append(some, w)
		}
	}
	return some
}

// PauseAfter is the pause before what failed is tried again, after it failed n
// times before: 25 ms, doubled up to 3.2 s, less a random part of up to half, so
// that many workers do not come back at once.
func PauseAfter(n int) time.Duration {
	d := 25 * time.Millisecond << min(n, 7)
	return d - rand.N(d/2) //nolint:gosec // spreads retries, hides nothing
}

// ReadPatience is how long the reads of a request pause between repetitions, all together.
// Whoever is throttled for longer is answered: a worker that waits is one fewer.
const ReadPatience = 2 * time.Second

type patienceKey struct{}

// Impatient has the repetitions with a context pause for d in all, at most. The error that
// was to be repeated ends the call that would pause for longer.
func Impatient(ctx context.Context, d time.Duration) context.Context {
	left := new(atomic.Int64)
	left.Store(int64(d))
	return context.WithValue(ctx, patienceKey{}, left)
}

// maxAttempts is how often a call is made that fails in passing. With pauses that
// short, four stay within the timeout of a gateway.
const maxAttempts = 4

// backoff is the pauses before a call is made again, longer while nothing moves.
type backoff struct{ stalled, failed int }

// again pauses before a call is made again: one that was refused for its rate, or
// failed in passing, or (err is nil) left something undone. For any other it returns
// err. moved says that the call got something done.
func (b *backoff) again(ctx context.Context, wait func(context.Context, time.Duration) error, err error, moved bool) error {
	switch {
	case err == nil:
		b.failed = 0
	case errors.Is(err, ErrLeaseLost) || ctx.Err() != nil:
		return err
	case errors.Is(err, ErrThrottled):
	case errors.As(err, new(*TransientError)) && b.failed < maxAttempts-1:
		b.failed++
	default:
		return err
	}
	if moved {
		b.stalled = 0
	}
	d := PauseAfter(b.stalled)
	b.stalled++
	if left, ok := ctx.Value(patienceKey{}).(*atomic.Int64); ok && left.Add(-int64(d)) < 0 {
		return cmp.Or(err, ErrThrottled) // what is left undone is so for its rate
	}
	if wait != nil {
		return wait(ctx, d)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Item is the key attributes alone.
func (k Key) Item() Item {
	return Item{
		PKName: &types.AttributeValueMemberS{Value: k.PK},
		SKName: &types.AttributeValueMemberS{Value: k.SK},
	}
}

// KeyOf is the key of an item that came from a table.
func KeyOf(item Item) Key {
	pk, _ := item[PKName].(*types.AttributeValueMemberS)
	sk, _ := item[SKName].(*types.AttributeValueMemberS)
	if pk == nil || sk == nil {
		return Key{}
	}
	return Key{pk.Value, sk.Value}
}

// Decode reads an item into a record. Its error names the item's key.
func Decode[R any](item Item) (*R, error) {
	r := new(R)
	if err := attributevalue.UnmarshalMap(item, r); err != nil {
		key := KeyOf(item)
		return nil, fmt.Errorf("decode %s %s: %w", key.PK, key.SK, err)
	}
	return r, nil
}

// failed names the table in an error of a database's; nil stays nil.
func (t *Table) failed(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s table %s: %w", what, t.Name, err)
}

// Query names items of one partition, in the order of their sort keys.
type Query struct {
	PK string
	// From and To are the first and the last sort key, both inclusive; both empty: the
	// whole partition.
	From, To string

	Consistent bool
}

// Query reads the items that q names, page after page; each page is a round
// trip of its own.
func (t *Table) Query(ctx context.Context, q Query) (items []Item, err error) {
	err = t.pages(ctx, func(ctx context.Context, after Key) (Reply, error) {
		return t.DB.Query(ctx, t.Name, q, after)
	}, func(page []Item) (more bool) {
		items = append(items, page...)
		return true
	})
	if err != nil {
		return nil, t.failed("query", err)
	}
	return items, nil
}

// Scan calls each for every item of the table, in no order, with consistent
// reads. An error of each ends it and is returned.
func (t *Table) Scan(ctx context.Context, each func(Item) error) error {
	var ended error
	err := t.pages(ctx, func(ctx context.Context, after Key) (Reply, error) {
		return t.DB.Scan(ctx, t.Name, after)
	}, func(page []Item) (more bool) {
		for _, item := range page {
			if ended = each(item); ended != nil {
				return false
			}
		}
		return true
	})
	switch {
	case ended != nil:
		return ended
	case err != nil && ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return t.failed("scan", err)
}

// pages reads a page after the other, until the last one or until take wants no more.
func (t *Table) pages(ctx context.Context, read func(context.Context, Key) (Reply, error), take func([]Item) (more bool)) error {
	ctx = t.metered(ctx)
	var pause backoff
	for after := (Key{}); ; {
		call := meter.Begin(ctx, meter.Sports)
		out, err := read(ctx, after)
		call.End(1)
		if err != nil {
			if err := pause.again(ctx, t.Wait, err, false); err != nil {
				return err
			}
			continue
		}
		pause = backoff{}
		meter.Add(ctx, meter.Sports, meter.Use{ItemsRead: len(out.Items), ReadUnits: out.Units})
		if !take(out.Items) || out.Next == (Key{}) {
			return nil
		}
		after = out.Next
	}
}
