package loader

import (
	"cmp"
	"context"
	"io/fs"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/loader/diff"
	"touchline/shared/loader/division"
)

// Division is a first load that was checked and divided, of which nothing is computed
// yet: each of its parts can be computed elsewhere (ComputePart).
type Division struct {
	Report *Report // its warnings, the faults of what was left out, and counts of deletions
	set    *dataset.Set
	parts  []division.Part
	run    *run
}

// conductedRecords is how many records a part has that is computed elsewhere: more than
// one in turn, since the organizations are read with each.
const conductedRecords = 50_000

// Divide reads and checks a dataset as Load does where the table is empty, and divides
// it into parts of at least so many records, 0 for the usual number. It writes
// nothing. Its errors are those of LoadFrom.
func (l *Loader) Divide(ctx context.Context, open func(context.Context) (fs.FS, error), opts Options, size int) (*Division, error) {
	r := l.newRun(true, new(counter))
	r.changes.Journal = nil
	set, err := r.read(ctx, l.opened(open), opts)
	if err != nil {
		return nil, err
	}
	d := &Division{Report: r.changes.Report, set: set, run: r, parts: division.Divide(set, cmp.Or(size, conductedRecords))}
	return d, r.apply(ctx, division.Deletions(set))
}

// Organizations are those of the dataset, deletions included. They are of no part, and
// around each.
func (d *Division) Organizations() *dataset.Part {
	return &dataset.Part{Organizations: d.set.Organizations}
}

// Parts is how many there are.
func (d *Division) Parts() int { return len(d.parts) }

// Part unpacks a part and the records of other parts around it, with what they take
// from others filled in.
func (d *Division) Part(i int) (part, around *dataset.Part, err error) {
	part, around = d.parts[i].Of(d.set), d.parts[i].Around.Of(d.set)
	for _, m := range slices.Concat(part.Matches, around.Matches) {
		if err := d.run.resolve(m); err != nil {
			return nil, nil, err
		}
	}
	return part, around, nil
}

// ComputePart computes a part of a first load, whose set holds all organizations of
// the load as well: these are computed where the set holds nothing else. What is around
// the part is not. It puts what is to be written into the sink, and returns the counts
// with the first of the changes and how many changes there are. The error is
// *dataset.Faults for what the table cannot hold.
func (l *Loader) ComputePart(ctx context.Context, set *dataset.Set, around *dataset.Part, sink diff.Sink) (report *Report, changes int, err error) {
	r := l.newRun(true, sink)
	r.changes.Journal, r.kept, r.given = nil, &kept{}, set.Given
	if set.Len() > len(set.Organizations) {
		r.around = around
	}
	if err := r.compute(ctx, set); err != nil {
		return nil, 0, err
	}
	if faults := r.bounds(set); faults != nil {
		return nil, 0, faults
	}
	r.changes.Report.Changes = r.kept.changes
	return r.changes.Report, r.kept.count, nil
}
