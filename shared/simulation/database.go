// Package simulation keeps all that the service keeps in memory, for tests. Its own tests
// play schedules of faults over that: a seed decides in which order the database calls of
// several processes are made, and what becomes of each call. The processes are the real
// ones, wired as when deployed. What must hold is in invariants_test.go. Loads are killed in
// the tests of package loader.
//
// The file backend (store/file) is not in its place: a lease there never runs out, so no
// process can be killed and another go on; a call waits for more than the other calls of
// its bubble (testing/synctest); a page, a unit and a bulk write are not DynamoDB's. Where
// a test needs none of that, the file would do and takes too long: the tests of package
// pipeline take 1.2 s with a database in memory for each, 13.8 s with a file for each.
//
// `make simulate N=1000000` plays that many schedules of requests; a seed that fails is
// printed with the smallest plan found that still fails.
package simulation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"touchline/shared/keys"
	"touchline/shared/limits"
	"touchline/shared/meter"
	"touchline/shared/store"
)

// Database is all that the service keeps, in memory: the store.DB, the store.Leases,
// the limits.NonceStore, the limits.QuotaStore and, by Keys, the keys.Store. Its
// bounds, its pages and its units are DynamoDB's. Tables need not be created. Each call
// is atomic.
type Database struct {
	mu     sync.Mutex
	tables map[string]*table
	leases map[string]lease // by table and key
	nonces map[string]limits.Nonce
	used   map[string]int // by organization and month
	keys   map[string]store.Item
}

// table is items by partition key, and then by sort key.
type table struct {
	items  map[string]map[string]store.Item
	sorted []store.Key // of all items; nil: not known
}

type lease struct {
	holder store.Holder
	until  time.Time
}

// NewDatabase makes a database without items.
func NewDatabase() *Database {
	return &Database{
		tables: map[string]*table{}, leases: map[string]lease{},
		nonces: map[string]limits.Nonce{}, used: map[string]int{}, keys: map[string]store.Item{},
	}
}

// maxPage is the size of a page of a Query or a Scan, in bytes.
const maxPage = 1 << 20

// maxItem is the size of an item, in bytes.
const maxItem = 400 << 10

// errTooLarge is the error of an item of more than maxItem.
var errTooLarge = errors.New("item size has exceeded the maximum allowed size")

// unitsOf are the units of size bytes, of which one has each.
func unitsOf(size, each int) float64 { return float64(max(1, (size+each-1)/each)) }

func readUnits(size int, consistent bool) float64 {
	units := unitsOf(size, 4096)
	if !consistent {
		units /= 2
	}
	return units
}

// Bounds implements store.DB.
func (d *Database) Bounds() store.Bounds { return store.Bounds{Get: 100, Write: 25, Calls: 8} }

// Get implements store.DB.
func (d *Database) Get(ctx context.Context, table string, of []store.Key, consistent bool) (out store.Reply, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, k := range of {
		item := d.at(table, k)
		if item != nil {
			out.Items = append(out.Items, maps.Clone(item))
		}
		out.Units += readUnits(store.Size(item), consistent)
	}
	return out, ctx.Err()
}

// Query implements store.DB.
func (d *Database) Query(ctx context.Context, table string, q store.Query, after store.Key) (store.Reply, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var keys []store.Key
	for sk := range d.table(table).items[q.PK] {
		comes := after == store.Key{} || sk > after.SK
		if comes && sk >= q.From && (q.To == "" || sk <= q.To) {
			keys = append(keys, store.Key{PK: q.PK, SK: sk})
		}
	}
	slices.SortFunc(keys, store.Key.Compare)
	return d.page(table, keys, q.Consistent), ctx.Err()
}

// Scan implements store.DB.
func (d *Database) Scan(ctx context.Context, table string, after store.Key) (store.Reply, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	keys := d.sorted(table)
	next, _ := slices.BinarySearchFunc(keys, after, func(k, after store.Key) int {
		if k == after {
			return -1 // go on behind it
		}
		return k.Compare(after)
	})
	return d.page(table, keys[next:], true), ctx.Err()
}

func (d *Database) sorted(name string) []store.Key {
	t := d.table(name)
	if t.sorted == nil {
		for pk, partition := range t.items {
			for sk := range partition {
				t.sorted = append(t.sorted, store.Key{PK: pk, SK: sk})
			}
		}
		slices.SortFunc(t.sorted, store.Key.Compare)
	}
	return t.sorted
}

// page is the first page of the items at keys.
func (d *Database) page(table string, keys []store.Key, consistent bool) (out store.Reply) {
	size := 0
	for _, k := range keys {
		item := d.at(table, k)
		out.Items, size = append(out.Items, maps.Clone(item)), size+store.Size(item)
		if size >= maxPage {
			out.Next = k
			break
		}
	}
	out.Units = readUnits(size, consistent)
	return out
}

