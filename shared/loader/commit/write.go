package commit

import (
	"context"
	"errors"

	"touchline/shared/loader/diff"
	"touchline/shared/loader/spool"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
)

// Writer makes the writes of a load, phase by phase. It writes checkpoints of a long
// load, and continues from the checkpoint of an earlier run.
type Writer struct {
	Table    *store.Table
	Lists    []diff.AnyEdits // of lists, by number
	Empty    bool            // the load began on an empty table
	Journal  string          // its id
	Resumed  bool            // an earlier run has written some of it
	From     Checkpoint      // of that run; zero if it left none
	Pace     Pace
	Pause    func() bool // nil: never
	Progress func(done, all int)

	all         int
	checkpoints bool
	done        int // records in the table
	passed      int // records begun since From
	saved       int // of done, when the last checkpoint was written
	paused      bool
	at          Checkpoint // of what is in the table
	flights     []*flight
}

// Pace bounds the portions in which a load is written.
type Pace struct {
	// Ops bounds the changes of lists between two checkpoints, Items the items. So
	// a load that is killed loses no more than some seconds of work. Portions are
	// smaller: some of them are written in parallel.
	Ops, Items int
	// CheckpointFrom is the number of entries from which on a load has
	// checkpoints. It is less than Ops.
	CheckpointFrom int
	// ShortJournal bounds, in bytes, a journal that is not in pieces.
	ShortJournal int
}

// DefaultPace is the pace of a loader that sets none.
func DefaultPace() Pace {
	return Pace{Ops: 100_000, Items: 4000, CheckpointFrom: 20_000, ShortJournal: pieceSize}
}

// parallel is how many portions are written at once: while one is encoded,
// another keeps the table busy.
const parallel = 4

// ErrPaused is the error of a load that was asked to stop (Loader.Pause). The
// next one goes on from there.
var ErrPaused = errors.New("the load has paused, the next one goes on with it")

// portion is what is written together: records of one phase.
type portion struct {
	phase   diff.Phase
	schema  byte
	items   []store.Write
	lists   []pagedlist.Changes
	began   bool // the first list began in an earlier portion
	cut     bool // the last list goes on in the next portion
	records int
	end     spool.Place // up to which all is written once it is
}

// flight is a portion that is being written.
type flight struct {
	portion
	err chan error
}

// Source is what is written: records in the order of their places, each place once.
type Source interface {
	Len() int                     // how many there are, at least
	Next() (*spool.Record, error) // nil at the end
}

// Write writes what a source holds.
func (w *Writer) Write(ctx context.Context, s Source) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	defer func() {
		cancel()
		for _, f := range w.flights { // of a load that has failed
			<-f.err //nolint:errcheck // the load has failed already
		}
	}()
	w.all = s.Len()
	w.at = w.From
	w.at.Journal, w.at.Order = w.Journal, writeOrder
	w.checkpoints = w.all >= w.Pace.CheckpointFrom || w.From.begun()
	var p portion
	for {
		r, err := s.Next()
		if err != nil {
			return err
		}
		if r != nil && w.From.covers(r.Place) {
			w.done++
			continue
		}
		if p.records > 0 && (r == nil || w.full(&p, r)) {
			p.cut = r != nil && p.continues(r)
			if !p.cut && p.phase.OfLists() {
				p.end = p.endsWith(p.list())
			}
			if err := w.begin(ctx, p); err != nil {
				return err
			}
			p = portion{began: p.cut}
			if w.paused && r != nil {
				return w.pause(ctx)
			}
		}
		if r == nil {
			break
		}
		if err := p.add(r); err != nil {
			return err
		}
	}
	if err := w.land(ctx, 0); err != nil {
		return err
	}
	w.done = w.all // what was put twice is written once
	w.report()
	return nil
}

// pause ends the load once what was begun is in the table and a checkpoint says
// so: anything after it would be repeated.
func (w *Writer) pause(ctx context.Context) error {
	if err := w.land(ctx, 0); err != nil {
		return err
	}
	if err := w.at.write(ctx, w.Table); err != nil {
		return err
	}
	return ErrPaused
}

func (w *Writer) report() {
	if w.Progress != nil {
		w.Progress(w.done, w.all)
	}
}

// list is the name of the list that the portion ends with.
func (p *portion) list() string {
	if len(p.lists) == 0 {
		return ""
	}
	return p.lists[len(p.lists)-1].List
}

