package file

import (
	"context"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	bolt "go.etcd.io/bbolt"

	"touchline/shared/store"
)

// leaseKey names a lease.
type leaseKey struct{ table, row string }

// holder is who has a lease. It is kept in memory alone: a process that ends, or its
// connection, holds nothing.
type holder struct {
	store.Holder
	owner any // the File, or the session of a connection
}

// leaseCall is what a call does about a lease.
type leaseCall struct {
	Holder        store.Holder
	Take, Release bool
	Replace       bool // the payload
	Payload, Mark []byte
}

// TakeLease implements store.Leases. The lease does not run out: it is the holder's
// until it is given back, or this end is closed.
func (d *Database) TakeLease(ctx context.Context, table string, key store.Key, by store.Holder, _ time.Time) (store.Held, error) {
	reply, err := d.read(ctx, &call{Op: opLease, Table: table, Keys: []store.Key{key}, Lease: leaseCall{Holder: by, Take: true}})
	if err != nil || len(reply.Items) == 0 {
		return store.Held{}, err
	}
	return store.Held{Payload: mapIn(reply.Items[0], store.LeasePayload), Mark: mapIn(reply.Items[0], store.LeaseMark)}, nil
}

// ChangeLease implements store.Leases; there is nothing to renew.
func (d *Database) ChangeLease(ctx context.Context, table string, key store.Key, holder string, c store.LeaseChange) (_ store.Held, err error) {
	l := leaseCall{Holder: store.Holder{ID: holder}, Release: c.Release, Replace: c.Payload != nil}
	if c.Payload != nil && *c.Payload != nil {
		if l.Payload, err = encodeItem(*c.Payload); err != nil {
			return store.Held{}, err
		}
	}
	if c.Mark != nil {
		if l.Mark, err = encodeItem(c.Mark); err != nil {
			return store.Held{}, err
		}
	}
	_, err = d.do(ctx, &call{Op: opLease, Table: table, Keys: []store.Key{key}, Lease: l})
	return store.Held{}, err
}

// lease takes or changes the lease at key, and gives its record as it was.
func (f *File) lease(ctx context.Context, table string, key store.Key, l leaseCall, owner any) ([]record, error) {
	at := leaseKey{table, string(rowOf(key))}
	var found []record
	err := f.submit(ctx, f.alone, &job{
		name: "lock",
		do: func(tx *bolt.Tx) ([]change, error) {
			h := f.leases[at]
			switch {
			case h == nil && !l.Take:
				return nil, store.ErrLeaseLost
			case h != nil && (h.ID != l.Holder.ID || h.owner != owner):
				return nil, &store.HeldError{Label: h.Label}
			}
			if value := valueIn(tx, table, []byte(at.row)); value != nil {
				found = append(found, copied([]byte(at.row), value))
			}
			if !l.Replace && l.Mark == nil {
				return nil, nil
			}
			return l.changes(tx, table, key)
		},
		after: func() {
			if l.Release {
				delete(f.leases, at)
			} else if l.Take {
				f.leases[at] = &holder{l.Holder, owner}
			}
		},
	})
	if err != nil {
		return nil, err // found may still be written to
	}
	return found, nil
}

// changes are those of the lease's item.
func (l leaseCall) changes(tx *bolt.Tx, table string, key store.Key) ([]change, error) {
	item, err := itemIn(tx, table, rowOf(key))
	if err != nil {
		return nil, err
	}
	if item == nil {
		item = store.Item{}
	}
	if l.Replace {
		delete(item, store.LeasePayload)
	}
	for name, encoded := range map[string][]byte{store.LeasePayload: l.Payload, store.LeaseMark: l.Mark} {
		if encoded == nil {
			continue
		}
		value, err := decodeItem(encoded)
		if err != nil {
			return nil, err
		}
		item[name] = &types.AttributeValueMemberM{Value: value}
	}
	c, err := changeOf(table, store.Write{Key: key, Item: item})
	return []change{c}, err
}

// free gives back all leases of an owner.
func (f *File) free(owner any) {
	_ = f.submit(context.Background(), f.alone, &job{name: "unlock", run: func() error { // fails once closed
		for at, h := range f.leases {
			if h.owner == owner {
				delete(f.leases, at)
			}
		}
		return nil
	}})
}

// mapIn is an attribute that is a map, nil if there isn't one.
func mapIn(item store.Item, name string) store.Item {
	if found, ok := item[name].(*types.AttributeValueMemberM); ok {
		return found.Value
	}
	return nil
}
