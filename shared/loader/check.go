package loader

import (
	"context"

	"touchline/shared/dataset"
	"touchline/shared/loader/change"
	"touchline/shared/loader/erasure"
	"touchline/shared/loader/integrity"
)

// check refuses records in the view after that do not fit together or with what is stored,
// and deletions that are likely an accident. It takes what is erased out of what stays; nil:
// nothing is.
func (b *base) check(ctx context.Context, in *input, c *change.Changes, part *dataset.Part, opts Options) (*erasure.Erasure, error) {
	set, report := in.set, c.Report
	checker := &integrity.Checker{Changes: c, Fetch: b.fetch, Faults: &dataset.Faults{}, Given: in.called}
	if err := checker.Check(ctx, set, part, opts.Replace); err != nil {
		return nil, err
	}
	e, err := erasure.Begin(ctx, checker, set)
	if err != nil {
		return nil, err
	}
	if e != nil {
		report.Namesakes = e.Namesakes
	}
	report.Erased, report.Returned, report.Told = len(set.Erased), len(in.back), len(in.told)
	odd, err := checker.Odd(ctx, set, part, b.now(), b.empty || opts.Replace)
	if err != nil {
		return nil, err
	}
	for _, w := range odd {
		set.Warnings.Add(w)
	}
	warnings := set.Warnings.With(nil)
	if opts.Strict {
		checker.Faults.Merge(warnings.Faults())
		warnings = warnings.Notes()
	}
	if checker.Faults.Count() > 0 {
		checker.Faults.Warnings = warnings
		return nil, checker.Faults
	}
	report.Faults, report.Warnings, report.Moved = in.faults, warnings, checker.Moved
	deletions := in.undoes == nil && (opts.Replace || opts.AllowDeletes != nil)
	return e, integrity.Guard(set, report, deletions, opts.AllowDeletes)
}
