package file

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/keys"
	"touchline/shared/limits"
	"touchline/shared/meter"
	"touchline/shared/sport"
	"touchline/shared/store"
)

// The tables beside those that callers name, and their attributes, which are those
// that they have on DynamoDB.
const (
	NoncesTable = "nonces" // <key id>#<nonce>
	QuotasTable = "quotas" // <organization id>#<YYYY-MM>
	KeysTable   = "keys"   // <key id>

	attributeExpiry  = "expiresAt" // Unix seconds
	attributeRequest = "requestId"
	attributeUsed    = "used"
	keyVersion       = "version"
)

// Nonces are the nonces of all workers, which are one process here.
func (d *Database) Nonces() limits.NonceStore { return nonces{d} }

// Quotas count the requests of organizations.
func (d *Database) Quotas() limits.QuotaStore { return quotas{d} }

// Keys are the records of keys.
func (d *Database) Keys() keys.Store { return keyRecords{d} }

type nonces struct{ *Database }

// Consume implements limits.NonceStore.
func (s nonces) Consume(ctx context.Context, n limits.Nonce) error {
	defer meter.Begin(ctx, meter.Nonces).End(1)
	c, err := changeOf(NoncesTable, store.Write{
		Key: store.Key{PK: n.KeyID + "#" + n.Value}, // a key id holds no "#"
		Item: store.Item{
			attributeRequest: &types.AttributeValueMemberS{Value: n.RequestID},
			attributeExpiry:  number(n.ExpiresAt()),
		},
	})
	if err != nil {
		return err
	}
	a, err := s.do(ctx, &Call{Op: opSwap, Changes: []change{c}})
	if err != nil || a.Swapped {
		return err
	}
	recorded, err := unseal(NoncesTable, c.Row, a.Records[0].Value)
	if err != nil {
		return err
	}
	if by := textIn(recorded, attributeRequest); n.RequestID == "" || by != n.RequestID {
		return &limits.ReplayedError{RequestID: by}
	}
	return nil // its own record: the answer was lost
}

// swap makes a change where the item at its row has a version, or is not there for 0.
// Else it gives the record that is there.
func (f *File) swap(ctx context.Context, c change, version int) (swapped bool, found []record, err error) {
	err = f.update(ctx, func(tx *bolt.Tx) ([]change, error) {
		old, err := itemIn(tx, c.Table, c.Row)
		if version == keys.Unread {
			swapped = true
			return []change{c}, nil
		}
		swapped = numberIn(old, keyVersion) == version && (old == nil) == (version == 0)
		if err != nil || swapped {
			return []change{c}, err
		}
		value, err := valueIn(tx, c.Table, c.Row)
		found = []record{copied(c.Row, value)}
		return nil, err
	})
	if err != nil {
		return false, nil, err // both may still be written to
	}
	return swapped, found, nil
}

type quotas struct{ *Database }

// Take implements limits.QuotaStore.
func (s quotas) Take(ctx context.Context, q limits.Quota) (limits.Decision, error) {
	if q.Limit < 1 {
		return q.Refuse(), nil
	}
	defer meter.Begin(ctx, meter.Quotas).End(1)
	a, err := s.do(ctx, &Call{Op: opTake, Quota: q})
	if err != nil {
		return limits.Decision{}, err
	}
	return a.Decision, nil
}

func (f *File) take(ctx context.Context, q limits.Quota) (limits.Decision, error) {
	key := store.Key{PK: string(q.Organization) + "#" + q.Month()}
	var d limits.Decision
	err := f.update(ctx, func(tx *bolt.Tx) ([]change, error) {
		counter, err := itemIn(tx, QuotasTable, rowOf(key))
		if err != nil {
			return nil, err
		}
		used := numberIn(counter, attributeUsed)
		if used >= q.Limit {
			d = q.Refuse()
			return nil, nil
		}
		d = q.Allow(used + 1)
		c, err := changeOf(QuotasTable, store.Write{Key: key, Item: store.Item{
			attributeUsed:   number(int64(used + 1)),
			attributeExpiry: number(q.ExpiresAt()),
		}})
		return []change{c}, err
	})
	if err != nil {
		return limits.Decision{}, err // d may still be written to
	}
	return d, nil
}

// Usage is how many requests each organization has used in the UTC month that holds at.
func (d *Database) Usage(ctx context.Context, at time.Time) (map[sport.ID]int, error) {
	month, used := "#"+limits.Quota{Now: at}.Month(), map[sport.ID]int{}
	err := (&store.Table{DB: d, Name: QuotasTable}).Scan(ctx, func(item store.Item) error {
		if organization, ok := strings.CutSuffix(store.KeyOf(item).PK, month); ok {
			used[sport.ID(organization)] = numberIn(item, attributeUsed)
		}
		return nil
	})
	return used, err
}

type keyRecords struct{ *Database }

// Get implements keys.Store.
func (s keyRecords) Get(ctx context.Context, id string) (keys.Key, error) {
	defer meter.Begin(ctx, meter.Keys).End(1)
	found, err := s.Database.Get(ctx, KeysTable, []store.Key{{PK: id}}, true)
	switch {
	case errors.Is(err, ErrDamaged):
		return keys.Key{}, fmt.Errorf("%w: %w", keys.ErrDamaged, err)
	case err != nil:
		return keys.Key{}, fmt.Errorf("read a key: %w", err)
	case len(found.Items) == 0:
		return keys.Key{}, keys.ErrUnknown
	}
	return keys.Decode(found.Items[0])
}

// List implements keys.Store.
func (s keyRecords) List(ctx context.Context) ([]keys.Key, error) {
	var items []store.Item
	err := s.scan(ctx, KeysTable, func(records []record) error {
		for _, r := range records {
			key, err := keyOf(r.Row)
			if err != nil || key.SK != "" { // whose it is nobody knows
				return ErrDamaged
			}
			item, err := unseal(KeysTable, r.Row, r.Value)
			if err != nil {
				item = store.Item{store.PKName: &types.AttributeValueMemberS{Value: key.PK}}
			}
			items = append(items, item)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list keys: %w", err)
	}
	return keys.DecodeList(items), nil
}

// Put implements keys.Store.
func (s keyRecords) Put(ctx context.Context, k keys.Key) error {
	read := k.Version
	k.Version = max(k.Version, 0) + 1
	item, err := keys.Encode(k)
	if err != nil {
		return err
	}
	c, err := changeOf(KeysTable, store.Write{Key: store.Key{PK: k.ID}, Item: item})
	if err != nil {
		return err
	}
	a, err := s.do(ctx, &Call{Op: opSwap, Changes: []change{c}, Version: read})
	switch {
	case err != nil:
		return fmt.Errorf("write key %s: %w", k.ID, err)
	case !a.Swapped:
		return keys.ErrConflict
	}
	return nil
}
