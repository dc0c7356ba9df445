package health

import (
	"sync"
	"time"

	"touchline/shared/accesslog"
	"touchline/shared/meter"
)

// counts are what was counted since the start. The zero value is ready; it is safe
// for concurrent use.
type counts struct {
	mu       sync.Mutex
	answered map[answer]int
	took     map[string]*histogram // by route
	refused  map[accesslog.Word]int
	stores   meter.Uses
	failed   map[string]int // 5xx by the store that failed
	restarts int
	last     time.Time // of restarts
}

// answer is what requests are counted by.
type answer struct {
	method, route string // route is empty for one that is unknown
	status        int
}

// bounds are the upper bounds of a histogram's buckets, in seconds.
var bounds = [...]float64{0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10}

type histogram struct {
	buckets [len(bounds)]int // up to the bound, not those of smaller ones
	count   int
	seconds float64
}

// Request counts a request, by its line of the log.
func (b *Box) Request(e *accesslog.Entry) {
	c := &b.counts
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.answered == nil {
		c.answered, c.took = map[answer]int{}, map[string]*histogram{}
		c.refused, c.failed = map[accesslog.Word]int{}, map[string]int{}
	}
	c.answered[answer{accesslog.MethodOf(e.Method), e.Route, e.Status}]++
	h := c.took[e.Route]
	if h == nil {
		h = &histogram{}
		c.took[e.Route] = h
	}
	h.add(e.Took.Seconds())
	if e.Why.Word != "" {
		c.refused[e.Why.Word]++
	}
	if e.Status >= 500 && e.Why.Store != "" {
		c.failed[e.Why.Store]++
	}
	if e.Spent != nil {
		for i, use := range e.Spent.Uses() {
			c.stores[i].Trips += use.Trips
			c.stores[i].Hits += use.Hits
			c.stores[i].Took += use.Took
		}
	}
}

func (h *histogram) add(seconds float64) {
	h.count++
	h.seconds += seconds
	for i, bound := range bounds {
		if seconds <= bound {
			h.buckets[i]++
			return
		}
	}
}

// Restarted counts an engine that had to be started again.
func (b *Box) Restarted() {
	b.counts.mu.Lock()
	defer b.counts.mu.Unlock()
	b.counts.restarts++
	b.counts.last = b.Now()
}

func (c *counts) restarted() (times int, last time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.restarts, c.last
}
