package conduct

import (
	"archive/zip"
	"compress/flate"
	"context"
	"errors"
	"hash/fnv"
	"io"
	"maps"

	"golang.org/x/sync/errgroup"

	"touchline/shared/dataset"
	"touchline/shared/loader"
	"touchline/shared/loader/commit"
	"touchline/shared/loader/spool"
)

// transfers is how many objects are read or written at once.
const transfers = 16

// Project computes a part of a load that was planned, and writes its runs. What the
// table cannot hold is kept for Decide.
func (l *Load) Project(ctx context.Context, part int) error {
	if _, err := l.head(ctx); err != nil {
		return err
	}
	p, err := l.plan(ctx)
	if err != nil {
		return err
	}
	if done, err := get[projected](ctx, l.Folder, projectedName(part)); err != nil || done != nil {
		return err
	}
	set, around, err := l.read(ctx, part)
	if err != nil {
		return err
	}
	writes := spool.New(ctx, l.Run)
	defer writes.Close()
	report, count, err := (&loader.Loader{Table: l.Table}).ComputePart(ctx, set, around, writes)
	if faults, ok := errors.AsType[*dataset.Faults](err); ok {
		return l.unfit(ctx, part, faults)
	}
	if err != nil {
		return err
	}
	done := projected{Report: report, Changes: report.Changes, Count: count}
	report.Changes, report.Entries = nil, writes.Len()
	if done.Records, err = l.writeRuns(ctx, part, p.Buckets, writes); err != nil {
		return err
	}
	return put(ctx, l.Folder, projectedName(part), done)
}

// read reads a part with the organizations, and what else is around it.
func (l *Load) read(ctx context.Context, part int) (set *dataset.Set, around *dataset.Part, err error) {
	names := []string{organizationsName}
	around = &dataset.Part{}
	if part > 0 {
		of, err := l.records(ctx, aroundName(part))
		if err != nil {
			return nil, nil, err
		}
		names, around = append(names, partName(part)), of.Whole()
	}
	set, err = l.records(ctx, names...)
	return set, around, err
}

// records reads what archives hold together.
func (l *Load) records(ctx context.Context, names ...string) (*dataset.Set, error) {
	all := &zip.Reader{}
	for _, name := range names {
		content, err := l.Folder.Get(ctx, name)
		if err != nil {
			return nil, err
		}
		of, err := commit.OpenArchive(content)
		if err != nil {
			return nil, err
		}
		all.File = append(all.File, of.File...)
	}
	return dataset.Read(ctx, all, dataset.Options{LineLimit: commit.LineLimit})
}

// unfit keeps the faults of a part, with the lines of the dataset.
func (l *Load) unfit(ctx context.Context, part int, faults *dataset.Faults) error {
	from := lines{}
	for _, n := range []int{0, part} {
		of, err := get[lines](ctx, l.Folder, linesName(n))
		if err != nil {
			return err
		}
		if of != nil {
			maps.Copy(from, *of)
		}
	}
	found := &dataset.Faults{}
	for _, f := range faults.List {
		found.Add(from.origin(f))
	}
	found.More += faults.More
	return put(ctx, l.Folder, projectedName(part), projected{Faults: found})
}

// writeRuns writes what a part comes to, bucket by bucket, and returns how many records
// each bucket has.
func (l *Load) writeRuns(ctx context.Context, part, buckets int, writes *spool.Spool) ([]int, error) {
	runs, packer := make([]spool.Run, buckets), spool.NewPacker(flate.BestSpeed)
	for {
		r, err := writes.Next()
		if err != nil {
			return nil, err
		}
		if r == nil {
			break
		}
		runs[bucketOf(r.Name, buckets)].Add(packer, r)
	}
	counts := make([]int, buckets)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(transfers)
	for bucket := range runs {
		r := &runs[bucket]
		r.End(packer)
		if counts[bucket] = r.Records; r.Records > 0 {
			g.Go(func() error { return l.Folder.Put(ctx, runName(bucket, part), r.Packed.Bytes()) })
		}
	}
	return counts, g.Wait()
}

// bucketOf is the bucket of what belongs to a list, or a partition.
func bucketOf(name string, buckets int) int {
	h := fnv.New64a()
	_, _ = io.WriteString(h, name)
	return int(h.Sum64() % uint64(buckets)) //nolint:gosec // at most maxBuckets
}