// Write implements store.DB.
func (d *Database) Write(ctx context.Context, table string, writes []store.Write) (store.Reply, error) {
	if err := ctx.Err(); err != nil {
		return store.Reply{}, err
	}
	var out store.Reply
	for _, w := range writes {
		if size := store.Size(w.Item); size > maxItem {
			return out, fmt.Errorf("%s %s has %d bytes: %w", w.Key.PK, w.Key.SK, size, errTooLarge)
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, w := range writes {
		out.Units += unitsOf(max(store.Size(w.Item), store.Size(d.at(table, w.Key))), 1024)
		d.set(table, w.Key, w.Item)
	}
	return out, nil
}

func (d *Database) table(name string) *table {
	if d.tables[name] == nil {
		d.tables[name] = &table{items: map[string]map[string]store.Item{}}
	}
	return d.tables[name]
}

// at is the item at a key, or nil.
func (d *Database) at(table string, k store.Key) store.Item { return d.table(table).items[k.PK][k.SK] }

// set puts an item, or deletes the one that is there where item is nil.
func (d *Database) set(name string, k store.Key, item store.Item) {
	t := d.table(name)
	if (t.items[k.PK][k.SK] == nil) != (item == nil) {
		t.sorted = nil
	}
	if item == nil {
		delete(t.items[k.PK], k.SK)
		return
	}
	if t.items[k.PK] == nil {
		t.items[k.PK] = map[string]store.Item{}
	}
	item = maps.Clone(item)
	maps.Copy(item, k.Item())
	t.items[k.PK][k.SK] = item
}

// Set puts an item into a table.
func (d *Database) Set(table string, k store.Key, item store.Item) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.set(table, k, item)
}

// Items returns the items of a table, in the order of their keys.
func (d *Database) Items(table string) (all []store.Item) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, k := range d.sorted(table) {
		all = append(all, maps.Clone(d.at(table, k)))
	}
	return all
}

// TakeLease implements store.Leases.
func (d *Database) TakeLease(ctx context.Context, table string, key store.Key, by store.Holder, now time.Time) (store.Held, error) {
	if err := ctx.Err(); err != nil {
		return store.Held{}, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	name := table + "#" + key.PK + "#" + key.SK
	if held, ok := d.leases[name]; ok && held.holder.ID != by.ID && !held.until.Before(now.Truncate(time.Millisecond)) {
		return store.Held{}, &store.HeldError{Label: held.holder.Label, Until: held.until}
	}
	d.leases[name] = lease{by, now.Add(store.LeaseTerm).Truncate(time.Millisecond)}
	return d.held(table, key, name), nil
}

// held is the lease as its holder sees it.
func (d *Database) held(table string, key store.Key, name string) store.Held {
	item := d.at(table, key)
	held := store.HeldIn(item)
	held.Until, held.Units = d.leases[name].until, unitsOf(store.Size(item), 1024)
	return held
}

// ChangeLease implements store.Leases.
func (d *Database) ChangeLease(ctx context.Context, table string, key store.Key, holder string, c store.LeaseChange) (store.Held, error) {
	if err := ctx.Err(); err != nil {
		return store.Held{}, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	name := table + "#" + key.PK + "#" + key.SK
	held, ok := d.leases[name]
	switch {
	case !ok:
		return store.Held{}, store.ErrLeaseLost
	case held.holder.ID != holder:
		return store.Held{}, &store.HeldError{Label: held.holder.Label, Until: held.until}
	case !c.Renew.IsZero():
		held.until = c.Renew.Truncate(time.Millisecond)
		d.leases[name] = held
	}
	d.set(table, key, c.Of(d.at(table, key)))
	if c.Release {
		delete(d.leases, name)
	}
	return d.held(table, key, name), nil
}

// Consume implements limits.NonceStore.
func (d *Database) Consume(ctx context.Context, n limits.Nonce) error {
	defer meter.Begin(ctx, meter.Nonces).End(1)
	if err := ctx.Err(); err != nil {
		return err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	name := n.KeyID + "#" + n.Value
	before, used := d.nonces[name]
	if used && (n.RequestID == "" || before.RequestID != n.RequestID) {
		return &limits.ReplayedError{RequestID: before.RequestID}
	}
	d.nonces[name] = n
	return nil
}

// Expire deletes the nonces that had expired by now, as DynamoDB may.
func (d *Database) Expire(now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	maps.DeleteFunc(d.nonces, func(_ string, n limits.Nonce) bool { return n.ExpiresAt() < now.Unix() })
}

// Take implements limits.QuotaStore.
func (d *Database) Take(ctx context.Context, q limits.Quota) (limits.Decision, error) {
	defer meter.Begin(ctx, meter.Quotas).End(1)
	if err := ctx.Err(); err != nil {
		return limits.Decision{}, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	month := string(q.Organization) + "#" + q.Month()
	if d.used[month] >= q.Limit {
		return q.Refuse(), nil
	}
	d.used[month]++
	return q.Allow(d.used[month]), nil
}

// Used is how many requests were counted, by organization and month.
func (d *Database) Used() map[string]int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return maps.Clone(d.used)
}

// Keys are the records of keys.
func (d *Database) Keys() keys.Store { return records{d} }

type records struct{ *Database }

// Get implements keys.Store.
func (r records) Get(ctx context.Context, id string) (keys.Key, error) {
	defer meter.Begin(ctx, meter.Keys).End(1)
	r.mu.Lock()
	defer r.mu.Unlock()
	if item := r.keys[id]; item != nil && ctx.Err() == nil {
		return keys.Decode(item)
	}
	return keys.Key{}, cmp.Or(ctx.Err(), keys.ErrUnknown)
}

// List implements keys.Store.
func (r records) List(context.Context) ([]keys.Key, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return keys.DecodeList(slices.Collect(maps.Values(r.keys))), nil
}

// Put implements keys.Store.
func (r records) Put(_ context.Context, k keys.Key) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	version := 0
	if k.Version == keys.Unread {
		k.Version = 0
	} else if item := r.keys[k.ID]; item != nil {
		stored, err := keys.Decode(item)
		if err != nil {
			return err
		}
		version = stored.Version
	}
	if version != k.Version {
		return keys.ErrConflict
	}
	k.Version++
	item, err := keys.Encode(k)
	r.keys[k.ID] = item
	return err
}
