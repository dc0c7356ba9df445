package commit

import (
	"context"
	"encoding/json"
	"fmt"

	"touchline/shared/dataset"
	"touchline/shared/loader/history"
)

// KeptChanges bounds the changes that are kept of a load: those that a person reads.
const KeptChanges = 100

// Detail is what an entry of the history says, as JSON.
type Detail struct {
	Report *Report `json:"report"`
	More   int     `json:"more,omitempty"` // changes beyond those of the report
}

// DetailOf reads what an entry says.
func DetailOf(e *history.Entry) (d Detail, err error) {
	if err = json.Unmarshal(e.Detail, &d); err != nil {
		err = fmt.Errorf("read what load %d did: %w", e.Number, err)
	}
	return d, err
}

// kept is a report as the history keeps it: keys and counts, and no text that names
// anybody, so that an erasure has nothing to rewrite (D64). Changes are those to keep.
func (r Report) kept(changes []history.Change) *Report {
	r.Changes, r.Moves, r.MoreMoves = nil, nil, 0
	for _, c := range changes {
		if !c.Erased {
			r.Changes = append(r.Changes, c.Kept())
		}
	}
	if r.Finished != nil {
		r.Finished = r.Finished.kept(nil)
	}
	if r.Faults != nil {
		r.Faults = &dataset.Faults{More: r.Faults.Count()}
	}
	if r.Warnings != nil {
		r.Warnings = &dataset.Warnings{More: r.Warnings.Count()}
	}
	return &r
}

// Enter numbers the load of Head, which is about to be decided, and writes its entry of the
// history. Loads that are too old go; days is how long they are kept from now on, 0: as
// before. E says when the load began and who loads. Changes are the first of count. Undo is
// the way back, nil for none.
func (h *Held) Enter(ctx context.Context, e *history.Entry, days int, changes []history.Change, count int, undo *history.Undo) error {
	head := h.Head
	head.Number = h.Mark.Number + 1
	head.Report.Number = head.Number
	if e.Number, e.ID = head.Number, head.ID; head.Pieces == 0 {
		e.Journal = head.short
	}
	report := head.Report.kept(changes[:min(len(changes), KeptChanges)])
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
