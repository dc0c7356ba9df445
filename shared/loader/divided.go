package loader

import (
	"cmp"
	"context"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/loader/affected"
	"touchline/shared/loader/change"
	"touchline/shared/loader/commit"
	"touchline/shared/loader/division"
	"touchline/shared/loader/integrity"
	"touchline/shared/sport"
)

// fewChanges is the part of the records of a part that may change before a load is
// computed in parts.
const fewChanges = 250

// divide divides a load that changes much of what the table holds; nil: all of it is
// computed at once. The dataset has to be all that the table is to hold: it then says how
// the records are joined that do not change.
func (r *run) divide(ctx context.Context, set *dataset.Set) (*division.Change, error) {
	w, size := r.world, cmp.Or(r.loader.part, partRecords)
	changes := w.Competitions.Changes()
	few := len(changes)+len(w.Teams.Changes())+len(w.Players.Changes())+len(w.Matches.Changes())+len(w.Tables.Changes()) <= size/fewChanges
	if r.part == nil || few && len(w.Organizations.Changes()) == 0 {
		return nil, nil //nolint:nilnil // at once
	}
	d, err := division.OfChange(ctx, set, w, r.loader.Table, size)
	if err != nil || d.Parts() < 2 {
		return nil, err
	}
	return d, nil
}

// computeParts computes a change part by part, and before them the organizations,
// which are around each. What was applied to check the dataset is applied again, in
// a world for each part, without counting and noting it once more.
func (r *run) computeParts(ctx context.Context, set *dataset.Set, divided *division.Change) error {
	if err := r.remember(ctx); err != nil {
		return err
	}
	parts := divided.Divide(r.part, r.world)
	first := slices.DeleteFunc(r.part.Organizations, func(x *dataset.Record[sport.Organization]) bool {
		return !r.world.Organizations.WillChange(x.ID)
	})
	noted := r.changes
	noted.World, noted.Noted, r.part = nil, nil, nil
	defer func() { r.changes = noted }()
	r.changes = &change.Changes{Report: &commit.Report{}, Exact: noted.Exact, Now: noted.Now}
	r.renew()
	if err := r.apply(ctx, &dataset.Part{Organizations: first}); err != nil {
		return err
	}
	records, above, err := affected.Organizations(ctx, r.world, r.fetch)
	if err != nil {
		return err
	}
	if err := r.project(records, nil); err != nil {
		return err
	}
	integrity.Ranges(r.world, set, r.unfit)
	organizations := r.world
	owned := make([]int, len(parts))
	for id := range above.Owned(organizations) {
		if n, ok := divided.Of(id); ok {
			owned[n]++
		}
	}
	for i := range parts {
		r.all += parts[i].Len() + owned[i]
	}
	for i := range parts {
		p := &parts[i]
		size := p.Len() + owned[i]
		if size == 0 {
			continue
		}
		r.renew()
		r.world.Surround(organizations, func(id sport.ID) bool { n, ok := divided.Of(id); return ok && n == i })
		if err := r.apply(ctx, p); err != nil {
			return err
		}
		records, err := above.Below(ctx, r.world, r.fetch)
		if err != nil {
			return err
		}
		if err := r.project(records, r.portion(size)); err != nil {
			return err
		}
	}
	return nil
}
