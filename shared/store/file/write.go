package file

import (
	"context"
	"errors"
	"fmt"

	bolt "go.etcd.io/bbolt"
)

// job is a write that waits.
type job struct {
	ctx context.Context
	// decide reads and gives the changes. It changes nothing itself, so that one that
	// is refused leaves nothing in a transaction that it shares, and may be called again.
	decide func(*bolt.Tx) ([]change, error)
	err    error
	done   chan struct{} // closed once err is the outcome
}

// change puts a payload at a row of a table, or deletes what is there.
type change struct {
	Table        string
	Row, Payload []byte // Payload nil: delete
}

// update makes the changes that decide gives, and returns once they are durable. After
// the end of the context they may be made all the same.
func (f *File) update(ctx context.Context, decide func(*bolt.Tx) ([]change, error)) error {
	j := &job{ctx: ctx, decide: decide, done: make(chan struct{})}
	f.queue.Lock()
	f.waiting = append(f.waiting, j)
	f.queue.Unlock()
	select {
	case f.place <- struct{}{}:
		f.queue.Lock()
		jobs := f.waiting
		f.waiting = nil
		f.queue.Unlock()
		f.commit(jobs)
		<-f.place
	case <-j.done:
	case <-f.gone:
		return f.broken
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return j.err // done: by this call, or by the one that had the place before
}

// alone runs do while nothing is written. It begins by the end of the context, or not.
func (f *File) alone(ctx context.Context, do func() error) error {
	select {
	case f.place <- struct{}{}:
	case <-f.gone:
		return f.broken
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	defer func() { <-f.place }()
	if err := f.fault(); err != nil {
		return err
	}
	return do()
}

// put makes changes for who has the place.
func (f *File) put(changes []change) error {
	j := &job{ctx: context.Background(), decide: func(*bolt.Tx) ([]change, error) { return changes, nil }, done: make(chan struct{})}
	f.commit([]*job{j})
	return j.err
}

// commit does jobs in one transaction. Where it fails, each gets one of its own: a disk
// may have room for a small one that it has not for all.
func (f *File) commit(jobs []*job) {
	err := f.transact(jobs)
	if err != nil && len(jobs) > 1 {
		for _, j := range jobs {
			f.commit([]*job{j})
		}
		return
	}
	for _, j := range jobs {
		if j.err == nil {
			j.err = err
		}
		close(j.done)
	}
}

// errUnchanged ends a transaction that needs no commit.
var errUnchanged = errors.New("nothing to commit")

// transact does jobs in one transaction, and notes which are refused. It returns what
// went wrong for all.
func (f *File) transact(jobs []*job) error {
	if err := f.fault(); err != nil {
		return err
	}
	err := f.committed(func(tx *bolt.Tx) error {
		changed := false
		for _, j := range jobs {
			var changes []change
			if j.err = context.Cause(j.ctx); j.err == nil {
				changes, j.err = j.decide(tx)
			}
			if j.err != nil {
				continue
			}
			changed = changed || len(changes) > 0
			if err := apply(tx, changes); err != nil {
				return err
			}
		}
		if !changed {
			return errUnchanged
		}
		return nil
	})
	if errors.Is(err, errUnchanged) {
		return nil
	}
	return err
}

// committed makes a transaction, unless do has an error, for who has the place. Where the
// disk fails, bbolt may have written a head that is not on it: the next commit would write
// over what the head there needs. So the head that holds is written again. If that is the
// new one, the transaction is made after all.
func (f *File) committed(do func(*bolt.Tx) error) error {
	if f.lost != nil {
		return f.lost
	}
	f.opened = nil
	commits := false // do has no error
	number := f.latest + 1
	err := guard(func() error {
		return f.db.Update(func(tx *bolt.Tx) error {
			if uint64(tx.ID()) != number { //nolint:gosec // not negative
				return errOverwritten
			}
			if err := f.complete(tx); err != nil {
				return err
			}
			err := do(tx)
			commits = err == nil
			return err
		})
	})
	switch {
	case err == nil:
		f.latest = number
		return nil
	case errors.Is(err, ErrDamaged):
		f.giveUp(err) // bbolt may hold its locks
		return err
	case !commits:
		return err
	}
	f.failed++
	holds, failed := f.settle()
	switch {
	case failed != nil:
		err = fmt.Errorf("%w; nor can the head of the file be written: %w", err, failed)
		f.giveUp(err)
	case holds == number:
		f.latest = number
		return nil
	}
	return err
}

// settle writes the head that holds once more, and waits for the disk: a sync that failed,
// also of a process before this one, leaves open which head is there. It returns the
// transaction of the head.
func (f *File) settle() (transaction uint64, err error) {
	p := f.pages(context.Background())
	err = guard(func() error {
		if err := p.heads(); err != nil {
			return err
		}
		at := int64(p.head.transaction%2) * p.size
		b, err := p.read(at, p.size)
		if err == nil {
			_, err = f.disk.WriteAt(b, at)
		}
		if err == nil && !f.options.NoSync {
			err = f.disk.Sync()
		}
		return err
	})
	return p.head.transaction, err
}

// apply makes changes, and keeps the sum of each table's records, which bbolt stores
// with the table.
func apply(tx *bolt.Tx, changes []change) error {
	for _, c := range changes {
		b, err := tx.CreateBucketIfNotExists([]byte(c.Table))
		if err != nil {
			return err
		}
		s := sum(b.Sequence())
		old, remade := b.Get(c.Row), false
		if old != nil {
			s = s.without(old)
			if c.Table == KeysTable {
				_, damaged := intact(c.Table, c.Row, old)
				remade = damaged != nil
			}
		}
		switch {
		case c.Payload != nil:
			value := seal(c.Table, c.Row, c.Payload)
			s = s.with(value)
			err = b.Put(c.Row, value)
		case old != nil:
			err = b.Delete(c.Row)
		}
		if err == nil && remade { // what the damaged record was in the sum nobody knows
			s = 0
			err = b.ForEach(func(_, value []byte) error { s = s.with(value); return nil })
		}
		if err != nil {
			return err
		}
		if err := b.SetSequence(uint64(s)); err != nil {
			return err
		}
	}
	return nil
}
