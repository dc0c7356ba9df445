package history

import (
	"fmt"
	"strings"
)

// UndoneError is the error of Undo where the last load was an undo itself: what
// was asked for is done.
type UndoneError struct {
	Number int // of the load that was undone
	By     int // the number of the undo
}

// Error names the load.
func (e *UndoneError) Error() string {
	return fmt.Sprintf("load %d is undone already, by load %d", e.Number, e.By)
}

// ChangedError refuses to undo a load after which its records were changed by
// other means than a load of this version.
type ChangedError struct {
	Number  int      `json:"load"`
	Records []Record `json:"changedSince"`
}

// shownChanged bounds the records that the message names.
const shownChanged = 10

// Error names the first of the records.
func (e *ChangedError) Error() string {
	names := make([]string, min(len(e.Records), shownChanged))
	for i := range names {
		r := e.Records[i]
		names[i] = strings.TrimSpace(fmt.Sprintf("%s %s %s", r.Kind, r.ID, r.Table))
	}
	if more := len(e.Records) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return fmt.Sprintf("load %d cannot be undone: changed since by other means: %s", e.Number, strings.Join(names, ", "))
}
