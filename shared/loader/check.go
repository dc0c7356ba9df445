package loader

import (
	"cmp"
	"context"
	"slices"

	"touchline/shared/loader/sources"
	"touchline/shared/store/records"
)

// Difference is an item or a list of the table that is not as the records of the
// table make it.
type Difference struct {
	Place   string `json:"place"`   // "item <pk> <sk>" or "list <name>"
	Problem string `json:"problem"` // what is wrong there
}

// CheckReport is what a check found.
type CheckReport struct {
	Records     int            `json:"records"`        // that everything else follows from
	Items       int            `json:"items"`          // compared, without those of lists
	Lists       int            `json:"lists"`          // compared
	Lost        []sources.Lost `json:"lost,omitempty"` // records that only an import brings back
	Differences []Difference   `json:"differences,omitempty"`
	Mended      bool           `json:"mended,omitempty"` // the differences are gone
}

// Check computes, from the source records of the table, what one load of them into an
// empty table would write, and compares every item with that. Mend writes the items that
// differ; killed, it may be repeated, since the records stay. Check holds the lease, so
// that no load runs meanwhile. It reads the whole table, and needs as much memory as a
// first load of it. The error is ErrUnfinished where a load was interrupted.
func (l *Loader) Check(ctx context.Context, mend bool) (*CheckReport, error) {
	ctx, own, err := l.take(ctx)
	if err != nil {
		return nil, err
	}
	defer own.lock.Free()
	empty, err := l.checkLayout(ctx)
	if err != nil {
		return nil, err
	}
	if err := unfinished(own.lock.Header, nil); err != nil {
		return nil, err
	}
	b, err := newRebuild(ctx, own.Loader, nil)
	if err != nil {
		return nil, err
	}
	defer b.close()
	if empty && b.report.Records > 0 {
		b.differ(placeOf(records.VersionKey()), "is missing")
	}
	slices.SortFunc(b.report.Differences, func(a, b Difference) int { return cmp.Compare(a.Place, b.Place) })
	b.report.Lost = b.sources.Report()
	if mend && len(b.report.Differences) > 0 {
		if err := own.make(ctx, b.writes, false); err != nil {
			return nil, err
		}
		b.report.Mended = true
	}
	return b.report, nil
}
