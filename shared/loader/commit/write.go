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

// Writer writes the edits of a load: derived items first, then the lists that
// records are found by, and the changed records last. It writes checkpoints of
// a long load, and continues from the checkpoint of an earlier run.
type Writer struct {
	Table    *store.Table
	Empty    bool       // the load began on an empty table
	Journal  string     // its id
	Resumed  bool       // an earlier run has written some of it
	From     Checkpoint // of that run; zero if it left none
	Pace     Pace
	Pause    func() bool // nil: never
	Progress func(done, all int)

	mu          sync.Mutex
	done, all   int
	checkpoint  Checkpoint
	checkpoints bool
	paused      bool
}

// Pace bounds the portions in which a load is written.
type Pace struct {
	// Ops bounds the list operations of a portion, Items its items. So progress
	// shows, memory stays bounded, and a load that is killed loses no more than
	// some seconds of work.
	Ops, Items int
	// CheckpointFrom is the number of entries from which on a load has
	// checkpoints. It is less than Ops.
	CheckpointFrom int
	// InHead bounds, in bytes, a journal that is stored in its head. A small
	// load saves the writes of a separate item; a large one would pay for the
	// journal with each renewal of the lease, whose item holds the head.
	InHead int
}

// DefaultPace is the pace of a loader that sets none.
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

// advanceCheckpoint updates the checkpoint and stores it.
func (w *Writer) advanceCheckpoint(ctx context.Context, further func(*Checkpoint)) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	further(&w.checkpoint)
	if !w.checkpoints {
		return nil
	}
	return w.checkpoint.write(ctx, w.Table)
}

// stopping reports whether the load is to stop here. It stops only where a
// checkpoint has been written: anything after it would be repeated.
func (w *Writer) stopping() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.paused = w.paused || w.checkpoints && w.Pause != nil && w.Pause()
	return w.paused
}

func (w *Writer) items(ctx context.Context, phase int, writes []store.Write) error {
	slices.SortFunc(writes, byKey)
	written := 0 // by an earlier run
	switch {
	case phase < w.From.Phase:
		written = len(writes)
	case phase == w.From.Phase:
		if last := (store.Write{Key: store.Key{PK: w.From.PK, SK: w.From.SK}}); last.Key.PK != "" {
			written = sort.Search(len(writes), func(i int) bool { return byKey(writes[i], last) > 0 })
		}
	}
	w.advance(written)
	for writes = writes[written:]; len(writes) > 0; {
		n := portion(writes, w.Pace.Items)
		if err := w.Table.Write(ctx, writes[:n]); err != nil {
			return err
		}
		w.advance(n)
		last := writes[n-1].Key
		if writes = writes[n:]; len(writes) == 0 {
			break // the end of the phase has a checkpoint
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

// byKey is the order in which items are written: those that refer to others
// before these, and then by key. A local engine stores items in the order of
// keys, so neighbours in a portion are neighbours in its file.
func byKey(a, b store.Write) int {
	return cmp.Or(cmp.Compare(records.ReferenceOrder(a.Key), records.ReferenceOrder(b.Key)), strings.Compare(a.Key.PK, b.Key.PK), strings.Compare(a.Key.SK, b.Key.SK))
}

// portion is how many of writes, which are in order, make the next portion. A
// portion deletes records of one kind only: a record that remains must find
// those it refers to, or a repeated load would take it for missing.
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

// parallelLists is how many sets of list edits are written in parallel: while
// one is encoded, another keeps the table busy.
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

// position is a set of list edits in a phase.
type position struct{ phase, lists int }

// isDone reports whether an earlier run has written a list, by its checkpoint.
func (w *Writer) isDone(at position, list string) bool {
	if at.phase != w.From.Phase {
		return at.phase < w.From.Phase
	}
	last, some := w.From.Lists[at.lists]
	return some && list <= last
}

// suspect reports whether an earlier run may have been killed while it wrote
// this portion. Only the first portion without a checkpoint can be affected:
// the next one is not begun before that checkpoint is written.
func (w *Writer) suspect(at position, portion int) bool {
	unmarked := w.From.Phase == 0 && len(w.From.Lists) == 0 // a portion is a whole phase then
	return w.Resumed && portion == 0 && (unmarked || at.phase == w.From.Phase)
}

// Apply makes one set of list edits, in portions.
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
