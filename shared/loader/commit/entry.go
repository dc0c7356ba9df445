package commit

import (
	"context"
	"encoding/json"
	"fmt"

	"touchline/shared/loader/history"
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

// Enter numbers the load of Head, which is about to be decided, and writes its entry of the
// history. Loads that are too old go; days is how long they are kept from now on, 0: as
// before. E says when the load began and who loads. Changes are the first of count. Undo is
// the way back, nil for none.
func (h *Held) Enter(ctx context.Context, e *history.Entry, days int, changes []history.Change, count int, undo *history.Undo) error {
	head := h.Head
	head.Number = h.Mark.Number + 1
	head.Report.Number = head.Number
	e.Number, e.ID, e.Journal = head.Number, head.ID, head.Short
	report := head.Report.forHistory()
	report.Changes = changes[:min(len(changes), KeptChanges)]
	text, err := json.Marshal(Detail{Report: report, More: count - len(report.Changes)})
	if err != nil {
		return err
	}
	writes, err := e.Writes(text, undo)
	if err != nil {
		return err
	}
	kept, old, err := h.Mark.Kept.Add(ctx, h.Table, e, days)
	if err != nil {
		return err
	}
	head.Past = kept
	return h.Table.Write(ctx, append(writes, old...))
}
