package loader

import (
	"cmp"
	"fmt"

	"touchline/shared/loader/history"
	"touchline/shared/loader/sources"
	"touchline/shared/sport"
)

// change says what becomes of a record, whose lines are those before and after the load.
func (r *run) change(of history.Record, before, after []byte) (history.Change, error) {
	if r.erasure.Erases(&of) {
		return history.Change{Op: history.Delete, Record: of, Erased: true}, nil
	}
	c, err := history.Compare(of, before, after, history.Names{
		Key:  r.called,
		Name: func(id sport.ID) string { return cmp.Or(sources.Name(r.world, id), r.called(id)) },
	})
	if err != nil {
		return c, fmt.Errorf("compare %s %s: %w", of.Kind, of.ID, err)
	}
	return c, nil
}

// called is what the operator calls an id: as the dataset does, or else as its record
// does.
func (r *run) called(id sport.ID) string {
	if key := r.given(id); key != string(id) {
		return key
	}
	return sources.Key(r.world, id)
}
