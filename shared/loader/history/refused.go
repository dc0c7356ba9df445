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
	Number  int      // of the load
	Records []Record // up to 10 of them
	More    int      // beyond those
}

// Error names the records.
func (e *ChangedError) Error() string {
	names := make([]string, len(e.Records))
	for i, r := range e.Records {
		names[i] = strings.TrimSpace(fmt.Sprintf("%s %s %s", r.Kind, r.ID, r.Table))
	}
	if e.More > 0 {
		names = append(names, fmt.Sprintf("%d more", e.More))
	}
	return fmt.Sprintf("load %d cannot be undone: changed since by other means: %s", e.Number, strings.Join(names, ", "))
}
