// Package scope answers what is in a key's scope: a record that is not answers
// exactly like one that does not exist (D19, D24), and so does an id that is
// none (D13).
package scope

import (
	"errors"

	"touchline/shared/problem"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// scoped is a record that knows which keys see it.
type scoped[T any] interface {
	*T
	Contains(organization sport.ID, descendants bool) bool
}

// Find gives the record at key, which the snapshot has fetched. The error is
// notFound, about the path's id, where there is none in the scope of the key
// that calls.
func Find[T any, P scoped[T]](s *records.Snapshot, call route.Call, key store.Key) (*T, error) {
	record, err := records.Record[T](s, key)
	if err != nil {
		return nil, err
	}
	if record == nil || !P(record).Contains(call.Organization, call.Descendants) {
		return nil, NotFound(problem.MissingID)
	}
	return record, nil
}

// ID is the path's id. The error is notFound where it has not the form of one.
func ID(call route.Call) (sport.ID, error) {
	if !sport.IsID(call.ID) {
		return "", NotFound(problem.MissingID)
	}
	return sport.ID(call.ID), nil
}

// About makes a notFound one about what; it leaves other errors as they are.
func About(what string, err error) error {
	if e, ok := errors.AsType[*problem.Error](err); ok && e.Code == problem.NotFound {
		return NotFound(what)
	}
	return err
}

// NotFound is the one answer about everything that is not to be seen. What it
// was that the request named, an id, a filter or a season, is for the log.
func NotFound(what string) error { return problem.Missed(what) }
