package commit

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"sort"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"touchline/shared/loader/diff"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// Writer brings the differences into the table: what is derived, then the lists
// that say what there is, and the records that changed last. Of a long load it
// marks how far it has come, and it goes on from the mark of one before.
type Writer struct {
	Table    *store.Table
	Empty    bool       // the load began on an empty table
	Journal  string     // its id
	Resumed  bool       // an earlier run wrote, and how far is known by
	From     Checkpoint // which is zero where it left no mark
	Pace     Pace
	Pause    func() bool // nil: never
	Progress func(done, all int)

	mu          sync.Mutex
	done, all   int
	checkpoint  Checkpoint
	checkpoints bool
	paused      bool
}

// Pace says in what portions a load is written.
type Pace struct {
	// Ops bounds the list operations handed over at once, Items the items: so
	// that progress shows, memory stays bounded, and a load that is killed loses
	// no more than some seconds of work.
	Ops, Items int
	// CheckpointFrom is the number of entries from which on a load is marked. It is less
	// than Ops.
	CheckpointFrom int
	// InHead bounds, in bytes, a journal that lies in its head. A small load saves
	// the writes of an item of its own; a large one would pay for the journal with
	// each renewal of the lease, which holds the head.
	InHead int
}

// DefaultPace is the pace of a loader that is given none.
func DefaultPace() Pace {
	return Pace{Ops: 100_000, Items: 2000, CheckpointFrom: 20_000, InHead: 16 << 10}
}

// ErrPaused is the error of a load that was asked to stop (Loader.Pause). The
// next one goes on from there.
var ErrPaused = errors.New("the load has paused, the next one goes on with it")

func (w *Writer) Write(ctx context.Context, s *diff.Lists, i *diff.Items) error {
	w.all = s.Size()
	for _, rank := range i.Ranks {
		w.all += len(rank)
	}
	w.checkpoint = w.From
	w.checkpoint.Journal, w.checkpoint.Order, w.checkpoint.Lists = w.Journal, writeOrder, maps.Clone(w.From.Lists)
	w.checkpoints = w.all >= w.Pace.CheckpointFrom || w.From.Phase > 0 || len(w.From.Lists) > 0
	phases := []func(phase int) error{
		func(n int) error { return w.items(ctx, n, i.Ranks[diff.RankParts]) },
		func(n int) error { return w.lists(ctx, n, s, diff.DerivedLists) },
		func(n int) error { return w.items(ctx, n, i.Ranks[diff.RankDerived]) },
		func(n int) error { return w.lists(ctx, n, s, diff.IndexLists) },
		func(n int) error { return w.items(ctx, n, i.Ranks[diff.RankFollowed]) },
		func(n int) error { return w.lists(ctx, n, s, diff.Removals) },
		func(n int) error { return w.items(ctx, n, i.Ranks[diff.RankDetail]) },
		func(n int) error { return w.items(ctx, n, i.Ranks[diff.RankRemoved]) },
		func(n int) error { return w.items(ctx, n, i.Ranks[diff.RankSource]) },
		func(n int) error { return w.items(ctx, n, i.Ranks[diff.RankOldParts]) },
	}
	for n, phase := range phases {
		if err := phase(n); err != nil {
			return err
		}
		if n < w.From.Phase {
			continue
		}
		next := Checkpoint{Journal: w.Journal, Order: writeOrder, Phase: n + 1}
		if err := w.advanceCheckpoint(ctx, func(m *Checkpoint) { *m = next }); err != nil {
			return err
		}
		if w.stopping() && n+1 < len(phases) {
			return ErrPaused
		}
	}
	return nil
}

// advanceCheckpoint notes that the load has come further, and marks it.
func (w *Writer) advanceCheckpoint(ctx context.Context, further func(*Checkpoint)) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	further(&w.checkpoint)
	if !w.checkpoints {
		return nil
	}
	return w.checkpoint.write(ctx, w.Table)
}

// stopping reports whether the load is to stop where it is. It stops only where
// a mark says how far it came: what is not marked would be done again.
func (w *Writer) stopping() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.paused = w.paused || w.checkpoints && w.Pause != nil && w.Pause()
	return w.paused
}

