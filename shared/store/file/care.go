package file

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	bolt "go.etcd.io/bbolt"
)

// sum is of all records of a table: their number, and the exclusive or of their
// checksums. It tells that none was lost, and none has come back.
type sum uint64

func checksumIn(value []byte) sum {
	if len(value) < checksumSize {
		return 0
	}
	return sum(binary.BigEndian.Uint32(value))
}

func (s sum) with(value []byte) sum    { return (s + 1<<32) ^ checksumIn(value) }
func (s sum) without(value []byte) sum { return (s - 1<<32) ^ checksumIn(value) }
func (s sum) records() int             { return int(s >> 32) }

// longRun runs what reads for long. There is one at a time, so that what replaces the
// file has others to wait for that are short alone.
func (f *File) longRun(ctx context.Context, do func(stopped func() error) error) error {
	stopped := func() error {
		select {
		case <-f.closing:
			return ErrClosed
		case <-ctx.Done():
			return context.Cause(ctx)
		default:
			return nil
		}
	}
	select {
	case f.long <- struct{}{}:
	case <-f.closing:
		return ErrClosed
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-f.long }()
	return do(stopped)
}

func (f *File) backup(ctx context.Context, path string) error {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("backup %s: %w", path, fs.ErrExist)
	}
	part := path + ".part"
	err := f.longRun(ctx, func(stopped func() error) error { return f.copyTo(ctx, part, stopped) })
	if err != nil {
		return fmt.Errorf("backup %s: %w", path, err)
	}
	if err := os.Rename(part, path); err != nil {
		return err
	}
	syncFolder(filepath.Dir(path))
	return nil
}

// smaller is what the path of a copy that is to replace the file ends with.
const smaller = ".smaller"

// compact puts a copy in the place of the file, while nothing is written.
func (f *File) compact(ctx context.Context) error {
	return f.longRun(ctx, func(stopped func() error) error {
		run := func() error {
			if err := f.copyTo(ctx, f.path+smaller, stopped); err != nil {
				return err
			}
			f.reads.Lock() // after the end of those under way
			defer f.reads.Unlock()
			return f.replaceBy(f.path + smaller)
		}
		return f.submit(context.WithoutCancel(ctx), f.alone, &job{name: "compact", run: run})
	})
}

// replaceBy renames a copy to the path of the file. The file is let go only after
// that, so that nobody comes between, but for a system which replaces no file that is
// open: there what has been opened meanwhile is in the way of the renaming.
func (f *File) replaceBy(path string) error {
	old := f.handle
	copied, err := openHandle(path, f.options)
	if err != nil {
		return err
	}
	if f.letGo {
		_, _ = old.db.Close(), copied.db.Close()
	}
	err = os.Rename(path, f.path)
	switch {
	case f.letGo:
		var failed error
		if copied, failed = openHandle(f.path, f.options); failed != nil {
			f.giveUp(failed)
			return failed
		}
		f.handle = copied
	case err != nil:
		_ = copied.db.Close()
	default:
		f.handle = copied
		_ = old.db.Close()
	}
	syncFolder(filepath.Dir(f.path))
	return err
}

// copyTo writes a copy of what is there at a moment to a new file, record by record,
// and checks the copy. One that was left at that path makes room.
func (f *File) copyTo(ctx context.Context, path string, stopped func() error) error {
	_ = os.Remove(path)
	err := f.copyTables(path, stopped)
	if err == nil {
		err = checkFile(ctx, path)
	}
	if err != nil {
		_ = os.Remove(path)
	}
	return err
}

// checkFile checks the file at path.
func checkFile(ctx context.Context, path string) error {
	f, err := Open(path, Options{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // nothing was written
	report, err := f.check(ctx)
	if err == nil && len(report.Damage) > 0 {
		return fmt.Errorf("%w: %s", ErrDamaged, report.Damage[0])
	}
	return err
}

// copyBytes is how many bytes of records a transaction of a copy has.
const copyBytes = 8 << 20

func (f *File) copyTables(path string, stopped func() error) error {
	to, err := openHandle(path, Options{NoSync: true})
	if err != nil {
		return err
	}
	err = guard(func() error {
		return f.db.View(func(from *bolt.Tx) error {
			return from.ForEach(func(name []byte, b *bolt.Bucket) error { return copyTable(to.db, name, b, stopped) })
		})
	})
	if err == nil {
		err = to.db.Sync()
	}
	return errors.Join(err, to.db.Close())
}

// copyTable copies a table as it is, the sum of its records included.
func copyTable(to *bolt.DB, name []byte, from *bolt.Bucket, stopped func() error) error {
	cursor := from.Cursor()
	row, value := cursor.First()
	for done := false; !done; {
		err := to.Update(func(tx *bolt.Tx) error {
			b, err := tx.CreateBucketIfNotExists(name)
			if err != nil {
				return err
			}
			b.FillPercent = 1
			for size := 0; row != nil && size < copyBytes; row, value = cursor.Next() {
				if err := b.Put(row, value); err != nil {
					return err
				}
				size += len(row) + len(value)
			}
			done = row == nil
			return errors.Join(b.SetSequence(from.Sequence()), stopped())
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// maxDamage is how much damage a Report lists.
const maxDamage = 20

func (f *File) check(ctx context.Context) (r Report, err error) {
	r.Records = map[string]int{}
	err = f.longRun(ctx, func(stopped func() error) error {
		err := f.checkPages(ctx, &r)
		if err == nil { // else bbolt may run in circles
			err = guard(func() error {
				return f.db.View(func(tx *bolt.Tx) error {
					return tx.ForEach(func(name []byte, b *bolt.Bucket) error { return checkTable(&r, string(name), b, stopped) })
				})
			})
		}
		if errors.Is(err, ErrDamaged) {
			r.note(err.Error())
			return nil
		}
		return err
	})
	if err != nil {
		return Report{}, err
	}
	return r, nil
}

func (r *Report) note(damage string) {
	if len(r.Damage) < maxDamage {
		r.Damage = append(r.Damage, damage)
	}
}

// checkPages checks the pages while nobody writes.
func (f *File) checkPages(ctx context.Context, r *Report) error {
	run := func() error {
		p := pages{file: f.file, size: f.pageSize}
		if _, torn := p.heads(); torn || f.torn {
			r.note("one of the two heads of the file is damaged, or was when it was opened: what was written last may be missing")
		}
		free, err := p.check()
		r.Size, r.Free = int64(len(p.seen))*p.size, int64(free)*p.size
		return err
	}
	if f.options.ReadOnly {
		return run()
	}
	return f.submit(context.WithoutCancel(ctx), f.alone, &job{name: "check", run: run})
}

func checkTable(r *Report, name string, b *bolt.Bucket, stopped func() error) error {
	var found sum
	cursor := b.Cursor()
	for row, value := cursor.First(); row != nil; row, value = cursor.Next() {
		if err := stopped(); err != nil {
			return err
		}
		if !bytes.Equal(b.Get(row), value) {
			r.note(fmt.Sprintf("table %s: a record is there and not found", name))
		}
		if _, err := unseal(name, row, value); err != nil {
			r.note(err.Error())
		}
		found = found.with(value)
	}
	if want := sum(b.Sequence()); found != want {
		r.note(fmt.Sprintf("table %s: it has %d records, and not the %d that were written", name, found.records(), want.records()))
	}
	r.Records[name] = found.records()
	return nil
}
