package store

import (
	"context"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/hashicorp/golang-lru/v2/simplelru"

	"touchline/shared/meter"
)

// TTL says how long an item may be served from the cache; nil is a key without
// an item. Zero or less: not at all.
type TTL func(Key, Item) time.Duration

// Source is what a Cached reads from: a Table.
type Source interface {
	BatchGet(ctx context.Context, keys []Key, consistent bool) (map[Key]Item, error)
}

// Cached is a worker's cache of items, safe for concurrent use. The age of an item
// counts from the moment its read began, by the wall clock, since the monotonic
// clock stops while a worker is frozen. Memory is bounded by an estimate of the
// heap that the items take; the least recently used are evicted first.
//
// Two callers who want an item at once read it twice. A function serves one request at a
// time, and the file answers in less than it would take to wait for each other.
type Cached struct {
	Source Source
	Now    func() time.Time
	// MaxBytes bounds the memory of the items; 0 is 32 MB, a quarter of what a
	// function may take.
	MaxBytes int

	mu      sync.Mutex
	entries *simplelru.LRU[Key, cacheEntry]
	bytes   int
	clock   uint64 // counts reads, so that an older one does not replace a newer
	floor   uint64 // reads up to this one began before Forget, and are not kept
}

type cacheEntry struct {
	item   Item // nil: there isn't one
	readAt time.Time
	life   time.Duration
	read   uint64
	bytes  int
}

// fresh reports whether the entry may be used. An age below zero means that the
// clock was set back, and proves nothing.
func (e cacheEntry) fresh(now time.Time) bool {
	age := now.Sub(e.readAt)
	return age >= 0 && age < e.life
}

const (
	defaultCacheBytes = 32 << 20
	readTimeout       = 10 * time.Second
)

// Get returns the items at keys, from the cache or with one BatchGet,
// eventually consistent. Keys without an item are not in the result.
func (c *Cached) Get(ctx context.Context, keys []Key, ttl TTL) (map[Key]Item, error) {
	items := make(map[Key]Item, len(keys))
	var missing []Key
	hits := 0
	c.mu.Lock()
	c.init()
	now := c.wallClock()
	for _, k := range keys {
		if e, ok := c.entries.Get(k); !ok || !e.fresh(now) {
			if !slices.Contains(missing, k) {
				missing = append(missing, k)
			}
			continue
		} else if e.item != nil {
			items[k] = e.item
		}
		hits++
	}
	c.mu.Unlock()
	meter.Hit(ctx, meter.Sports, hits)
	if len(missing) == 0 {
		return items, nil
	}
	read, err := c.read(ctx, missing, false, ttl)
	maps.Copy(items, read)
	return items, err
}

// Peek is what Get would take from the cache, and whether it has it; nil: there is no
// item at the key.
func (c *Cached) Peek(key Key) (item Item, cached bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.init()
	e, ok := c.entries.Peek(key)
	if !ok || !e.fresh(c.wallClock()) {
		return nil, false
	}
	return e.item, true
}

// Refresh reads the items at keys from the table, with consistent reads, and
// caches them.
func (c *Cached) Refresh(ctx context.Context, keys []Key, ttl TTL) (map[Key]Item, error) {
	return c.read(ctx, keys, true, ttl)
}

// Forget drops what is cached, so that whatever is asked for from now on is read after
// this moment.
func (c *Cached) Forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.init()
	c.entries.Purge()
	c.floor = c.clock
}

func (c *Cached) wallClock() time.Time { return c.Now().Round(0) }

func (c *Cached) init() {
	if c.entries != nil {
		return
	}
	entries, err := simplelru.NewLRU(math.MaxInt, func(_ Key, e cacheEntry) { c.bytes -= e.bytes })
	if err != nil {
		panic(err) // of a size below one only
	}
	c.entries = entries
}

// read reads items from the table and keeps them.
func (c *Cached) read(ctx context.Context, keys []Key, consistent bool, ttl TTL) (map[Key]Item, error) {
	c.mu.Lock()
	c.init()
	c.clock++
	number, now := c.clock, c.wallClock()
	c.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	items, err := c.Source.BatchGet(ctx, keys, consistent)
	if err != nil {
		return nil, err
	}
	for _, k := range keys {
		c.keep(k, items[k], number, now, ttl)
	}
	return items, nil
}

func (c *Cached) keep(k Key, item Item, number uint64, now time.Time, ttl TTL) {
	life := ttl(k, item)
	bytes := entryOverhead + len(k.PK) + len(k.SK)
	if item != nil {
		bytes += heapOf(&types.AttributeValueMemberM{Value: item})
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if number <= c.floor {
		return
	}
	if old, ok := c.entries.Peek(k); ok {
		if old.read > number {
			return
		}
		c.entries.Remove(k)
	}
	limit := c.MaxBytes
	if limit <= 0 {
		limit = defaultCacheBytes
	}
	if life <= 0 || bytes > limit {
		return
	}
	c.bytes += bytes
	c.entries.Add(k, cacheEntry{item: item, readAt: now, life: life, read: number, bytes: bytes})
	for c.bytes > limit {
		c.entries.RemoveOldest()
	}
}

// Bytes is the estimate of the memory that the items take now.
func (c *Cached) Bytes() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.bytes
}

// What values take on the heap in addition to their bytes, measured: an entry
// of the cache; a map of up to eight attributes, and eight more; an attribute
// value; an element of a list.
const (
	entryOverhead   = 320
	mapOverhead     = 48
	groupOverhead   = 8*32 + 16
	valueOverhead   = 24
	elementOverhead = 16
)

// heapOf estimates the memory of a value, within a third of the truth.
func heapOf(v types.AttributeValue) int {
	n := valueOverhead
	switch v := v.(type) {
	case *types.AttributeValueMemberM:
		groups := 1
		for len(v.Value) > 8 && len(v.Value) > groups*7 { // it grows when seven eighths are taken
			groups *= 2
		}
		n += mapOverhead + groups*groupOverhead
		for name, e := range v.Value {
			n += len(name) + heapOf(e)
		}
	case *types.AttributeValueMemberL:
		for _, e := range v.Value {
			n += elementOverhead + heapOf(e)
		}
	default:
		n += valueSize(v)
	}
	return n
}
