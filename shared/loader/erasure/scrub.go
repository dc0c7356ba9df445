package erasure

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/loader/change"
	"touchline/shared/loader/history"
	"touchline/shared/loader/integrity"
	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// Erasure is what a load erases.
type Erasure struct {
	ids     []sport.ID
	matches []sport.ID // that named a player
}

// Begin finds what a dataset erases, and takes its players out of stored matches; nil:
// nothing is erased.
func Begin(ctx context.Context, l *integrity.Checker, c *change.Changes, set *dataset.Set) (*Erasure, error) {
	if len(set.Erased) == 0 {
		return nil, nil //nolint:nilnil // it erases nothing
	}
	e := &Erasure{}
	for _, t := range set.Erased {
		e.ids = append(e.ids, t.ID)
	}
	var err error
	e.matches, err = unnamed(ctx, l, c, set.Erased)
	return e, err
}

// Erases reports whether a record is erased, or is part of one.
func (e *Erasure) Erases(r *history.Record) bool { return e != nil && slices.Contains(e.ids, r.ID) }

// Final reports whether what a load does to a record is not undone: it is erased, or
// has named what is.
func (e *Erasure) Final(r *history.Record) bool {
	return e.Erases(r) || e != nil && r.Kind == sport.KindMatch && slices.Contains(e.matches, r.ID)
}

// Scrub removes from what the table keeps of loads all that says something of what is
// erased, nil for nothing, the notes and names of files, which may, and the journals: no
// load is under way that would need one. It may be repeated.
func Scrub(ctx context.Context, table *store.Table, mark history.Mark, e *Erasure) error {
	loads, err := history.Read(ctx, table, mark, history.Range{})
	if err != nil {
		return err
	}
	var writes []store.Write
	kept := map[store.Key]bool{}
	for i := range loads {
		some, err := e.scrubbed(ctx, table, &loads[i])
		if err != nil {
			return fmt.Errorf("erase from load %d: %w", loads[i].Number, err)
		}
		for _, w := range some {
			kept[w.Key] = true
		}
		writes = append(writes, some...)
	}
	for _, prefix := range history.Prefixes() {
		items, err := table.Query(ctx, store.Query{PK: records.JournalPK, Prefix: prefix, Consistent: true})
		if err != nil {
			return err
		}
		for _, item := range items {
			if key := store.KeyOf(item); !kept[key] {
				writes = append(writes, store.Write{Key: key})
			}
		}
	}
	return table.Write(ctx, writes)
}

// scrubbed are the writes of a load without what may say something of what is erased.
func (e *Erasure) scrubbed(ctx context.Context, table *store.Table, of *history.Past) ([]store.Write, error) {
	of.More += len(of.Report.Changes)
	of.Report.Changes = slices.DeleteFunc(of.Report.Changes, func(c history.Change) bool { return e.Erases(&c.Record) })
	of.More -= len(of.Report.Changes)
	back, err := e.wayBack(ctx, table, of)
	if err != nil {
		return nil, err
	}
	of.Note, of.File, of.Journal = "", "", nil
	return of.Writes(back)
}

// wayBack is the way back of a load without the steps of what is erased. It goes whole, nil,
// where another record names what is erased: without that record the load would not be
// undone whole.
func (e *Erasure) wayBack(ctx context.Context, table *store.Table, of *history.Past) (*history.WayBack, error) {
	steps, err := of.Steps(ctx, table)
	if errors.Is(err, history.ErrNoWayBack) {
		return nil, nil //nolint:nilnil // there is none
	}
	back := &history.WayBack{Limit: history.LargestUndo}
	for i := range steps {
		switch {
		case e.Erases(&steps[i].Record):
			continue
		case e.named(steps[i].Back):
			of.Erased = true
			return nil, nil //nolint:nilnil // it goes
		}
		err = cmp.Or(err, back.Add(steps[i]))
	}
	return back, err
}

// named reports whether a line refers to what is erased.
func (e *Erasure) named(line []byte) bool {
	return e != nil && slices.ContainsFunc(e.ids, func(id sport.ID) bool { return bytes.Contains(line, []byte(id)) })
}
