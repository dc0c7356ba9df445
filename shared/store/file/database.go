package file

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/limits"
	"touchline/shared/store"
)

// op names an operation.
type op string

const (
	opGet, opQuery, opScan, opWrite      op = "get", "query", "scan", "write"
	opLease, opConsume, opTake, opPutKey op = "lease", "consume", "take", "put key"
	opBackup, opCheck, opCompact, opStop op = "backup", "check", "compact", "stop"
)

// call is an operation with what it takes, as it goes through a socket.
type call struct {
	ID      uint64 // among those of a connection
	Op      op     // opStop: the caller of ID waits no longer
	Table   string
	Keys    []store.Key
	Query   store.Query
	After   store.Key
	Changes []change
	Version int
	Lease   leaseCall
	Nonce   limits.Nonce
	Quota   limits.Quota
	Path    string
}

// answer is the result of a call.
type answer struct {
	ID       uint64
	Records  []record
	More     bool
	Decision limits.Decision
	Report   Report
	Fault    *fault
}

// Database is the data of a File, in this process or through a socket. It is a
// store.DB and store.Leases; tables come into being by the first write, and one that
// is not there is empty. Calls are made whole or not at all.
type Database struct {
	do    func(context.Context, *call) (*answer, error)
	close func() error
}

// Close ends the use of the data. A File lets go of the file; at the other end of a
// socket, leases of this end are given back.
func (d *Database) Close() error { return d.close() }

// run does a call for owner, to whom leases belong.
func (f *File) run(ctx context.Context, c *call, owner any) (a *answer, err error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	a = &answer{}
	switch c.Op {
	case opGet:
		a.Records, err = f.get(c.Table, c.Keys)
	case opQuery:
		a.Records, a.More, err = f.page(c.Table, rowsOf(c.Query, c.After))
	case opScan:
		a.Records, a.More, err = f.page(c.Table, rows{from: next(rowOf(c.After))})
	case opWrite:
		err = f.put(ctx, c.Changes)
	case opLease:
		a.Records, err = f.lease(ctx, c.Table, c.Keys[0], c.Lease, owner)
	case opConsume:
		err = f.consume(ctx, c.Nonce)
	case opTake:
		a.Decision, err = f.take(ctx, c.Quota)
	case opPutKey:
		err = f.putKey(ctx, c.Changes, c.Version)
	case opBackup:
		err = f.backup(ctx, c.Path)
	case opCheck:
		a.Report, err = f.check(ctx)
	case opCompact:
		err = f.compact(ctx)
	default:
		err = fmt.Errorf("no operation %q", c.Op)
	}
	if err != nil {
		return nil, err
	}
	return a, nil
}

// Bounds implements store.DB. A call waits for a disk at most, so that two keep it busy.
func (d *Database) Bounds() store.Bounds {
	return store.Bounds{Get: largestGet, Write: largestWrite, Calls: 2}
}

// Get implements store.DB; every read is consistent.
func (d *Database) Get(ctx context.Context, table string, keys []store.Key, _ bool) (store.Reply, error) {
	return d.read(ctx, &call{Op: opGet, Table: table, Keys: keys})
}

// Query implements store.DB. A page ends after 1 MB.
func (d *Database) Query(ctx context.Context, table string, q store.Query, after store.Key) (store.Reply, error) {
	return d.read(ctx, &call{Op: opQuery, Table: table, Query: q, After: after})
}

// Scan implements store.DB, in the order of the file. A page ends after 1 MB.
func (d *Database) Scan(ctx context.Context, table string, after store.Key) (store.Reply, error) {
	return d.read(ctx, &call{Op: opScan, Table: table, After: after})
}

func (d *Database) read(ctx context.Context, c *call) (store.Reply, error) {
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
	_, err := d.do(ctx, &call{Op: opWrite, Changes: changes})
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

// Backup copies the data, as it is at a moment and without what the file has had
// before, to a new file, while it is used. The copy is checked and durable before it
// has its name; where there is a file of that name, the error is fs.ErrExist.
// Of a file that was opened with ReadOnly it is how to restore that.
func (d *Database) Backup(ctx context.Context, path string) error {
	_, err := d.do(ctx, &call{Op: opBackup, Path: path})
	return err
}

// Check reads everything. Its error says that it could not; damage that it found is
// in the Report.
func (d *Database) Check(ctx context.Context) (Report, error) {
	a, err := d.do(ctx, &call{Op: opCheck})
	if err != nil {
		return Report{}, err
	}
	return a.Report, nil
}

// Compact replaces the file by a copy without free space, so that nothing is left in
// it of what was deleted or overwritten before. Nothing is written meanwhile; reads
// wait for a moment at the end. There must be room for the copy.
func (d *Database) Compact(ctx context.Context) error {
	_, err := d.do(ctx, &call{Op: opCompact})
	return err
}

// Report is the result of Check.
type Report struct {
	Records map[string]int // by table
	Size    int64          // of the file, in bytes
	Free    int64          // of them not in use
	// Damage is what was found, the first of many; empty: the file is whole.
	Damage []string
}

// Sweep deletes the items of a table of nonces or quotas that had expired by now, and
// returns their number. An item counts until it is deleted, so a sweep may come at
// any time.
func (d *Database) Sweep(ctx context.Context, table string, now time.Time) (deleted int, err error) {
	for after, more := (store.Key{}), true; more; {
		page, err := d.Scan(ctx, table, after)
		if err != nil {
			return deleted, fmt.Errorf("sweep table %s: %w", table, err)
		}
		var expired []store.Write
		for _, item := range page.Items {
			if until := numberIn(item, attributeExpiry); until > 0 && int64(until) < now.Unix() {
				expired = append(expired, store.Write{Key: store.KeyOf(item)})
			}
		}
		for ; len(expired) > 0; expired = expired[min(len(expired), largestWrite):] {
			batch := expired[:min(len(expired), largestWrite)]
			if _, err := d.Write(ctx, table, batch); err != nil {
				return deleted, fmt.Errorf("sweep table %s: %w", table, err)
			}
			deleted += len(batch)
		}
		after, more = page.Next, page.Next != store.Key{}
	}
	return deleted, nil
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
