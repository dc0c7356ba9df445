package store_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/store"
)

// source is a table in memory that counts, and can be held up.
type source struct {
	mu    sync.Mutex
	items map[store.Key]store.Item
	reads []string // the sort keys of each, + where consistent
	err   error
	enter chan struct{}   // where not nil: told of each read
	leave []chan struct{} // each read waits for its own; then none
	begun int
}

func (s *source) BatchGet(ctx context.Context, keys []store.Key, consistent bool) (map[store.Key]store.Item, error) {
	leave := s.next()
	if s.enter != nil {
		s.enter <- struct{}{}
	}
	if leave != nil {
		select {
		case <-leave:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	read := ""
	got := map[store.Key]store.Item{}
	for _, k := range keys {
		read += k.SK
		if item := s.items[k]; item != nil {
			got[k] = item
		}
	}
	if consistent {
		read += "+"
	}
	s.reads = append(s.reads, read)
	return got, s.err
}

func (s *source) next() chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begun++
	if s.begun > len(s.leave) {
		return nil
	}
	return s.leave[s.begun-1]
}

func (s *source) put(sk, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items[at(sk)] = text(value)
}

func at(sk string) store.Key { return store.Key{PK: "p", SK: sk} }

// clock is a time that tests move.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

func newCached() (*store.Cached, *source, *clock) {
	s := &source{items: map[store.Key]store.Item{at("a"): text("1"), at("b"): text("2"), at("c"): text("3")}}
	c := &clock{time.Unix(1_000_000, 0)}
	return &store.Cached{Source: s, Now: c.Now}, s, c
}

// seconds keeps items as long as their name says, absent ones for a second.
func seconds(k store.Key, item store.Item) time.Duration {
	switch {
	case item == nil:
		return time.Second
	case k.SK == "b":
		return 10 * time.Second
	case k.SK == "c":
		return 0
	}
	return 30 * time.Second
}

func get(t *testing.T, c *store.Cached, sks string) string {
	t.Helper()
	keys := make([]store.Key, len(sks))
	for i, sk := range strings.Split(sks, "") {
		keys[i] = at(sk)
	}
	items, err := c.Get(t.Context(), keys, seconds)
	if err != nil {
		t.Fatal(err)
	}
	values := ""
	for _, k := range keys {
		values += textOf(items[k]) + "."
	}
	return values
}

func TestAnItemIsReadAgainOnceItsTimeIsOver(t *testing.T) {
	c, s, clock := newCached()
	steps := []struct {
		name  string
		after time.Duration
		get   string
		want  string
		read  string
	}{
		{"first", 0, "ab", "1.2.", "ab"},
		{"again, and another", 0, "abc", "1.2.3.", "c"},
		{"not to be kept", 0, "c", "3.", "c"},
		{"one just within its time", 9999 * time.Millisecond, "ab", "1.2.", ""},
		{"one at its end", time.Millisecond, "ab", "1.2.", "b"},
		{"the other at its end", 20 * time.Second, "a", "1.", "a"},
		{"none there", 0, "xa", ".1.", "x"},
		{"none there, as known", 999 * time.Millisecond, "x", ".", ""},
		{"none there, asked again", time.Millisecond, "x", ".", "x"},
		{"the same twice", time.Minute, "aab", "1.1.2.", "ab"},
	}
	for _, step := range steps {
		clock.now = clock.now.Add(step.after)
		s.reads = nil
		if got := get(t, c, step.get); got != step.want {
			t.Errorf("%s: %s, want %s", step.name, got, step.want)
		}
		if got := strings.Join(s.reads, ","); got != step.read {
			t.Errorf("%s: read %q, want %q", step.name, got, step.read)
		}
	}
}

func TestRefreshGoesPastTheCacheAndFillsIt(t *testing.T) {
	c, s, _ := newCached()
	get(t, c, "a")
	s.put("a", "new")
	if got := get(t, c, "a"); got != "1." {
		t.Fatalf("cached: %s", got)
	}
	s.reads = nil
	items, err := c.Refresh(t.Context(), []store.Key{at("a")}, seconds)
	if err != nil || textOf(items[at("a")]) != "new" {
		t.Fatalf("%v, %v", items, err)
	}
	if items, err = c.Get(t.Context(), []store.Key{at("a")}, seconds); err != nil || textOf(items[at("a")]) != "new" {
		t.Errorf("after the refresh: %v, %v", items, err)
	}
	if diff := cmp.Diff([]string{"a+"}, s.reads); diff != "" {
		t.Errorf("reads (-want +got):\n%s", diff)
	}
}

func TestAReadThatBeganEarlierDoesNotReplaceALaterOne(t *testing.T) {
	c, s, clock := newCached()
	s.enter, s.leave = make(chan struct{}), []chan struct{}{make(chan struct{})}
	slow := make(chan error)
	go func() {
		_, err := c.Get(t.Context(), []store.Key{at("a")}, func(store.Key, store.Item) time.Duration { return time.Second })
		slow <- err
	}()
	<-s.enter // the slow read is under way
	s.enter = nil
	if _, err := c.Refresh(t.Context(), []store.Key{at("a")}, seconds); err != nil {
		t.Fatal(err)
	}
	close(s.leave[0])
	if err := <-slow; err != nil {
		t.Fatal(err)
	}
	clock.now = clock.now.Add(29 * time.Second)
	s.reads = nil
	if got := get(t, c, "a"); got != "1." || len(s.reads) > 0 {
		t.Errorf("%s, reads %v; want what the refresh kept for 30 s", got, s.reads)
	}
}

// What was cached, or was being read, before Forget is not served after it.
func TestNothingReadBeforeForgetIsServedAfterIt(t *testing.T) {
	c, s, _ := newCached()
	s.enter, s.leave = make(chan struct{}, 9), []chan struct{}{make(chan struct{})}
	first := make(chan error, 1)
	go func() {
		_, err := c.Get(context.Background(), []store.Key{at("a")}, seconds)
		first <- err
	}()
	<-s.enter // it reads
	c.Forget()
	if got := get(t, c, "a"); got != "1." || c.Bytes() == 0 { // by a read of its own, since it does not wait for the first
		t.Fatal(got)
	}
	c.Forget()
	close(s.leave[0])
	if err := <-first; err != nil || c.Bytes() != 0 {
		t.Errorf("%v, %d bytes are left", err, c.Bytes())
	}
	s.put("a", "new")
	if got := get(t, c, "a"); got != "new." {
		t.Error(got)
	}
}

// A worker that is frozen between two requests has a monotonic clock that
// stops.
func TestAnItemAgesWhileTheWorkerIsFrozen(t *testing.T) {
	c, s, _ := newCached()
	now := time.Now()
	c.Now = func() time.Time { return now }
	s.put("a", "1")
	for _, want := range []int{1, 1, 2} {
		if _, err := c.Get(t.Context(), []store.Key{at("a")}, func(store.Key, store.Item) time.Duration { return time.Hour }); err != nil {
			t.Fatal(err)
		}
		if len(s.reads) != want {
			t.Errorf("%d reads, want %d", len(s.reads), want)
		}
		if want == 1 && len(s.reads) == 1 {
			now = thaw(now, time.Hour/2)
		}
	}
}

func TestAFailureIsNotKept(t *testing.T) {
	c, s, _ := newCached()
	s.err = errors.New("down")
	if _, err := c.Get(t.Context(), []store.Key{at("a")}, seconds); !errors.Is(err, s.err) {
		t.Errorf("error %v", err)
	}
	s.err = nil
	if got := get(t, c, "a"); got != "1." {
		t.Errorf("after the failure: %s", got)
	}
}

func TestAReadThatHangsEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, s, _ := newCached()
		s.leave = []chan struct{}{make(chan struct{})}
		if _, err := c.Get(t.Context(), []store.Key{at("a")}, seconds); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
	})
}

