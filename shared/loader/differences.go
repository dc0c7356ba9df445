package loader

import (
	"cmp"
	"context"
	"fmt"

	"touchline/shared/loader/history"
	"touchline/shared/loader/lines"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// differences say what becomes of records. Given is what the dataset calls an
// id.
func (r *run) differences(ctx context.Context, noted []history.Record, given func(sport.ID) string) ([]history.Change, error) {
	if err := r.fetchDetails(ctx, noted); err != nil {
		return nil, err
	}
	var changes []history.Change
	for _, of := range noted {
		if r.erasure.Erases(&of) {
			changes = append(changes, history.Change{Op: history.Delete, Record: of, Erased: true})
			continue
		}
		before, err := lines.Of(r.world, of, world.Before)
		if err != nil {
			return nil, err
		}
		after, err := lines.Of(r.world, of, world.After)
		if err != nil {
			return nil, err
		}
		c, err := history.Compare(of, before, after, history.Names{
			Key:  func(id sport.ID) string { return r.called(id, given) },
			Name: func(id sport.ID) string { return cmp.Or(lines.Name(r.world, id), r.called(id, given)) },
		})
		if err != nil {
			return nil, fmt.Errorf("compare %s %s: %w", of.Kind, of.ID, err)
		}
		changes = append(changes, c)
	}
	return changes, nil
}

// fetchDetails reads line-ups, events and figures of the matches among records.
func (r *run) fetchDetails(ctx context.Context, noted []history.Record) error {
	var matches []sport.ID
	for _, of := range noted {
		if of.Kind == sport.KindMatch {
			matches = append(matches, of.ID)
		}
	}
	r.fetch.Details(ctx, matches)
	return r.fetch.Err()
}

// called is what the operator calls an id: as the dataset does, or else as its record
// does.
func (r *run) called(id sport.ID, given func(sport.ID) string) string {
	if key := given(id); key != string(id) {
		return key
	}
	return lines.Key(r.world, id)
}
