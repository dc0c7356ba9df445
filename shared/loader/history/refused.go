package history

import (
	"errors"
	"fmt"
	"strings"
)

// ErrNotKept is the error of a load that is older than those that are kept.
var ErrNotKept = errors.New("is not kept, so that it cannot be undone")

// UndoneError is the error of an undo that was done before.
type UndoneError struct {
	Number int // of the load that was undone
	By     int // the number of the undo
}

// Error names the load.
func (e *UndoneError) Error() string {
	return fmt.Sprintf("load %d is undone already, by load %d", e.Number, e.By)
}

// ToUndo finds the load to undo among loads, the newest first, that begin with the last.
// The error is *UndoneError where an undo took it back, or where it is one, and else wraps
// ErrNotKept. The load is nil where it is not kept.
func ToUndo(loads []Past, number int) (*Past, error) {
	var undone error
	for i := range loads {
		switch e := &loads[i]; {
		case e.Undoes == number:
			undone = &UndoneError{Number: number, By: e.Number}
		case e.Number == number && e.Undoes > 0:
			return e, &UndoneError{Number: e.Undoes, By: e.Number}
		case e.Number == number:
			return e, undone
		}
	}
	return nil, fmt.Errorf("load %d %w", number, ErrNotKept)
}

// Since is a record that was changed after a load.
type Since struct {
	Record
	Key  string `json:"key,omitempty"`  // the operator's own, where it is known
	Name string `json:"name,omitempty"` // what people call it, where it says
}

// ChangedError refuses to undo a load after which its records were changed (D72).
type ChangedError struct {
	Number  int     `json:"load"`
	Records []Since `json:"changedSince"`
}

// shownChanged bounds the records that the message names.
const shownChanged = 10

// Error names the first of the records.
func (e *ChangedError) Error() string {
	names := make([]string, min(len(e.Records), shownChanged))
	for i := range names {
		names[i] = e.Records[i].called(e.Records[i].Key)
	}
	if more := len(e.Records) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("load %d cannot be undone: changed since: %s", e.Number, strings.Join(names, ", "))
}