func TestMemoryIsBoundedAndTheLeastUsedGoesFirst(t *testing.T) {
	c, s, _ := newCached()
	c.MaxBytes = 50_000
	for i := range 200 {
		s.put(fmt.Sprint(i), strings.Repeat("x", 1000))
	}
	s.put("large", strings.Repeat("x", 60_000))
	hour := func(store.Key, store.Item) time.Duration { return time.Hour }
	read := func(sk string) {
		t.Helper()
		if _, err := c.Get(t.Context(), []store.Key{at(sk)}, hour); err != nil {
			t.Fatal(err)
		}
		if got := c.Bytes(); got > c.MaxBytes || got <= 0 {
			t.Fatalf("%d bytes after %s", got, sk)
		}
	}
	for i := range 200 {
		read("a") // used all the time
		read(fmt.Sprint(i))
	}
	read("large") // does not fit at all, and drives nothing out
	s.reads = nil
	for _, sk := range []string{"a", "199", "198", "190", "large", "0"} {
		read(sk)
	}
	if diff := cmp.Diff([]string{"large", "0"}, s.reads); diff != "" {
		t.Errorf("reads (-want +got):\n%s", diff)
	}
}

// The bound is of the heap, so the estimate must be near the truth.
func TestTheEstimateOfMemoryIsNearTheTruth(t *testing.T) {
	record := func(i int) store.Item {
		s := func(s string, n int) types.AttributeValue {
			return &types.AttributeValueMemberS{Value: strings.Clone(fmt.Sprintf("%s%0*d", s, n, i))}
		}
		team := store.Item{"i": s("", 24), "n": s("Team number", 5), "s": s("T", 2)}
		return store.Item{
			"pk": s("P#", 24), "sk": s("-", 0), "i": s("", 24), "n": s("Name of player", 4), "st": s("active", 0),
			"nr": &types.AttributeValueMemberN{Value: strings.Clone("17")}, "t": &types.AttributeValueMemberM{Value: team},
			"ow": &types.AttributeValueMemberL{Value: []types.AttributeValue{s("", 24), s("", 24)}},
			"re": &types.AttributeValueMemberL{Value: []types.AttributeValue{s("", 24), s("", 24), s("", 24), s("", 24)}},
		}
	}
	chunk := func(i int) store.Item {
		return store.Item{
			"pk": &types.AttributeValueMemberS{Value: fmt.Sprintf("L#list%024d", i)},
			"sk": &types.AttributeValueMemberS{Value: fmt.Sprintf("C#%08d", i)},
			"l":  &types.AttributeValueMemberN{Value: fmt.Sprint(i + 1_000_000_000)},
			"e":  &types.AttributeValueMemberB{Value: make([]byte, 3300)},
		}
	}
	for name, item := range map[string]func(int) store.Item{"records": record, "chunks": chunk, "absent": func(int) store.Item { return nil }} {
		t.Run(name, func(t *testing.T) {
			const n = 5000
			c := &store.Cached{Source: maker(item), Now: time.Now, MaxBytes: 1 << 30}
			before := heap()
			for i := range n {
				key := store.Key{PK: fmt.Sprintf("p%030d", i), SK: "s"}
				if _, err := c.Get(t.Context(), []store.Key{key}, func(store.Key, store.Item) time.Duration { return time.Hour }); err != nil {
					t.Fatal(err)
				}
			}
			took := float64(heap()-before) / n
			estimate := float64(c.Bytes()) / n
			t.Logf("%.0f bytes an item, estimated %.0f", took, estimate)
			if estimate < took*2/3 || estimate > took*3/2 {
				t.Errorf("%.0f bytes an item, estimated %.0f", took, estimate)
			}
		})
	}
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc) //nolint:gosec // less than the machine has
}

