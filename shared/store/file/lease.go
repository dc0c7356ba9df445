package file

import (
	"context"
	"maps"
	"time"

	"touchline/shared/store"
)

// leaseKey names a lease.
type leaseKey struct {
	table string
	key   store.Key
}

// holder is who has a lease. It is kept in memory alone: a process that ends, or its
// connection, holds nothing.
type holder struct {
	store.Holder
	owner any // the File, or the session of a connection
}

// leaseCall is what a call does about a lease.
type leaseCall struct {
	By            store.Holder
	Take, Release bool
}

// TakeLease implements store.Leases. The lease does not run out: it is the holder's
// until it is given back, or this end is closed.
func (d *Database) TakeLease(ctx context.Context, table string, key store.Key, by store.Holder, _ time.Time) (store.Held, error) {
	if _, err := d.do(ctx, &Call{Op: opLease, Table: table, Keys: []store.Key{key}, Lease: leaseCall{By: by, Take: true}}); err != nil {
		return store.Held{}, err
	}
	item, err := d.leased(ctx, table, key)
	return store.HeldIn(item), err
}

// ChangeLease implements store.Leases; there is nothing to renew.
func (d *Database) ChangeLease(ctx context.Context, table string, key store.Key, holder string, c store.LeaseChange) (store.Held, error) {
	asked := &Call{Op: opLease, Table: table, Keys: []store.Key{key}, Lease: leaseCall{By: store.Holder{ID: holder}, Release: c.Release}}
	if c.Payload != nil || c.Mark != nil {
		item, err := d.leased(ctx, table, key) // nobody but the holder changes it
		if err != nil {
			return store.Held{}, err
		}
		changed, err := changeOf(table, store.Write{Key: key, Item: c.Of(item)})
		if err != nil {
			return store.Held{}, err
		}
		asked.Changes = []change{changed}
	}
	_, err := d.do(ctx, asked)
	return store.Held{}, err
}

// leased is the item of a lease.
func (d *Database) leased(ctx context.Context, table string, key store.Key) (store.Item, error) {
	found, err := d.Get(ctx, table, []store.Key{key}, true)
	if err != nil || len(found.Items) == 0 {
		return nil, err
	}
	return found.Items[0], nil
}

// lease takes a lease, or makes changes by its holder.
func (f *File) lease(ctx context.Context, at leaseKey, l leaseCall, changes []change, owner any) error {
	return f.alone(ctx, func() error {
		h := f.leases[at]
		switch {
		case h == nil && !l.Take:
			return store.ErrLeaseLost
		case h != nil && (h.ID != l.By.ID || h.owner != owner):
			return &store.HeldError{Label: h.Label}
		}
		if len(changes) > 0 {
			if err := f.put(changes); err != nil {
				return err
			}
		}
		if l.Release {
			delete(f.leases, at)
		} else if l.Take {
			f.leases[at] = &holder{l.By, owner}
		}
		return nil
	})
}

// free gives back all leases of an owner.
func (f *File) free(owner any) {
	_ = f.alone(context.Background(), func() error { // fails where nothing can be written any more
		maps.DeleteFunc(f.leases, func(_ leaseKey, h *holder) bool { return h.owner == owner })
		return nil
	})
}
