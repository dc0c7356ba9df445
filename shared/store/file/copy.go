package file

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"
)

// backedUp is what the path of a backup ends with until its maker has moved it.
const backedUp = ".backup"

// Next is what the path of a file ends with that is made to take the place of one. What is
// left of it is removed by who opens the file.
const Next = ".new"

func (f *File) backup(ctx context.Context) (path string, _ Report, err error) {
	path = f.path + backedUp
	r, err := f.CopyTo(ctx, path, nil)
	return path, r, err
}

// CopyTo copies the data, as they are at a moment and without what the file has had
// before, to a new file, which takes the place of one at that path. The tables that another
// file is named for are those of that file. The copy is durable,
// and has been checked. Of a file that was opened with ReadOnly it is how to restore it.
func (f *File) CopyTo(ctx context.Context, path string, others map[string]*File) (Report, error) {
	f.long.Lock()
	defer f.long.Unlock()
	r, err := f.copyTo(ctx, path, others)
	if err != nil {
		return Report{}, fmt.Errorf("copy the data to %s: %w", path, err)
	}
	syncFolder(filepath.Dir(path))
	return r, nil
}

// copyBytes is how many bytes of records a transaction of a copy has.
const copyBytes = 8 << 20

// copyTo copies what is there at a moment, record by record.
func (f *File) copyTo(ctx context.Context, path string, others map[string]*File) (Report, error) {
	return filled(ctx, path, func(to *bolt.DB) error {
		// bolt.Compact ends reading before it has written all, while others rewrite the pages.
		err := f.read(func(from *bolt.Tx) error {
			return from.ForEach(func(name []byte, b *bolt.Bucket) error {
				if others[string(name)] != nil {
					return nil
				}
				return copyTable(ctx, to, name, b, false)
			})
		})
		for name, other := range others {
			if err == nil {
				err = other.read(func(from *bolt.Tx) error {
					if b := from.Bucket([]byte(name)); b != nil {
						return copyTable(ctx, to, []byte(name), b, true)
					}
					return nil
				})
			}
		}
		return err
	})
}

// filled makes a new file in the place of what a run that was killed has left, has it filled,
// and checks it. After an error none is left.
func filled(ctx context.Context, path string, fill func(*bolt.DB) error) (r Report, err error) {
	_ = os.Remove(path)
	to, err := openHandle(path, Options{NoSync: true})
	if err != nil {
		return r, err
	}
	if err = fill(to.db); err == nil {
		err = to.db.Sync()
	}
	if err = errors.Join(err, to.db.Close()); err == nil {
		r, err = checkFile(ctx, path)
	}
	if err != nil {
		_ = os.Remove(path)
	}
	return r, err
}

// copyTable copies a table as it is, the sum of its records included; of one of which records may
// be missing those that are there.
func copyTable(ctx context.Context, to *bolt.DB, name []byte, from *bolt.Bucket, part bool) error {
	cursor, s := from.Cursor(), sum(0)
	row, value := cursor.First()
	for done := false; !done; {
		err := to.Update(func(tx *bolt.Tx) error {
			b, err := tx.CreateBucketIfNotExists(name)
			if err != nil {
				return err
			}
			b.FillPercent = 1
			for size := 0; row != nil && size < copyBytes; row, value = cursor.Next() {
				if err := b.Put(within(row, value)); err == nil {
					s = s.with(value)
				} else if !part { // it has no key
					return fmt.Errorf("%w: %w", ErrDamaged, err)
				}
				size += len(row) + len(value)
			}
			done = row == nil
			if !part {
				s = sum(from.Sequence())
			}
			return errors.Join(b.SetSequence(uint64(s)), context.Cause(ctx))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// CopyOut copies tables to a new file anywhere, as Backup does for who has no room beside the
// data. Each table is as it is while it is read: nobody may load meanwhile. The sums of a copy
// are made anew, so that a file with lost records is refused.
func (d *Database) CopyOut(ctx context.Context, path string, tables ...string) (Report, error) {
	if d.lost != nil {
		return Report{}, d.lost
	}
	return filled(ctx, path, func(to *bolt.DB) (err error) {
		for _, table := range tables {
			if err == nil {
				err = d.copyOut(ctx, to, table)
			}
		}
		return err
	})
}

func (d *Database) copyOut(ctx context.Context, to *bolt.DB, table string) error {
	return d.scan(ctx, table, func(records []record) error {
		return to.Update(func(tx *bolt.Tx) error {
			b, err := tx.CreateBucketIfNotExists([]byte(table))
			if err != nil {
				return err
			}
			b.FillPercent = 1
			s := sum(b.Sequence())
			for _, r := range records {
				s = s.with(r.Value)
				err = cmp.Or(err, b.Put(r.Row, r.Value))
			}
			return cmp.Or(err, b.SetSequence(uint64(s)))
		})
	})
}

// scan gives the records of a table as they are in the file, page by page.
func (d *Database) scan(ctx context.Context, table string, take func([]record) error) error {
	c := &Call{Op: opScan, Table: table}
	for more := true; more; {
		page, err := d.do(ctx, c)
		if err == nil {
			err = take(page.Records)
		}
		if more = err == nil && page.More; more {
			c.After, err = keyOf(page.Records[len(page.Records)-1].Row)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkFile checks the file at path.
func checkFile(ctx context.Context, path string) (Report, error) {
	f, err := Open(path, Options{ReadOnly: true})
	if err != nil {
		return Report{}, err
	}
	defer func() { _ = f.Close() }() // nothing was written
	r, err := f.check(ctx)
	if err == nil && len(r.Damage) > 0 {
		err = fmt.Errorf("%w: %s", ErrDamaged, r.Damage[0])
	}
	return r, err
}