// maker makes items as they are asked for.
type maker func(int) store.Item

func (m maker) BatchGet(_ context.Context, keys []store.Key, _ bool) (map[store.Key]store.Item, error) {
	items := map[store.Key]store.Item{}
	for _, k := range keys {
		if item := m(len(k.PK)); item != nil {
			items[k] = item
		}
	}
	return items, nil
}

// thaw is a moment that is so much later by the wall clock and none by the
// monotonic one. The layout is that of time.Time: seconds of the wall clock from
// bit 30 on.
func thaw(t time.Time, frozen time.Duration) time.Time {
	wall := (*uint64)(unsafe.Pointer(&t))
	*wall += uint64(frozen/time.Second) << 30 //nolint:gosec // not negative
	return t
}

// A clock that was set back says nothing about the age of an item.
func TestAnItemOfTheFutureIsReadAgain(t *testing.T) {
	c, s, clock := newCached()
	get(t, c, "a")
	clock.now = clock.now.Add(-time.Minute)
	if _, held := c.Peek(at("a")); held {
		t.Error("it is held")
	}
	if get(t, c, "a"); len(s.reads) != 2 {
		t.Errorf("reads %v", s.reads)
	}
}

func TestAPeekReadsNothing(t *testing.T) {
	c, s, clock := newCached()
	peek := func(sk, want string, is bool) {
		t.Helper()
		if item, held := c.Peek(at(sk)); held != is || textOf(item) != want {
			t.Errorf("%s: %q, held %v", sk, textOf(item), held)
		}
	}
	peek("a", "", false)
	get(t, c, "az")
	peek("a", "1", true)
	peek("z", "", true) // known to be missing
	clock.now = clock.now.Add(time.Second)
	peek("z", "", false)
	if len(s.reads) != 1 {
		t.Errorf("reads %v", s.reads)
	}
}
