package simulation_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"touchline/shared/store"
)

// ErrKilled is what the calls of a process return after it was killed. Nobody
// sees how the process reacts.
var ErrKilled = errors.New("the process was killed")

// outcome is what becomes of an attempt of a call.
type outcome int

const (
	done outcome = iota
	lost
	appliedLost
	throttled
	late
	killed
	appliedKilled
	outcomes
)

// longest is the longest delay of a call: longer than a request may last.
const longest = 30 * time.Second

// Schedule decides the outcome of the calls of its processes, the same of the same seed,
// as far as the processes draw no random numbers of their own. It runs in a bubble of
// testing/synctest, where the clock is virtual. Whenever all goroutines of the bubble are
// waiting, the test lets Step draw one of the pending calls and decide its outcome:
//
//	done           made at once
//	lost           not made; the connection breaks
//	applied, lost  made; the connection breaks before the response
//	throttled      refused for its rate
//	late           made up to 30 seconds later, while other calls go on
//	killed         the process ends, with the call made or not made
//
// Whoever repeats calls does so as when deployed (store.Table); nonces and keys are
// asked for three times, as by the SDK. Its methods are for the goroutine that plays it.
type Schedule struct {
	Random *rand.Rand
	// Faults is how many more calls may fail or be late.
	Faults int

	mu      sync.Mutex
	pending []*attempt
	late    []*attempt
}

// New returns the schedule for a seed.
func New(seed uint64, faults int) *Schedule {
	return &Schedule{Random: rand.New(rand.NewPCG(seed, 0)), Faults: faults}
}

// Process is a program whose calls the schedule makes.
type Process struct {
	schedule *Schedule
	number   int
	killed   func()
	dead     atomic.Bool
}

// Start starts a process. If the schedule kills it, it calls killed, and the
// calls of the process return ErrKilled from then on.
func (s *Schedule) Start(number int, killed func()) *Process {
	return &Process{schedule: s, number: number, killed: killed}
}

// Dead reports whether the process was killed.
func (p *Process) Dead() bool { return p.dead.Load() }

// attempt is a call that waits to be made.
type attempt struct {
	process *Process
	caller  int
	what    string
	apply   operation
	answer  chan result // buffered: there may be no receiver any more
	due     time.Time   // if late
}

type result struct {
	out any
	err error
}

// compare orders pending calls independently of the order in which goroutines
// made them.
func (a *attempt) compare(b *attempt) int {
	return cmp.Or(cmp.Compare(a.process.number, b.process.number), cmp.Compare(a.caller, b.caller), cmp.Compare(a.what, b.what))
}

// call is a call that a process makes.
type call struct {
	what  string // its name and what it concerns
	apply operation
}

// operation makes a call.
type operation func() (any, error)

// attempt waits until the schedule has made a call. Without a process, for the test
// itself, calls are made at once and never fail.
func (p *Process) attempt(ctx context.Context, c call) result {
	if err := ctx.Err(); err != nil {
		return result{nil, err}
	}
	if p == nil {
		out, err := c.apply()
		return result{out, err}
	}
	a := &attempt{
		process: p, caller: callerOf(ctx), what: c.what,
		apply: c.apply, answer: make(chan result, 1),
	}
	p.schedule.mu.Lock()
	p.schedule.pending = append(p.schedule.pending, a)
	p.schedule.mu.Unlock()
	select {
	case r := <-a.answer:
		return r
	case <-ctx.Done():
		return result{nil, ctx.Err()}
	}
}

// Pending is how many calls can be made now. Late calls have to wait: if there
// are no others, the test lets time pass.
func (s *Schedule) Pending() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	s.late = slices.DeleteFunc(s.late, func(a *attempt) bool {
		if now.Before(a.due) {
			return false
		}
		s.pending = append(s.pending, a)
		return true
	})
	return len(s.pending)
}

// Late reports whether there are late calls that cannot be made yet.
func (s *Schedule) Late() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.late) > 0
}

// postpone makes a call late.
func (s *Schedule) postpone(a *attempt) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a.due = time.Now().Add(time.Duration(s.Random.Int64N(int64(longest))))
	s.late = append(s.late, a)
}

// Step makes one of the pending calls. There must be one.
func (s *Schedule) Step() {
	a := s.take()
	switch {
	case a.process.dead.Load():
		a.answer <- result{nil, ErrKilled}
		return
	case !a.due.IsZero():
		a.made(a.apply())
		return
	}
	switch o := s.draw(); o {
	case lost:
		a.answer <- result{nil, broken()}
	case appliedLost:
		_, _ = a.apply() // what it returned is lost
		a.answer <- result{nil, broken()}
	case throttled:
		a.answer <- result{nil, store.ErrThrottled}
	case killed, appliedKilled:
		if o == appliedKilled {
			_, _ = a.apply() // nobody is waiting for the result
		}
		a.process.dead.Store(true)
		a.answer <- result{nil, ErrKilled}
		a.process.killed()
	case late:
		s.postpone(a)
	case done:
		a.made(a.apply())
	default:
		panic(fmt.Sprint("no outcome ", o))
	}
}

func (a *attempt) made(out any, err error) { a.answer <- result{out, err} }

// take draws a pending call.
func (s *Schedule) take() *attempt {
	s.mu.Lock()
	defer s.mu.Unlock()
	slices.SortStableFunc(s.pending, (*attempt).compare)
	i := s.Random.IntN(len(s.pending))
	a := s.pending[i]
	s.pending = slices.Delete(s.pending, i, i+1)
	return a
}

// draw decides the outcome of a call. With a probability of a quarter it is a
// fault, as long as there are any left.
func (s *Schedule) draw() outcome {
	if s.Faults == 0 || s.Random.IntN(4) > 0 {
		return done
	}
	s.Faults--
	return outcome(s.Random.IntN(int(outcomes)))
}

// Delay lets up to d pass. If calls are pending this makes them late, which uses
// up a fault; if there is no fault left, nothing happens.
func (s *Schedule) Delay(d time.Duration) {
	if s.Pending() > 0 {
		if s.Faults == 0 {
			return
		}
		s.Faults--
	}
	time.Sleep(time.Duration(s.Random.Int64N(int64(d))))
}

// broken is a connection that broke once the request was sent.
func broken() error { return &store.TransientError{Err: syscall.ECONNRESET} }

type callerKey struct{}

// WithCaller numbers the callers, such as requests, so that the order of calls
// is the same in every run.
func WithCaller(ctx context.Context, number int) context.Context {
	return context.WithValue(ctx, callerKey{}, number)
}

func callerOf(ctx context.Context) int {
	number, _ := ctx.Value(callerKey{}).(int) // 0: no caller
	return number
}
