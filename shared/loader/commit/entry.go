package commit

import (
	"encoding/json"
	"fmt"

	"touchline/shared/loader/history"
	"touchline/shared/store"
)

// KeptChanges bounds the changes that are kept of a load: those that a person reads.
const KeptChanges = 100

// Detail is what an entry of the history says, as JSON.
type Detail struct {
	Report *Report `json:"report"`
	More   int     `json:"more,omitempty"`
}

// DetailOf reads what an entry says; the zero value where that was lost.
func DetailOf(e *history.Entry) (Detail, error) {
	var d Detail
	if len(e.Detail) == 0 {
		return d, nil
	}
	if err := json.Unmarshal(e.Detail, &d); err != nil {
		return Detail{}, fmt.Errorf("read what load %d did: %w", e.Number, err)
	}
	return d, nil
}

// EntryOf makes the writes that keep a load in the history. E says when the load began
// and who loads; it is completed. Changes are the first of count. Undo is the way back,
// nil for none.
func EntryOf(e *history.Entry, head *Head, changes []history.Change, count int, undo *history.Undo) ([]store.Write, error) {
	e.Number, e.ID = head.Number, head.ID
	listed := changes[:min(len(changes), KeptChanges)]
	report := head.Report.kept()
	report.Changes = listed
	text, err := json.Marshal(Detail{Report: report, More: count - len(listed)})
	if err != nil {
		return nil, err
	}
	return e.Writes(text, undo)
}
