package conduct

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
	"touchline/shared/loader"
	"touchline/shared/loader/commit"
	"touchline/shared/stack"
	"touchline/shared/store/generation"
)

// How many buckets there are: a bucket for so many records of the dataset. Some 30
// entries of lists and 3 items follow from each.
const (
	bucketRecords = 20_000
	maxBuckets    = 1000
)

// Plan reads the dataset, checks it, and divides it. Its errors are those of
// loader.Load, also *dataset.Faults; open is not called where the load is planned
// already.
func (l *Load) Plan(ctx context.Context, open func(context.Context) (fs.FS, error), opts loader.Options, now time.Time) error {
	head, err := l.head(ctx)
	if err != nil {
		return err
	}
	if p, err := l.planned(ctx); err != nil || p != nil {
		return err
	}
	if head.Conducted.Decided > 0 {
		_, err := l.plan(ctx) // another might differ from what is being written
		return err
	}
	d, err := (&loader.Loader{Table: l.Table, Now: func() time.Time { return now }}).Divide(ctx, open, opts, l.PartRecords)
	if err != nil {
		return err
	}
	if l.TooLarge != nil {
		if faults := l.TooLarge(d.Largest()); faults != nil {
			return faults
		}
	}
	p := &plan{Format: format, Layout: generation.Layout, Began: now.UnixMilli(), Parts: 1 + d.Parts(), Report: d.Report}
	records, err := l.writeParts(ctx, d)
	if err != nil {
		return err
	}
	p.Buckets = min(max(1, records/cmp.Or(l.BucketRecords, bucketRecords)), maxBuckets)
	if err := put(ctx, l.Folder, stack.WorkBuckets, items(p.Buckets, func(n *int) Item { return Item{Bucket: n} })); err != nil {
		return err
	}
	if err := put(ctx, l.Folder, stack.WorkParts, items(p.Parts, func(n *int) Item { return Item{Part: n} })); err != nil {
		return err
	}
	return put(ctx, l.Folder, planName, p)
}

func items(n int, item func(*int) Item) []Item {
	all := make([]Item, n)
	for i := range all {
		all[i] = item(new(i))
	}
	return all
}

// writeParts writes the parts of a dataset, and returns how many records they have.
func (l *Load) writeParts(ctx context.Context, d *loader.Division) (records int, err error) {
	organizations := d.Organizations()
	if err := l.writePart(ctx, 0, organizationsName, organizations); err != nil {
		return 0, err
	}
	records = organizations.Len()
	for i := range d.Parts() {
		part, around, err := d.Part(i)
		if err != nil {
			return 0, err
		}
		if err := l.writePart(ctx, 1+i, partName(1+i), part); err != nil {
			return 0, err
		}
		if _, err := l.writeRecords(ctx, aroundName(1+i), around); err != nil {
			return 0, err
		}
		records += part.Len()
	}
	return records, nil
}

// writePart writes a part, and where its lines come from.
func (l *Load) writePart(ctx context.Context, n int, name string, part *dataset.Part) error {
	from, err := l.writeRecords(ctx, name, part)
	if err != nil {
		return err
	}
	return put(ctx, l.Folder, linesName(n), from)
}

// writeRecords writes records in the dataset format, and returns where the lines come
// from.
func (l *Load) writeRecords(ctx context.Context, name string, part *dataset.Part) (lines, error) {
	j, from := commit.NewArchive(), lines{}
	if part.Len() == 0 {
		j.Begin(files.Organizations) // a dataset is never without any file
	}
	add(j, from, files.Organizations, part.Organizations)
	add(j, from, files.Competitions, part.Competitions)
	add(j, from, files.Teams, part.Teams)
	add(j, from, files.Players, part.Players)
	add(j, from, files.Matches, part.Matches)
	add(j, from, files.Standings, part.Standings)
	archive, err := j.Bytes()
	if err != nil {
		return nil, err
	}
	return from, l.Folder.Put(ctx, name, archive)
}

// add adds records to a part.
func add[T dataset.Entity](j *commit.Archive, from lines, kind files.Kind, records []*dataset.Record[T]) {
	if len(records) == 0 {
		return
	}
	of := &origins{File: records[0].Origin.File, Lines: make([]int, len(records))}
	for i, r := range records {
		of.Lines[i] = r.Origin.Line
		commit.AddRecord(j, kind, r)
	}
	from[files.Names()[kind]] = of
}

// Progress says how far a load is.
type Progress struct {
	Parts, Projected int // 0 parts: not planned yet
	Buckets, Merged  int
}

// String is the progress in words.
func (p Progress) String() string {
	switch {
	case p.Parts == 0:
		return "planning"
	case p.Merged == 0 && p.Projected < p.Parts:
		return fmt.Sprintf("computing what changes: %d of %d parts", p.Projected, p.Parts)
	}
	return fmt.Sprintf("writing: %d of %d buckets", p.Merged, p.Buckets)
}

// ProgressOf says how far the load of a folder is.
func ProgressOf(ctx context.Context, folder Folder) (Progress, error) {
	p, err := get[plan](ctx, folder, planName)
	if err != nil || p == nil {
		return Progress{}, err
	}
	parts, err := folder.List(ctx, projectedFolder)
	if err != nil {
		return Progress{}, err
	}
	buckets, err := folder.List(ctx, mergedFolder)
	return Progress{Parts: p.Parts, Projected: len(parts), Buckets: p.Buckets, Merged: len(buckets)}, err
}
