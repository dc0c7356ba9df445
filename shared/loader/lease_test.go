package loader_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go/middleware"

	"touchline/shared/loader"
	"touchline/shared/simulation"
	"touchline/shared/store"
)

// sleepy is DynamoDB as a machine sees it that sleeps once: after so many bulk
// writes, for as long as asleep takes. It keeps count of what it wrote since.
type sleepy struct {
	client
	mu     sync.Mutex
	writes int
	asleep func()
	since  int

	awake sync.RWMutex // nothing is renewed while the machine sleeps
}

func (s *sleepy) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	s.awake.RLock()
	defer s.awake.RUnlock()
	return s.client.UpdateItem(ctx, in, opts...)
}

func (s *sleepy) BatchWriteItem(ctx context.Context, in *dynamodb.BatchWriteItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := beforeAttempt(ctx, opts); err != nil { // the call may have waited for one that slept
		return nil, err
	}
	out, err := s.client.BatchWriteItem(ctx, in, opts...)
	switch s.writes--; {
	case s.writes == 0:
		s.awake.Lock()
		s.asleep()
		s.awake.Unlock()
	case s.writes < 0 && err == nil:
		s.since++
	}
	return out, err
}

// beforeAttempt runs what options insert before each attempt of a call, as the SDK
// does and a table in memory does not.
func beforeAttempt(ctx context.Context, options []func(*dynamodb.Options)) error {
	var o dynamodb.Options
	for _, option := range options {
		option(&o)
	}
	stack := middleware.NewStack("a call", func() any { return nil })
	steps := []func(*middleware.Stack) error{func(s *middleware.Stack) error {
		return s.Finalize.Add(middleware.FinalizeMiddlewareFunc("Retry", func(ctx context.Context, in middleware.FinalizeInput, next middleware.FinalizeHandler) (middleware.FinalizeOutput, middleware.Metadata, error) {
			return next.HandleFinalize(ctx, in)
		}), middleware.After)
	}}
	for _, add := range append(steps, o.APIOptions...) {
		if err := add(stack); err != nil {
			return err
		}
	}
	_, _, err := stack.Finalize.HandleMiddleware(ctx, nil, middleware.HandlerFunc(func(context.Context, any) (any, middleware.Metadata, error) {
		return nil, middleware.Metadata{}, nil
	}))
	return err
}

// A load whose machine sleeps while another load takes over, finishes it, and
// loads something else writes nothing when it wakes: not its own, no head of a
// journal, and it does not end what the other has begun.
func TestALoadThatSleptWritesNothingMore(t *testing.T) {
	for after := 2; after < 13; after += apart(2) { // the first write is that of the entry, before the load is decided
		for _, ends := range []bool{true, false} { // or is killed half-way
			t.Run(fmt.Sprintf("after %d writes, the next ends: %v", after, ends), func(t *testing.T) {
				t.Parallel()
				f := newFederation(uint64(600 + after)) //nolint:gosec // small
				s := inMemory()
				f.grow(40)
				load(t, s, f.folder(t, f.records), loader.Options{})
				before := f.copy()
				f.grow(25)
				first := f.folder(t, since(before, f.records))
				was := f.copy()
				f.grow(10)
				f.shrink(5)
				second := f.folder(t, since(was, f.records))

				var slept atomic.Int64 // nanoseconds
				begun := time.Now()
				now := func() time.Time { return begun.Add(time.Duration(slept.Load())) }
				l := s.loader()
				l.Lease.Holder, l.Lease.Now = "sleepy", now
				db := &sleepy{client: s.client, writes: after}
				db.asleep = func() {
					slept.Add(int64(time.Minute))
					next := s.dyingAfter(1000)
					if !ends {
						next = s.dyingAfter(25)
					}
					next.Lease.Holder, next.Lease.Now = "next", now
					_, err := next.Load(t.Context(), second, loader.Options{})
					if err != nil && !errors.Is(err, errKilled) {
						t.Error(err)
					}
				}
				l.Table = &store.Table{DB: db, Name: s.table.Name, Parallel: 1}
				l.Lease.DB = db
				_, err := l.Load(t.Context(), first, loader.Options{})
				if db.writes > 0 {
					t.Skipf("the load makes %d writes fewer", db.writes)
				}
				if err == nil || db.since > 0 {
					t.Errorf("the load that slept ended with %v after %d more writes", err, db.since)
				}
				last := s.loader()
				last.Lease.Holder, last.Lease.Now = "last", func() time.Time { return now().Add(time.Minute) }
				if _, err := last.Load(t.Context(), second, loader.Options{}); err != nil {
					t.Fatal(err)
				}
				s.same(t, f.folder(t, f.records))
			})
		}
	}
}

