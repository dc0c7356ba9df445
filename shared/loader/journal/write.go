package journal

import (
	"context"

	"touchline/shared/loader/diff"
	"touchline/shared/loader/spool"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
)

// Writer makes the writes of a load, phase by phase, in portions of which some are made
// at once.
type Writer struct {
	Table *store.Table
	Lists []diff.AnyEdits // by number
	Fresh bool            // the load began on an empty table
	Again bool            // another run may have made some of the writes
	Made  int             // so many of the first writes are in the table
	// Note keeps Made, now and then in a long load. It may be nil.
	Note     func(ctx context.Context, made int) error
	Progress func(done, all int)
	Portion  int // weight; 0: as usual

	flights []*portion
	weight  int // of what was made since Made was noted
}

// The weight of a change of a list is 1. An item takes as long to write as some 25
// changes, which lie in chunks. A load that is killed makes no more again than some
// seconds' work: what it had in hand, and what it has made since it last noted that.
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
	ends   bool // the last list ends with this one
	weight int
	upTo   int // so many writes are made once this portion is
	whole  int // of these, those before a list that goes on
	err    chan error
}

// Source is what is written: records in the order of their places, each place once.
type Source interface {
	Len() int                     // how many there are, at least
	Next() (*spool.Record, error) // nil at the end
}

// Write makes the writes of a source, but for the first Made.
func (w *Writer) Write(ctx context.Context, s Source) error {
	ctx, cancel := context.WithCancel(ctx)
	defer func() {
		cancel()
		for _, p := range w.flights { // of a load that has failed
			<-p.err //nolint:errcheck // the load has failed already
		}
	}()
	if w.Portion == 0 {
		w.Portion = usualPortion
	}
	p := &portion{}
	for n := 0; ; n++ {
		r, err := s.Next()
		if err != nil {
			return err
		}
		if r != nil && n < w.Made {
			continue
		}
		if p.weight > 0 && (r == nil || w.full(p, r)) {
			p.upTo, p.ends = n, r == nil || !p.continues(r)
			if p.ends {
				p.whole = n
			}
			if err := w.begin(ctx, p, s.Len()); err != nil {
				return err
			}
			p = &portion{begun: !p.ends, whole: p.whole}
		}
		if r == nil {
			break
		}
		if err := p.add(r, n); err != nil {
			return err
		}
	}
	if err := w.land(ctx, 0, s.Len()); err != nil {
		return err
	}
	w.report(s.Len(), s.Len()) // what was put twice is written once
	return nil
}

func (w *Writer) report(done, all int) {
	if w.Progress != nil {
		w.Progress(done, all)
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

// add adds a record that comes after n others.
func (p *portion) add(r *spool.Record, n int) (err error) {
	if !diff.Phase(r.Phase).OfLists() {
		p.phase, p.weight = diff.Phase(r.Phase), p.weight+itemWeight
		write, err := diff.WriteOf(r)
		p.items = append(p.items, write)
		return err
	}
	goesOn := p.continues(r) || p.begun && len(p.lists) == 0
	p.phase, p.schema, p.weight = diff.Phase(r.Phase), r.Schema, p.weight+1
	if !goesOn {
		p.whole = n
	}
	if len(p.lists) == 0 || !goesOn {
		p.lists = append(p.lists, pagedlist.Changes{List: r.Name})
	}
	change, err := diff.ChangeOf(r)
	last := &p.lists[len(p.lists)-1]
	last.All = append(last.All, change)
	return err
}

// begin begins to write a portion, once there is room for it.
func (w *Writer) begin(ctx context.Context, p *portion, all int) error {
	room := parallel - 1
	if p.begun || len(w.flights) > 0 && w.flights[len(w.flights)-1].phase != p.phase {
		room = 0 // it has to follow what is being written
	}
	if err := w.land(ctx, room, all); err != nil {
		return err
	}
	p.err = make(chan error, 1)
	w.flights = append(w.flights, p)
	go func() { p.err <- w.put(ctx, p) }()
	return nil
}

// put writes a portion.
func (w *Writer) put(ctx context.Context, p *portion) error {
	if !p.phase.OfLists() {
		return w.Table.Write(ctx, p.items)
	}
	return w.Lists[p.schema].Apply(ctx, w.Table, p.lists, pagedlist.Options{Fresh: w.Fresh && !p.begun, Again: w.Again})
}

// land waits until no more than so many portions are being written, and notes how far
// the load has come.
func (w *Writer) land(ctx context.Context, room, all int) error {
	for len(w.flights) > room {
		p := w.flights[0]
		err := <-p.err
		w.flights = w.flights[1:]
		if err != nil {
			return err
		}
		w.report(p.upTo, all)
		if w.weight += p.weight; w.weight < w.Portion || w.Note == nil {
			continue
		}
		if w.weight = 0; p.whole > w.Made {
			w.Made = p.whole
			if err := w.Note(ctx, w.Made); err != nil {
				return err
			}
		}
	}
	return nil
}
