package conduct

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"touchline/shared/dataset"
	"touchline/shared/loader"
	"touchline/shared/loader/history"
	"touchline/shared/store/generation"
)

// Decide decides a load whose parts are all projected: from then on the table is not
// empty any more. Where the table cannot hold it the error is *dataset.Faults, and the
// table is as it was.
func (l *Load) Decide(ctx context.Context) error {
	return l.hold(ctx, func(h *Held) error {
		if h.Head.Conducted.Decided > 0 {
			return nil
		}
		p, err := l.plan(ctx)
		if err != nil {
			return err
		}
		all, err := l.projections(ctx, p.Parts)
		if err != nil {
			return err
		}
		sum := total(p, all)
		if sum.Faults.Count() > 0 {
			return sum.Faults
		}
		if err := put(ctx, l.Folder, decidedName, decided{Records: sum.Records}); err != nil {
			return err
		}
		h.Head.Report, h.Head.Conducted.Decided = sum.Report, l.Number
		e := &history.Entry{Began: p.Began, By: h.Lease.Label}
		if err := h.Enter(ctx, e, 0, sum.Changes, sum.Count, nil); err != nil {
			return err
		}
		if _, err := generation.Begin(ctx, h.Table); err != nil {
			return err
		}
		return h.Head.Write(ctx, h.Lease)
	})
}

// projections reads what the projections of all parts say.
func (l *Load) projections(ctx context.Context, parts int) ([]*projected, error) {
	all := make([]*projected, parts)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(transfers)
	for part := range all {
		g.Go(func() (err error) {
			all[part], err = get[projected](ctx, l.Folder, projectedName(part))
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	if done := slices.DeleteFunc(slices.Clone(all), func(of *projected) bool { return of == nil }); len(done) < parts {
		return nil, &RefusedError{fmt.Sprintf("%d of %d parts are not projected", parts-len(done), parts)}
	}
	return all, nil
}

// total adds up what the plan and the projections of all parts say.
func total(p *plan, all []*projected) *projected {
	sum := &projected{Faults: &dataset.Faults{}, Report: p.Report, Records: make([]int, p.Buckets)}
	for _, of := range all {
		sum.Faults.Merge(of.Faults)
		if of.Report == nil {
			continue
		}
		sum.Report.Join(of.Report)
		sum.Changes = append(sum.Changes, of.Changes...)
		sum.Count += of.Count
		for bucket, n := range of.Records {
			sum.Records[bucket] += n
		}
	}
	if sum.Faults.Count() > 0 {
		sum.Faults.Warnings = p.Report.Warnings
	}
	return sum
}

// Finish ends a load whose buckets are all merged. It calls finished with the report
// before the load's head is removed, and again if it is repeated because it was killed
// then.
func (l *Load) Finish(ctx context.Context, finished func(label string, r *loader.Report) error) error {
	return l.hold(ctx, func(h *Held) error {
		p, err := l.plan(ctx)
		if err != nil {
			return err
		}
		done, err := l.Folder.List(ctx, mergedFolder)
		if err != nil {
			return err
		}
		if h.Head.Conducted.Decided == 0 || len(done) < p.Buckets {
			return &RefusedError{fmt.Sprintf("%d of %d buckets are written", len(done), p.Buckets)}
		}
		if err := busy(h.CheckIdle(ctx)); err != nil {
			return err
		}
		if err := generation.End(ctx, h.Table, h.Head.Number, h.Lease.Now()); err != nil {
			return err
		}
		if err := finished(h.Head.Label, h.Head.Report); err != nil {
			return err
		}
		return h.End(ctx, false)
	})
}
