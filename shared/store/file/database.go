package file

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/store"
)

// Database is the data of a File, in this process or through a socket. It is a
// store.DB and store.Leases; tables come into being by the first write, and one that
// is not there is empty. Calls are made whole or not at all.
type Database struct {
	do    func(context.Context, *Call) (*Answer, error)
	close func() error
	lost  error // as opened: what is missing, more than single records; nothing is written then
}

// Close ends the use of the data. A File lets go of the file; at the other end of a
// socket, leases of this end are given back.
func (d *Database) Close() error { return d.close() }

// Lost is the error of every write where more than single records was missing when the file
// was opened: what can be read of it can be looked at and copied. A nonce that is lost would
// count again.
func (d *Database) Lost() error { return d.lost }

// Bounds implements store.DB. A call waits for a disk at most, so that two keep it busy.
func (d *Database) Bounds() store.Bounds {
	return store.Bounds{Get: largestGet, Write: largestWrite, Calls: 2}
}

// Get implements store.DB; every read is consistent.
func (d *Database) Get(ctx context.Context, table string, keys []store.Key, _ bool) (store.Reply, error) {
	return d.read(ctx, &Call{Op: opGet, Table: table, Keys: keys})
}

// Query implements store.DB. A page ends after 1 MB.
func (d *Database) Query(ctx context.Context, table string, q store.Query, after store.Key) (store.Reply, error) {
	return d.read(ctx, &Call{Op: opQuery, Table: table, Query: q, After: after})
}

// Scan implements store.DB, in the order of the file. A page ends after 1 MB.
func (d *Database) Scan(ctx context.Context, table string, after store.Key) (store.Reply, error) {
	return d.read(ctx, &Call{Op: opScan, Table: table, After: after})
}

func (d *Database) read(ctx context.Context, c *Call) (store.Reply, error) {
	a, err := d.do(ctx, c)
	if err != nil {
		return store.Reply{}, err
	}
	reply := store.Reply{Items: make([]store.Item, len(a.Records))}
	for i, r := range a.Records {
		if reply.Items[i], err = unseal(c.Table, r.Row, r.Value); err != nil {
			return store.Reply{}, err
		}
	}
	if a.More {
		reply.Next = store.KeyOf(reply.Items[len(reply.Items)-1])
	}
	return reply, nil
}

// Write implements store.DB. It is made whole or not at all. An item of more than
// 400 KB is refused, and so are more writes than Bounds says.
func (d *Database) Write(ctx context.Context, table string, writes []store.Write) (store.Reply, error) {
	if len(writes) > largestWrite {
		return store.Reply{}, fmt.Errorf("%d writes in a call, more than %d", len(writes), largestWrite)
	}
	changes := make([]change, len(writes))
	for i, w := range writes {
		var err error
		if changes[i], err = changeOf(table, w); err != nil {
			return store.Reply{}, err
		}
	}
	// In the order of the file the changes of a page come one after the other.
	slices.SortFunc(changes, func(a, b change) int { return bytes.Compare(a.Row, b.Row) })
	_, err := d.do(ctx, &Call{Op: opWrite, Changes: changes})
	return store.Reply{}, err
}

func changeOf(table string, w store.Write) (c change, err error) {
	c = change{Table: table, Row: rowOf(w.Key)}
	if w.Item == nil {
		return c, bounded(w.Key)
	}
	c.Payload, err = payloadOf(w.Key, w.Item)
	return c, err
}

// Backup copies the data as File.CopyTo does, while they are used, to a file beside them,
// whatever else of the disk the process sees that has them, and returns its name there.
// The caller moves it; what is left is removed by the next backup, and by who opens the
// file next.
func (d *Database) Backup(ctx context.Context) (name string, _ Report, err error) {
	a, err := d.do(ctx, &Call{Op: opBackup})
	if err != nil {
		return "", Report{}, err
	}
	return filepath.Base(a.Path), a.Report, nil
}

// Check reads everything. Its error says that it could not; damage that it found is
// in the Report.
func (d *Database) Check(ctx context.Context) (Report, error) {
	a, err := d.do(ctx, &Call{Op: opCheck})
	if err != nil {
		return Report{}, err
	}
	return a.Report, nil
}

// Wipe overwrites what is free in the file, so that nothing is left in it of what was
// deleted or overwritten before (D64). It goes on beside others, who wait for some
// milliseconds at a time, and takes no room. A damaged file is left as it is, with
// ErrDamaged. After any error it may be repeated.
func (d *Database) Wipe(ctx context.Context) error {
	_, err := d.do(ctx, &Call{Op: opWipe})
	return err
}

// Report is the result of Check.
type Report struct {
	Records map[string]int // by table
	Size    int64          // of the file, in bytes
	Free    int64          // of them not in use
	// Damage is what was found, the first of many; empty: the file is whole, but for Keys.
	Damage []string
	// Lost is the first damage that is not one of a single record: pages, or what was written
	// to a table; empty: no table.
	Lost string
	Keys int // records of keys that are damaged: each costs itself
}

// All is how many records there are.
func (r Report) All() (n int) {
	for _, of := range r.Records {
		n += of
	}
	return n
}

// sweepAfter is how long an item is kept after it expired: a clock that jumps back by an
// hour finds each nonce again that it would let in.
const sweepAfter = time.Hour

// Sweep deletes the items of a table of nonces or quotas that had expired an hour before
// now, and returns their number. An item counts until it is deleted, so a sweep may come
// at any time. One that is damaged stays, and is its error once the others are deleted.
func (d *Database) Sweep(ctx context.Context, table string, now time.Time) (deleted int, err error) {
	w := (&store.Table{DB: d, Name: table}).Writer(ctx)
	var damaged error
	err = d.scan(ctx, table, func(records []record) error {
		for _, r := range records {
			item, err := unseal(table, r.Row, r.Value)
			if damaged = cmp.Or(damaged, err); err != nil {
				continue
			}
			if until := numberIn(item, attributeExpiry); until == 0 || int64(until) >= now.Add(-sweepAfter).Unix() {
				continue
			}
			deleted++
			if err := w.Put(store.Write{Key: store.KeyOf(item)}); err != nil {
				return err
			}
		}
		return nil
	})
	return deleted, errors.Join(err, w.Close(), damaged)
}

func numberIn(item store.Item, name string) int {
	v, ok := item[name].(*types.AttributeValueMemberN)
	if !ok {
		return 0
	}
	n, _ := strconv.Atoi(v.Value)
	return n
}

func number(n int64) types.AttributeValue {
	return &types.AttributeValueMemberN{Value: strconv.FormatInt(n, 10)}
}

func textIn(item store.Item, name string) string {
	if v, ok := item[name].(*types.AttributeValueMemberS); ok {
		return v.Value
	}
	return ""
}
