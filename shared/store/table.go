// Package store reads and writes DynamoDB.
//
// A Table reads and writes items of one table in bulk: it splits requests,
// bounds the parallelism, and repeats what DynamoDB leaves undone until the
// context ends, so that its callers see complete results or an error, never a
// part. A Meter counts what that costs; a Cached keeps items for a worker's
// requests; a Lease is the right of one writer at a time. Which items the Sports
// table has is package records; how ordered lists are kept is package pagedlist.
//
// Items may be shared with a cache: nobody changes an item that was returned.
package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

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

// Item is an item as DynamoDB holds it. What comes from a Table has its key
// attributes, what goes to one gets them there.
type Item = map[string]types.AttributeValue

// Write puts Item at Key, or deletes what is there where Item is nil. The item
// becomes the Table's: it adds the key attributes.
type Write struct {
	Key  Key
	Item Item
}

// The bounds of the two bulk calls are DynamoDB's.
const (
	maxGet   = 100
	maxWrite = 25
)

// SDK is the part of the DynamoDB client that a Table uses.
type SDK interface {
	BatchGetItem(context.Context, *dynamodb.BatchGetItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error)
	BatchWriteItem(context.Context, *dynamodb.BatchWriteItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error)
	Query(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error)
}

// Table is one table with the key attributes pk and sk, both strings. It is
// safe for concurrent use.
type Table struct {
	DB    SDK
	Name  string
	Meter *meter.Meter // counts every use of the table; may be nil
	// Parallel bounds the calls under way for one bulk read or write; 0 is 8.
	Parallel int
	// Wait pauses between repetitions, until d has passed or the context has
	// ended, whose error it returns; nil is a timer.
	Wait func(ctx context.Context, d time.Duration) error
}

func (t *Table) parallel() int {
	if t.Parallel > 0 {
		return t.Parallel
	}
	if db, ok := t.DB.(interface{ MaxCalls() int }); ok {
		return db.MaxCalls()
	}
	return 8
}

// Get reads one item; nil if there isn't one.
func (t *Table) Get(ctx context.Context, key Key, consistent bool) (Item, error) {
	items, err := t.BatchGet(ctx, []Key{key}, consistent)
	return items[key], err
}

