package journal

import (
	"cmp"
	"context"
	"sync"

	"touchline/shared/loader/diff"
	"touchline/shared/loader/spool"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
)

// Writer makes the writes of a load, phase by phase, in portions of which some are made
// side by side.
type Writer struct {
	Table    *store.Table
	Lists    []diff.Stored // by number
	Fresh    bool          // the load began on an empty table
	Again    bool          // another run may have made some of the writes
	Progress func(done, all int)
	Portion  int // weight; 0: as usual
}

// The weight of a change of a list is 1. An item takes as long to write as some 25
// changes, which lie in chunks.
const (
	usualPortion = 25_000
	itemWeight   = 25
	parallel     = 4 // portions: while one is encoded, another keeps the table busy
)

// portion is what is written together: writes of one phase, of one schema.
type portion struct {
	phase  diff.Phase
	schema byte
	items  []store.Write
	lists  []pagedlist.Changes
	begun  bool // the first list began in an earlier portion
	weight int
}

// Source is what is written: records in the order of their places, each place once.
type Source interface {
	Len() int                     // how many there are
	Next() (*spool.Record, error) // nil at the end
}

// Write makes the writes of a source.
func (w *Writer) Write(ctx context.Context, s Source) error {
	w.Portion = cmp.Or(w.Portion, usualPortion)
	p := &portion{}
	var together []*portion
	for n := 0; ; n++ {
		r, err := s.Next()
		if err != nil {
			return err
		}
		if p.weight > 0 && (r == nil || w.full(p, r)) {
			goesOn := r != nil && p.continues(r)
			// What follows a phase, or goes on with a list, waits for what is before it.
			if together = append(together, p); len(together) == parallel || r == nil || goesOn || p.phase != diff.Phase(r.Phase) {
				if err := w.make(ctx, together); err != nil {
					return err
				}
				w.Progress(n, s.Len())
				together = nil
			}
			p = &portion{begun: goesOn}
		}
		if r == nil {
			w.Progress(s.Len(), s.Len())
			return nil
		}
		if err := p.add(r); err != nil {
			return err
		}
	}
}

// continues reports whether a record is of the list that the portion ends with.
func (p *portion) continues(r *spool.Record) bool {
	return p.phase.OfLists() && p.phase == diff.Phase(r.Phase) && p.schema == r.Schema &&
		len(p.lists) > 0 && p.lists[len(p.lists)-1].List == r.Name
}

// full reports whether a record begins the next portion. A list is cut only where it is
// so long that memory would not hold it.
func (w *Writer) full(p *portion, r *spool.Record) bool {
	switch {
	case p.phase != diff.Phase(r.Phase) || p.phase.OfLists() && p.schema != r.Schema:
		return true
	case p.continues(r):
		return p.weight >= parallel*w.Portion
	}
	return p.weight >= w.Portion
}

func (p *portion) add(r *spool.Record) (err error) {
	if !diff.Phase(r.Phase).OfLists() {
		p.phase, p.weight = diff.Phase(r.Phase), p.weight+itemWeight
		write, err := diff.WriteOf(r)
		p.items = append(p.items, write)
		return err
	}
	p.phase, p.schema, p.weight = diff.Phase(r.Phase), r.Schema, p.weight+1
	if !p.continues(r) {
		p.lists = append(p.lists, pagedlist.Changes{List: r.Name})
	}
	change, err := diff.ChangeOf(r)
	last := &p.lists[len(p.lists)-1]
	last.All = append(last.All, change)
	return err
}

// make writes portions side by side.
func (w *Writer) make(ctx context.Context, together []*portion) error {
	errs := make([]error, len(together))
	var wait sync.WaitGroup
	for i, p := range together {
		wait.Go(func() { errs[i] = w.put(ctx, p) })
	}
	wait.Wait()
	return cmp.Or(errs...)
}

func (w *Writer) put(ctx context.Context, p *portion) error {
	if !p.phase.OfLists() {
		return w.Table.Write(ctx, p.items)
	}
	return w.Lists[p.schema].Apply(ctx, w.Table, p.lists, pagedlist.Options{Fresh: w.Fresh && !p.begun, Again: w.Again})
}
