package loader_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"touchline/shared/loader/conduct"
	"touchline/shared/store"
)

// frozen is a merge that stops where it looks at the clock for a certain time, which it
// does before each write, until it is woken: as an item of a Map that still runs when the
// Map has failed, on a machine that sleeps.
type frozen struct {
	client
	writes atomic.Int64
	wake   chan struct{}
	write  chan struct{} // lets it write once it is woken
	ended  chan error
}

// BatchWriteItem implements store.DB.
func (f *frozen) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	f.writes.Add(1)
	select {
	case <-f.wake:
		<-f.write
	default:
	}
	return f.client.BatchWriteItem(ctx, in, options...)
}

// freeze conducts a load up to its merges, and begins the one of the first bucket, which
// looks n times at the clock. It is nil if the merge ends before.
func freeze(t *testing.T, seed uint64, n int) (*conducted, *frozen, conduct.Progress) {
	t.Helper()
	f := newFederation(seed)
	f.grow(30)
	c := inMemory().conduct(t, f.folder(t, f.records))
	p := c.upToMerge(t, f.r)
	frozen, left := &frozen{client: c.client, wake: make(chan struct{}), write: make(chan struct{}), ended: make(chan error, 1)}, atomic.Int64{}
	left.Store(int64(n))
	own := *c.Load
	own.Table = &store.Table{DB: frozen, Name: c.Table.Name}
	own.NewLease = func() *store.Lease {
		lease := c.newLease()
		lease.Now = func() time.Time {
			if left.Add(-1) < 0 {
				<-frozen.wake
			}
			return time.Now()
		}
		return lease
	}
	go func() {
		_, err := own.Merge(t.Context(), 0, nil)
		frozen.ended <- err
	}()
	synctest.Wait()
	select {
	case err := <-frozen.ended:
		must(t, err)
		if looked := int64(n) - left.Load(); looked < frozen.writes.Load() {
			t.Errorf("it looks %d times at the clock for %d writes", looked, frozen.writes.Load())
		}
		return nil, nil, p
	default:
		return c, frozen, p
	}
}

// A merge that wakes after its lease has run out, and another execution has finished the
// load, or the load was given up, writes nothing more, wherever it was.
func TestAMergeThatWakesTooLateWritesNothing(t *testing.T) {
	for _, finished := range []bool{true, false} {
		t.Run(fmt.Sprintf("finished: %v", finished), func(t *testing.T) {
			everywhere(t, func(t *testing.T, n int) bool {
				c, slept, p := freeze(t, 510, n)
				if c == nil {
					return false
				}
				time.Sleep(2 * store.LeaseTerm)
				must(t, conduct.Hold(t.Context(), c.Table, c.NewLease(), func(h *conduct.Held) error {
					if !finished {
						return h.Abandon(t.Context())
					}
					return h.Again(t.Context(), execution(h.Head.Conducted.Number+1))
				}))
				if finished {
					c.Number++
					for bucket := range p.Buckets {
						c.merge(t, bucket, nil)
					}
					must(t, c.finish(t.Context()))
				}
				was, notes := c.items(t), len(c.shelf.objects)
				close(slept.wake)
				close(slept.write)
				if err := <-slept.ended; !errors.Is(err, store.ErrLeaseLost) {
					t.Errorf("woken after %d looks at the clock it ends with %v", n, err)
				}
				if diff := changed(was, c.items(t)); diff != "" || len(c.shelf.objects) != notes {
					t.Errorf("woken after %d looks at the clock it has written, and %d notes more:\n%s", n, len(c.shelf.objects)-notes, diff)
				}
				return true
			})
		})
	}
}

// everywhere calls a test with 1, 2 and so on until it returns false.
func everywhere(t *testing.T, test func(*testing.T, int) bool) {
	t.Helper()
	for n, more := 1, true; more; n += apart(1) {
		synctest.Test(t, func(t *testing.T) { more = test(t, n) })
		if !more && n < 10 {
			t.Errorf("it ends after %d", n)
		}
	}
}

// changed are the keys of the items that differ.
func changed(was, is map[store.Key]store.Item) string {
	var keys []string
	for key, item := range is {
		if !reflect.DeepEqual(item, was[key]) {
			keys = append(keys, fmt.Sprint(key))
		}
	}
	for key := range was {
		if is[key] == nil {
			keys = append(keys, fmt.Sprint(key, " is gone"))
		}
	}
	return strings.Join(keys, "\n")
}

// asked calls a function once, after a query.
type asked struct {
	client
	then func()
}

// Query implements store.DB.
func (a *asked) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	out, err := a.client.Query(ctx, in, options...)
	if a.then != nil {
		a.then()
		a.then = nil
	}
	return out, err
}

// A merge that wakes while the load is given up, and renews its lease after others have
// found that it had run out, keeps the load from being given up.
func TestALoadIsNotGivenUpUnderAMergeThatWakes(t *testing.T) {
	everywhere(t, func(t *testing.T, n int) bool {
		c, slept, _ := freeze(t, 511, n)
		if c == nil {
			return false
		}
		time.Sleep(2 * store.LeaseTerm)
		table := *c.Table
		table.DB = &asked{client: c.client, then: func() {
			close(slept.wake)
			synctest.Wait()
		}}
		err := conduct.Hold(t.Context(), &table, c.NewLease(), func(h *conduct.Held) error { return h.Abandon(t.Context()) })
		select {
		case failed := <-slept.ended:
			must(t, err)
			must(t, failed) // it had written everything
		default:
			if !errors.As(err, new(*conduct.BusyError)) {
				t.Errorf("after %d looks at the clock it writes on, and giving the load up ends with %v", n, err)
			}
		}
		close(slept.write)
		return true
	})
}
