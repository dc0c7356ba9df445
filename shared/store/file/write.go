package file

import (
	"context"
	"errors"
	"fmt"

	bolt "go.etcd.io/bbolt"
)

// maxGroup is how many small jobs are committed together at most.
const maxGroup = 256

// job is something for the writing goroutine to do.
type job struct {
	ctx  context.Context
	name string // for errors
	// do reads and decides. It changes nothing itself, so that one that is refused
	// leaves nothing in a transaction that it shares, and may be called again.
	do    func(*bolt.Tx) ([]change, error)
	after func()       // called once what do said is durable; may be nil
	run   func() error // instead of do, outside a transaction
	done  chan error   // takes one
}

// change puts a payload at a row of a table, or deletes what is there.
type change struct {
	Table        string
	Row, Payload []byte // Payload nil: delete
}

// submit hands a job over and waits for its end, or that of the context: the job may
// be done all the same then.
func (f *File) submit(ctx context.Context, queue chan *job, j *job) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if f.options.ReadOnly {
		return fmt.Errorf("%s: %s is open for reading alone", j.name, f.path)
	}
	j.ctx, j.done = ctx, make(chan error, 1)
	select {
	case queue <- j:
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-f.ended:
		return ErrClosed
	}
	select {
	case err := <-j.done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-f.ended:
	}
	select {
	case err := <-j.done:
		return err
	default:
		return ErrClosed
	}
}

// write is the writing goroutine.
func (f *File) write() {
	defer close(f.ended)
	for {
		select {
		case j := <-f.small:
			f.commit(f.group([]*job{j}, true))
		case j := <-f.bulk:
			f.commit(f.group([]*job{j}, false))
		case j := <-f.alone:
			f.commit([]*job{j})
		case <-f.closing:
			return
		}
	}
}

// group adds what is waiting: all that is small, so that it waits for two commits at
// most, and one of bulk if that may be.
func (f *File) group(jobs []*job, bulk bool) []*job {
	for len(jobs) < maxGroup {
		select {
		case j := <-f.small:
			jobs = append(jobs, j)
			continue
		default:
		}
		if !bulk {
			return jobs
		}
		bulk = false
		select {
		case j := <-f.bulk:
			jobs = append(jobs, j)
		default:
		}
	}
	return jobs
}

// commit does jobs in one transaction and answers them. Where it fails, each gets one
// of its own: a disk may have room for a small one that it has not for all.
func (f *File) commit(jobs []*job) {
	errs, err := f.transact(jobs)
	if err != nil && len(jobs) > 1 {
		for _, j := range jobs {
			f.commit([]*job{j})
		}
		return
	}
	for i, j := range jobs {
		if errs[i] == nil && err != nil {
			errs[i] = fmt.Errorf("%s: %w", j.name, err)
		}
		if errs[i] == nil && j.after != nil {
			j.after()
		}
		j.done <- errs[i]
	}
}

// errUnchanged ends a transaction that needs no commit.
var errUnchanged = errors.New("nothing to commit")

// transact does jobs in one transaction. It returns the refusal of each, and what
// went wrong for all.
func (f *File) transact(jobs []*job) (refused []error, err error) {
	refused = make([]error, len(jobs))
	if f.broken != nil {
		return refused, f.broken
	}
	if run := jobs[0].run; run != nil {
		return refused, run()
	}
	err = guard(func() error {
		return f.db.Update(func(tx *bolt.Tx) error {
			changed := false
			for i, j := range jobs {
				if j.ctx.Err() != nil {
					refused[i] = context.Cause(j.ctx)
					continue
				}
				var changes []change
				if changes, refused[i] = j.do(tx); refused[i] != nil {
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
	})
	switch {
	case errors.Is(err, errUnchanged):
		return refused, nil
	case errors.Is(err, ErrDamaged):
		f.giveUp(err) // bbolt may hold its locks
	}
	return refused, err
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
		old := b.Get(c.Row)
		if old != nil {
			s = s.without(old)
		}
		switch {
		case c.Payload != nil:
			value := seal(c.Table, c.Row, c.Payload)
			s = s.with(value)
			err = b.Put(c.Row, value)
		case old != nil:
			err = b.Delete(c.Row)
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
