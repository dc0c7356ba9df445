package history

import (
	"errors"
	"fmt"

	"touchline/shared/dataset"
	"touchline/shared/sport"
)

// ErrNotKept is the error of a load that is older than those that are kept.
var ErrNotKept = errors.New("is not kept, so that it cannot be undone")

// From are the entries from that of a load on, the newest first. The error is
// *UndoneError where a later load took it back, and says where it is not kept.
func From(entries []Entry, number int) ([]Entry, error) {
	for i := range entries {
		switch e := &entries[i]; {
		case e.Undoes == number:
			return nil, &UndoneError{Number: number, By: e.Number}
		case e.Number == number:
			return entries[i:], nil
		}
	}
	return nil, fmt.Errorf("load %d %w", number, ErrNotKept)
}

// Only are the steps of records that the operator's keys or ids name, all where none are
// named. The error says which of them the load did not change.
func Only(all []Step, names []string, number int) ([]Step, error) {
	if len(names) == 0 {
		return all, nil
	}
	var some []Step
	for _, name := range names {
		before := len(some)
		for i := range all {
			kind := all[i].Kind
			if kind == KindStandings {
				kind = sport.KindCompetition
			}
			if all[i].ID == dataset.ID(kind, name) {
				some = append(some, all[i])
			}
		}
		if len(some) == before {
			return nil, fmt.Errorf("load %d did not change %q", number, name)
		}
	}
	return some, nil
}