// endsWith is the end of a portion of which a list is the last that is complete.
func (p *portion) endsWith(list string) spool.Place {
	return spool.Place{Phase: byte(p.phase), Schema: p.schema, Name: list}
}

// continues reports whether a record is of the list that the portion ends with.
func (p *portion) continues(r *spool.Record) bool {
	return p.phase.OfLists() && p.phase == diff.Phase(r.Phase) && p.schema == r.Schema && p.list() == r.Name
}

// full reports whether a record begins the next portion.
func (w *Writer) full(p *portion, r *spool.Record) bool {
	switch {
	case p.phase != diff.Phase(r.Phase):
		return true
	case !p.phase.OfLists():
		return p.records >= max(1, w.Pace.Items/parallel)
	case p.schema != r.Schema:
		return true
	}
	size := max(1, w.Pace.Ops/parallel)
	return p.records >= size && (!p.continues(r) || p.records >= parallel*size)
}

// add adds a record, and moves the end of the portion to it: if it is an item, or
// to the last list before its own.
func (p *portion) add(r *spool.Record) error {
	p.phase, p.schema = diff.Phase(r.Phase), r.Schema
	p.records++
	if !p.phase.OfLists() {
		write, err := diff.WriteOf(r)
		p.items = append(p.items, write)
		p.end = r.Place
		return err
	}
	if p.list() != r.Name {
		if before := p.list(); before != "" {
			p.end = p.endsWith(before)
		}
		p.lists = append(p.lists, pagedlist.Changes{List: r.Name})
	}
	change, err := diff.ChangeOf(r)
	last := &p.lists[len(p.lists)-1]
	last.All = append(last.All, change)
	return err
}

// begin begins to write a portion, once there is room for it.
func (w *Writer) begin(ctx context.Context, p portion) error {
	room := parallel - 1
	if p.began || len(w.flights) > 0 && w.flights[len(w.flights)-1].phase != p.phase {
		room = 0 // it has to follow what is being written
	}
	if err := w.land(ctx, room); err != nil {
		return err
	}
	if !p.began && !p.cut { // in a long list there is no checkpoint
		w.passed += p.records
	}
	suspect := w.suspect()
	f := &flight{p, make(chan error, 1)}
	w.flights = append(w.flights, f)
	go func() { f.err <- w.put(ctx, &f.portion, suspect) }()
	return nil
}

// suspect reports whether an earlier run may have been killed while it wrote the
// portion that begins now: one that is not far behind its checkpoint. That is as
// much as a run writes from one checkpoint to the next, and what it had begun.
func (w *Writer) suspect() bool {
	return w.Resumed && (!w.checkpoints || w.passed <= (parallel+2)*max(w.Pace.Ops, w.Pace.Items))
}

// put writes a portion.
func (w *Writer) put(ctx context.Context, p *portion, suspect bool) error {
	if !p.phase.OfLists() {
		return w.Table.Write(ctx, p.items)
	}
	options := pagedlist.Options{Fresh: w.Empty && !suspect && !p.began, Clean: suspect && !p.cut}
	return w.Lists[p.schema].Apply(ctx, w.Table, p.lists, options)
}

// land waits until no more than so many portions are being written, and reports
// what is in the table. It ends the load where it is to pause.
func (w *Writer) land(ctx context.Context, room int) error {
	for len(w.flights) > room {
		f := w.flights[0]
		err := <-f.err
		w.flights = w.flights[1:]
		if err != nil {
			return err
		}
		w.done += f.records
		w.report()
		if f.end.Name != "" {
			w.at.Place = f.end
		}
		if err := w.checkpoint(ctx, f.phase); err != nil {
			return err
		}
	}
	return nil
}

// checkpoint writes a checkpoint where enough was written since the last one, and asks
// whether to pause.
func (w *Writer) checkpoint(ctx context.Context, of diff.Phase) error {
	enough := w.Pace.Items
	if of.OfLists() {
		enough = w.Pace.Ops
	}
	if !w.checkpoints || w.done-w.saved < enough {
		return nil
	}
	w.saved = w.done
	if err := w.at.write(ctx, w.Table); err != nil {
		return err
	}
	w.paused = w.paused || w.Pause != nil && w.Pause()
	return nil
}
