package conduct

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"

	"golang.org/x/sync/errgroup"

	"touchline/shared/loader/commit"
	"touchline/shared/loader/diff"
	"touchline/shared/loader/spool"
	"touchline/shared/store"
)

// Merge writes a bucket of a load that was decided. pause is asked some seconds apart
// whether to stop, nil: never; it then returns true, and has to be called again.
// *BusyError says that another process writes the bucket.
func (l *Load) Merge(ctx context.Context, bucket int, pause func() bool) (again bool, err error) {
	lease := l.NewLease()
	lease.Key, lease.Label = commit.BucketLease(l.ID, bucket), "a step of a load by Step Functions"
	err = Hold(ctx, l.Table, lease, func(h *Held) error {
		head, err := l.head(ctx) // after the lease is taken: see Abandon
		if err != nil {
			return err
		}
		if head.Conducted.Decided == 0 {
			return &RefusedError{"the load is not decided"}
		}
		if done, err := get[struct{}](ctx, l.Folder, mergedName(bucket)); err != nil || done != nil {
			return err
		}
		w := &commit.Writer{
			Table: h.Table, Lists: diff.NewLists(diff.NewCollation(), nil).All(), Empty: true, Journal: l.ID, Pause: pause,
			Pace: cmp.Or(l.Pace, commit.DefaultPace()),
			Save: func(ctx context.Context, at *commit.Checkpoint) error { return l.save(ctx, lease, bucket, at) },
		}
		if err := l.resume(ctx, head, bucket, w); err != nil {
			return err
		}
		sorted := spool.New(ctx, l.Run)
		defer sorted.Close()
		if err := l.collect(ctx, bucket, sorted); err != nil {
			return err
		}
		if err := w.Write(ctx, sorted); err != nil {
			return err
		}
		if err := lease.Renew(ctx); err != nil {
			return err
		}
		return put(ctx, l.Folder, mergedName(bucket), struct{}{})
	})
	if errors.Is(err, commit.ErrPaused) {
		return true, nil
	}
	return false, err
}

// resume tells a writer what was written of the bucket before, and notes that it begins.
// Where an earlier execution had decided the load, every bucket may have been begun: its
// note may be gone, as all of the folder is after some days.
func (l *Load) resume(ctx context.Context, head *commit.Head, bucket int, w *commit.Writer) error {
	at, err := get[commit.Checkpoint](ctx, l.Folder, mergingName(bucket))
	if err != nil {
		return err
	}
	w.Resumed = at != nil || head.Conducted.Decided < l.Number
	if at == nil {
		return put(ctx, l.Folder, mergingName(bucket), &commit.Checkpoint{})
	}
	if at.Is(l.ID) {
		w.From = *at
	}
	return nil
}

// save keeps a checkpoint, while the lease lasts: that of another process could be
// further.
func (l *Load) save(ctx context.Context, lease *store.Lease, bucket int, at *commit.Checkpoint) error {
	if err := lease.Renew(ctx); err != nil {
		return err
	}
	return put(ctx, l.Folder, mergingName(bucket), at)
}

// collect puts the runs of a bucket into a spool, in the order of their parts: of several
// records of one place that of the last part counts.
func (l *Load) collect(ctx context.Context, bucket int, to *spool.Spool) error {
	d, err := get[decided](ctx, l.Folder, decidedName)
	if err != nil {
		return err
	}
	if d == nil || bucket >= len(d.Records) {
		return &RefusedError{fmt.Sprintf("it was not decided what bucket %d holds", bucket)}
	}
	names, err := l.Folder.List(ctx, runFolder(bucket))
	if err != nil {
		return err
	}
	slices.Sort(names) // numbers of parts
	runs := make([][]byte, len(names))
	g, transfer := errgroup.WithContext(ctx)
	g.SetLimit(transfers)
	for i, name := range names {
		g.Go(func() (err error) {
			runs[i], err = l.Folder.Get(transfer, path.Join(runFolder(bucket), path.Base(name)))
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for _, run := range runs {
		if err := unpack(run, to); err != nil {
			return err
		}
	}
	if missing := d.Records[bucket] - to.Len(); missing != 0 {
		return fmt.Errorf("%w: %d records are missing", spool.ErrCut, missing)
	}
	return nil
}

// unpack puts the records of a run into a spool.
func unpack(run []byte, to *spool.Spool) error {
	r := spool.NewReader(func() ([]byte, error) {
		piece := run
		run = nil
		return piece, nil
	})
	for {
		x, err := r.Next()
		if err != nil || x == nil {
			return err
		}
		if err := to.Put(*x); err != nil {
			return err
		}
	}
}