func (w *Writer) items(ctx context.Context, phase int, writes []store.Write) error {
	slices.SortFunc(writes, byKey)
	stand := 0
	switch {
	case phase < w.From.Phase:
		stand = len(writes)
	case phase == w.From.Phase:
		if last := (store.Write{Key: store.Key{PK: w.From.PK, SK: w.From.SK}}); last.Key.PK != "" {
			stand = sort.Search(len(writes), func(i int) bool { return byKey(writes[i], last) > 0 })
		}
	}
	w.advance(stand)
	for writes = writes[stand:]; len(writes) > 0; {
		n := portion(writes, w.Pace.Items)
		if err := w.Table.Write(ctx, writes[:n]); err != nil {
			return err
		}
		w.advance(n)
		last := writes[n-1].Key
		if writes = writes[n:]; len(writes) == 0 {
			break // the end of the phase is marked
		}
		if err := w.advanceCheckpoint(ctx, func(m *Checkpoint) { m.PK, m.SK = last.PK, last.SK }); err != nil {
			return err
		}
		if w.stopping() {
			return ErrPaused
		}
	}
	return nil
}

// byKey is the order that items are handed over in: what refers to others before
// them, and then by key. A local engine keeps items in the order of keys, so
// that what is written at once lies together in its file.
func byKey(a, b store.Write) int {
	return cmp.Or(cmp.Compare(records.ReferenceOrder(a.Key), records.ReferenceOrder(b.Key)), strings.Compare(a.Key.PK, b.Key.PK), strings.Compare(a.Key.SK, b.Key.SK))
}

// portion is how many of writes, which are in order, are handed over at once.
// Deletions are of one kind: a record that is left must find what it refers to,
// or it would be taken for nothing when the load is done again.
func portion(writes []store.Write, most int) int {
	n := min(most, len(writes))
	for i := 1; i < n; i++ {
		if writes[0].Item == nil && records.ReferenceOrder(writes[i].Key) != records.ReferenceOrder(writes[0].Key) {
			return i
		}
	}
	return n
}

func (w *Writer) advance(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done += n
	if w.Progress != nil {
		w.Progress(w.done, w.all)
	}
}

// parallelLists is how many shelves are written side by side: while one is
// being encoded another keeps the table busy.
const parallelLists = 3

func (w *Writer) lists(ctx context.Context, phase int, s *diff.Lists, which diff.ListPhase) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(parallelLists)
	for number, f := range s.All() {
		g.Go(func() error { return w.Apply(ctx, position{phase, number}, f.Take(which)) })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.paused {
		return ErrPaused
	}
	return nil
}

// position is a shelf in a phase.
type position struct{ phase, lists int }

// isDone reports whether a mark says of a list that it stands.
func (w *Writer) isDone(at position, list string) bool {
	if at.phase != w.From.Phase {
		return at.phase < w.From.Phase
	}
	last, some := w.From.Lists[at.lists]
	return some && list <= last
}

// suspect reports whether an earlier run may have been killed while it wrote
// the first portion that does not stand of a shelf. Each further portion was
// not begun, since the mark of the one before was not written.
func (w *Writer) suspect(at position, portion int) bool {
	unmarked := w.From.Phase == 0 && len(w.From.Lists) == 0 // a portion is a whole phase then
	return w.Resumed && portion == 0 && (unmarked || at.phase == w.From.Phase)
}

// Apply makes the edits of one kind of lists, in portions.
func (w *Writer) Apply(ctx context.Context, at position, pending diff.Pending) error {
	var (
		lists        []string
		ops, portion int
	)
	flush := func() error {
		if len(lists) == 0 || w.stopping() {
			return nil
		}
		suspect := w.suspect(at, portion)
		options := pagedlist.Options{Fresh: w.Empty && !suspect, Sweep: suspect}
		if err := pending.Apply(ctx, w.Table, lists, options); err != nil {
			return err
		}
		last := lists[len(lists)-1]
		w.advance(ops)
		lists, ops, portion = lists[:0], 0, portion+1
		return w.advanceCheckpoint(ctx, func(m *Checkpoint) {
			if m.Lists == nil {
				m.Lists = map[int]string{}
			}
			m.Lists[at.lists] = last
		})
	}
	for _, name := range pending.Lists() {
		n := pending.Count(name)
		if w.isDone(at, name) {
			pending.Drop(name)
			w.advance(n)
			continue
		}
		lists = append(lists, name)
		ops += n
		if ops >= w.Pace.Ops {
			if err := flush(); err != nil || w.stopping() {
				return err
			}
		}
	}
	return flush()
}