// stuck is a DynamoDB that never responds to a renewal.
type stuck struct{ client }

func (s stuck) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	if strings.HasPrefix(*in.UpdateExpression, "SET #until") {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return s.client.UpdateItem(ctx, in, opts...)
}

// Each renewal has a deadline, so that renewals that hang end the load.
func TestALoadWhoseRenewalsHangEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFederation(620)
		f.grow(5)
		s := simulated(simulation.NewDatabase(), nil, "stuck")
		s.client = stuck{s.client}
		l := s.loader()
		began := time.Now()
		l.Finished = func(ctx context.Context, _ string, _ *loader.Report) error {
			<-ctx.Done()
			return context.Cause(ctx)
		}
		_, err := l.Load(t.Context(), f.folder(t, f.records), loader.Options{})
		if err == nil || !strings.Contains(err.Error(), "lost the right to load") {
			t.Errorf("ended with %v", err)
		}
		if took := time.Since(began); took > 2*time.Minute {
			t.Errorf("it took %v", took)
		}
	})
}

// slow is a DynamoDB that responds to a renewal after a time that no lease lasts.
type slow struct{ client }

func (s slow) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	if strings.HasPrefix(*in.UpdateExpression, "SET #until") {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(store.LeaseTerm + time.Second):
		}
	}
	return s.client.UpdateItem(ctx, in, opts...)
}

// A local engine is busy for long with a page of a large table.
func TestALoadWhoseRenewalsAreSlowGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFederation(622)
		f.grow(5)
		s := simulated(simulation.NewDatabase(), nil, "slow")
		s.client = slow{s.client}
		l := s.loader()
		l.Finished = func(ctx context.Context, _ string, _ *loader.Report) error {
			select {
			case <-ctx.Done():
				return context.Cause(ctx)
			case <-time.After(10 * time.Minute):
				return nil
			}
		}
		if _, err := l.Load(t.Context(), f.folder(t, f.records), loader.Options{}); err != nil {
			t.Error(err)
		}
	})
}

// The head of the journal is the fence: a load that has lost its lease cannot
// write one, and the table is that of the loads before.
func TestALoadThatLostItsLeaseDecidesNothing(t *testing.T) {
	s := newSports(t)
	f := newFederation(621)
	f.grow(20)
	load(t, s, f.folder(t, f.records), loader.Options{})
	was := s.dump(t)
	f.grow(5)
	l := s.loader()
	l.Lease.Holder = "sleepy"
	l.Lease.DB = thief{s.client, func() {
		other := s.loader()
		other.Lease.Holder, other.Lease.Now = "other", func() time.Time { return time.Now().Add(time.Minute) }
		if _, err := other.Lease.Take(t.Context()); err != nil {
			t.Error(err)
		}
		if err := other.Lease.Free(t.Context()); err != nil {
			t.Error(err)
		}
	}}
	_, err := l.Load(t.Context(), f.folder(t, f.records), loader.Options{})
	if !errors.Is(err, store.ErrLeaseLost) {
		t.Errorf("ended with %v", err)
	}
	if diff := difference(was, s.dump(t)); diff != "" {
		t.Errorf("before (-) and after (+):\n%s", diff)
	}
}

// thief takes the lease just before the payload is written.
type thief struct {
	client
	steal func()
}

func (d thief) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	if strings.Contains(*in.UpdateExpression, "SET #payload") {
		d.steal()
	}
	return d.client.UpdateItem(ctx, in, opts...)
}