// BatchGet reads the items at keys, in parallel calls of up to 100; keys may
// repeat, and those without an item are not in the answer. A consistent read
// sees every write that was answered before it and costs twice as much.
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
	err := t.inBatches(ctx, len(unique), maxGet, func(ctx context.Context, from, to int) (int, error) {
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

// Write makes the writes, in parallel calls of up to 25, or as many as DB takes
// (Atomic), and in no order; of several for a key the last one counts. After an error any of them may have
// been made. The end of the context or the failure of another call begins no
// further call and is no reason to leave one that is under way: DynamoDB may
// make what was cut off a moment later, over what was written since.
func (t *Table) Write(ctx context.Context, writes []Write) error {
	writes = lastPerKey(writes)
	err := t.inBatches(ctx, len(writes), t.maxWrites(), func(ctx context.Context, from, to int) (int, error) {
		return t.writeBatch(ctx, writes[from:to])
	})
	return t.failed("write", err)
}

// maxWrites is how many writes go into a call.
func (t *Table) maxWrites() int {
	if db, ok := t.DB.(interface{ MaxWrites() int }); ok {
		return db.MaxWrites()
	}
	return maxWrite
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

// inBatches runs do over [0, n) in parts of size, and counts the sequential
// round trips: parts side by side are one, and do says how many rounds its
// part took.
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
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var (
		wait    sync.WaitGroup
		mu      sync.Mutex
		longest int
		slots   = make(chan struct{}, t.parallel())
	)
	for from := 0; from < n && ctx.Err() == nil; from += size {
		slots <- struct{}{}
		wait.Go(func() {
			rounds, err := do(ctx, from, min(from+size, n))
			if err != nil {
				cancel(err)
			}
			mu.Lock()
			longest = max(longest, rounds)
			mu.Unlock()
			<-slots
		})
	}
	wait.Wait()
	waves := (n + size*cap(slots) - 1) / (size * cap(slots))
	call.End(waves - 1 + longest)
	return context.Cause(ctx)
}

func (t *Table) getBatch(ctx context.Context, keys []Key, consistent bool, found func(Key, Item)) (rounds int, err error) {
	ask := types.KeysAndAttributes{ConsistentRead: aws.Bool(consistent), Keys: make([]map[string]types.AttributeValue, len(keys))}
	for i, k := range keys {
		ask.Keys[i] = k.item()
	}
	var pause backoff
	for {
		rounds++
		out, err := t.DB.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{
			RequestItems:           map[string]types.KeysAndAttributes{t.Name: ask},
			ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		})
		if throttled(err) {
			if err := pause.wait(ctx, t.Wait, false); err != nil {
				return rounds, err
			}
			continue
		}
		if err != nil {
			return rounds, err
		}
		got := out.Responses[t.Name]
		for _, item := range got {
			found(KeyOf(item), item)
		}
		countRead(ctx, got, out.ConsumedCapacity...)
		rest := out.UnprocessedKeys[t.Name]
		if len(rest.Keys) == 0 {
			return rounds, nil
		}
		if err := pause.wait(ctx, t.Wait, len(rest.Keys) < len(ask.Keys)); err != nil {
			return rounds, err
		}
		ask.Keys = rest.Keys
	}
}

func (t *Table) writeBatch(ctx context.Context, writes []Write) (rounds int, err error) {
	requests := make([]types.WriteRequest, len(writes))
	for i, w := range writes {
		if w.Item == nil {
			requests[i].DeleteRequest = &types.DeleteRequest{Key: w.Key.item()}
			continue
		}
		w.Item[PKName] = &types.AttributeValueMemberS{Value: w.Key.PK}
		w.Item[SKName] = &types.AttributeValueMemberS{Value: w.Key.SK}
		requests[i].PutRequest = &types.PutRequest{Item: w.Item}
	}
	var pause backoff
	for {
		if ctx.Err() != nil {
			return rounds, context.Cause(ctx)
		}
		rounds++
		out, err := t.DB.BatchWriteItem(context.WithoutCancel(ctx), &dynamodb.BatchWriteItemInput{
			RequestItems:           map[string][]types.WriteRequest{t.Name: requests},
			ReturnConsumedCapacity: types.ReturnConsumedCapacityTotal,
		})
		if throttled(err) {
			if err := pause.wait(ctx, t.Wait, false); err != nil {
				return rounds, err
			}
			continue
		}
		if err != nil {
			return rounds, err
		}
		rest := out.UnprocessedItems[t.Name]
		countWritten(ctx, requests, rest, out.ConsumedCapacity...)
		if len(rest) == 0 {
			return rounds, nil
		}
		if err := pause.wait(ctx, t.Wait, len(rest) < len(requests)); err != nil {
			return rounds, err
		}
		requests = rest
	}
}

// throttled reports whether DynamoDB refused all of a call because there were
// too many, after the SDK's own repetitions: a new table takes a load no faster
// than it grows.
func throttled(err error) bool {
	codes := retry.ThrottleErrorCode{Codes: retry.DefaultThrottleErrorCodes}
	return err != nil && codes.IsErrorThrottle(err) == aws.TrueTernary
}

// pauseAfter is the pause before what failed is tried again, after it failed n
// times before: 25 ms, doubled up to 3.2 s, less a random part of up to half, so
// that many workers do not come back at once.
func pauseAfter(n int) time.Duration {
	d := 25 * time.Millisecond << min(n, 7)
	return d - rand.N(d/2) //nolint:gosec // spreads retries, hides nothing
}

// backoff is the pauses before what was left unprocessed is asked for again,
// longer while nothing moves.
type backoff struct{ stalled int }

func (b *backoff) wait(ctx context.Context, wait func(context.Context, time.Duration) error, progress bool) error {
	if progress {
		b.stalled = 0
	}
	d := pauseAfter(b.stalled)
	b.stalled++
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

func (k Key) item() Item {
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

// failed names the table in an error of DynamoDB's; nil stays nil.
func (t *Table) failed(what string, err error) error {
	var missing *types.ResourceNotFoundException
	switch {
	case err == nil:
		return nil
	case errors.As(err, &missing):
		return fmt.Errorf("%s table %s: %w", what, t.Name, ErrNoTable)
	}
	return fmt.Errorf("%s table %s: %w", what, t.Name, err)
}
