package conduct

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"strconv"

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
	lease := l.bucketLease(bucket)
	err = leased(ctx, l.Table, lease, func(table *store.Table, _ store.Item) error {
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
			Table: table, Lists: diff.NewLists(diff.NewCollation(), nil).All(), Empty: true, Journal: l.ID, Pause: pause,
			Pace: cmp.Or(l.Pace, commit.DefaultPace()),
			Mark: func(ctx context.Context, at *commit.Checkpoint) error { return l.mark(ctx, lease, bucket, at) },
		}
		if err := l.resume(ctx, head, bucket, w); err != nil {
			return err
		}
		runs, err := l.runs(ctx, bucket)
		if err != nil {
			return err
		}
		if err := w.Write(ctx, runs); err != nil {
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

// mark keeps a checkpoint, while the lease lasts: that of another process could be
// further.
func (l *Load) mark(ctx context.Context, lease *store.Lease, bucket int, at *commit.Checkpoint) error {
	if err := lease.Renew(ctx); err != nil {
		return err
	}
	return put(ctx, l.Folder, mergingName(bucket), at)
}

// runs reads the runs of a bucket.
func (l *Load) runs(ctx context.Context, bucket int) (*merged, error) {
	d, err := get[decided](ctx, l.Folder, decidedName)
	if err != nil {
		return nil, err
	}
	if d == nil || bucket >= len(d.Records) {
		return nil, &RefusedError{fmt.Sprintf("it was not decided what bucket %d holds", bucket)}
	}
	names, err := l.Folder.List(ctx, runFolder(bucket))
	if err != nil {
		return nil, err
	}
	runs := make([]*reader, len(names))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(transfers)
	for i, name := range names {
		part, err := strconv.Atoi(path.Base(name))
		if err != nil {
			return nil, fmt.Errorf("%s is no run: %w", name, err)
		}
		g.Go(func() error {
			content, err := l.Folder.Get(ctx, runName(bucket, part))
			runs[i] = &reader{Reader: spool.NewReader(whole(content)), part: part}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return merge(runs, d.Records[bucket])
}
