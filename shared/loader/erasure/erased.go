package erasure

import (
	"context"
	"slices"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/loader/diff"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// Erased are the records that were erased, with the day, as YYYY-MM-DD (D69).
type Erased map[dataset.Target]string

// ReadErased reads them, in one query of some 50 bytes each. A load does so only where the
// mark of the last one says that there are any.
func ReadErased(ctx context.Context, table *store.Table) (Erased, error) {
	items, err := table.Query(ctx, store.Query{PK: records.JournalPK, Prefix: records.ErasedPrefix, Consistent: true})
	if err != nil {
		return nil, err
	}
	all := Erased{}
	for _, item := range items {
		r, err := store.Decode[records.ErasedRecord](item)
		if err != nil {
			return nil, err
		}
		all[dataset.Target{Kind: r.Kind, ID: r.ID, Season: r.Season}] = r.Day
	}
	return all, nil
}

// Back finds the records of a set that were erased: those that may come back, since their
// keys or ids are allowed, and the faults of the others.
func (e Erased) Back(set *dataset.Set, allowed []string) (let []dataset.Target, faults []dataset.Fault) {
	for t, day := range e {
		found := origins(set, t)
		switch {
		case len(found) == 0:
		case slices.Contains(allowed, set.Given(t.ID)), slices.Contains(allowed, string(t.ID)):
			let = append(let, t)
		default:
			for _, at := range found {
				faults = append(faults, dataset.Fault{
					File: at.File, Line: at.Line, Field: "id",
					Message: "was erased on " + day + `, and stays so: only "touchline import --allow-erased KEY" lets it come back`,
				})
			}
		}
	}
	return let, faults
}

// origins are where a set brings a record: of a competition, each season that was erased.
func origins(set *dataset.Set, t dataset.Target) (found []dataset.Origin) {
	if t.Kind != sport.KindCompetition {
		if set.Find(t) == dataset.Present {
			found = append(found, set.Origin(t.Kind, t.ID))
		}
		return found
	}
	for _, c := range set.Competitions {
		if c.ID == t.ID && !c.Deleted && (t.Season == 0 || t.Season == c.Value.Season) {
			found = append(found, c.Origin)
		}
	}
	return found
}

// Change keeps what is erased, and forgets what was let back, with the writes of a load.
func (e Erased) Change(items *diff.Items, erased, let []dataset.Target, now time.Time) {
	put := func(v world.View, t dataset.Target, day string) {
		items.Put(v, records.ErasedKey(t.Kind, t.ID, t.Season), &records.ErasedRecord{Kind: t.Kind, ID: t.ID, Season: t.Season, Day: day})
	}
	for _, t := range let {
		put(world.Before, t, e[t])
	}
	for _, t := range erased {
		if e[t] == "" {
			put(world.After, t, now.UTC().Format(time.DateOnly))
		}
	}
}
