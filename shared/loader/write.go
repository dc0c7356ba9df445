package loader

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

	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
)

// project computes what of the affected differs between the two views.
func (p *projector) project(a *affected) error {
	steps := []func() error{
		eachOf(p, a.organizations, sure(p.organization)),
		eachOf(p, a.competitions, sure(p.competition)),
		eachOf(p, a.teams, sure(p.team)),
		eachOf(p, a.players, sure(p.player)),
		eachOf(p, a.matches, p.match),
		eachOf(p, a.sums, func(id sport.ID) error { p.sums(seasonsOf(a.sums, id)); return nil }),
		eachOf(p, a.teamSums, p.teamSeasons),
		eachOf(p, a.playerSums, p.playerSeasons),
		eachOf(p, a.tables, func(id sport.ID) error { p.tables(seasonsOf(a.tables, id)); return nil }),
		eachOf(p, a.given, sure(p.givenTable)),
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func sure[K any](project func(K)) func(K) error {
	return func(k K) error { project(k); return nil }
}

func eachOf[K comparable, V any](p *projector, ids map[K]V, project func(K) error) func() error {
	return func() error {
		for id := range ids {
			if err := project(id); err != nil {
				return err
			}
			p.shelves.settle()
			if err := p.items.settle(); err != nil {
				return err
			}
		}
		return nil
	}
}

// writer brings the differences into the table: what is derived, then the lists
// that say what there is, and the records that changed last. Of a long load it
// marks how far it has come, and it goes on from the mark of one before.
type writer struct {
	table    *store.Table
	empty    bool   // the load began on an empty table
	journal  string // its id
	resumed  bool   // an earlier run wrote, and how far is known by
	from     mark   // which is zero where it left no mark
	pace     pace
	pause    func() bool // nil: never
	progress func(done, all int)

	mu        sync.Mutex
	done, all int
	mark      mark
	marking   bool
	paused    bool
}

// pace says in what portions a load is written.
type pace struct {
	// ops bounds the list operations handed over at once, items the items: so
	// that progress shows, memory stays bounded, and a load that is killed loses
	// no more than some seconds of work.
	ops, items int
	// marked is the number of entries from which on a load is marked. It is less
	// than ops.
	marked int
}

func defaultPace() pace { return pace{ops: 100_000, items: 2000, marked: 20_000} }

// ErrPaused is the error of a load that was asked to stop (Loader.Pause). The
// next one goes on from there.
var ErrPaused = errors.New("the load has paused, the next one goes on with it")

func (w *writer) write(ctx context.Context, s *shelves, i *items) error {
	w.all = s.size()
	for _, rank := range i.ranks {
		w.all += len(rank)
	}
	w.mark = w.from
	w.mark.Journal, w.mark.Order, w.mark.Lists = w.journal, writeOrder, maps.Clone(w.from.Lists)
	w.marking = w.all >= w.pace.marked || w.from.Phase > 0 || len(w.from.Lists) > 0
	phases := []func(phase int) error{
		func(n int) error { return w.lists(ctx, n, s, derivedLists) },
		func(n int) error { return w.items(ctx, n, i.ranks[rankDerived]) },
		func(n int) error { return w.lists(ctx, n, s, indexes) },
		func(n int) error { return w.items(ctx, n, i.ranks[rankFollowed]) },
		func(n int) error { return w.lists(ctx, n, s, leavings) },
		func(n int) error { return w.items(ctx, n, i.ranks[rankDetail]) },
		func(n int) error { return w.items(ctx, n, i.ranks[rankGone]) },
		func(n int) error { return w.items(ctx, n, i.ranks[rankSource]) },
	}
	for n, phase := range phases {
		if err := phase(n); err != nil {
			return err
		}
		if n < w.from.Phase {
			continue
		}
		next := mark{Journal: w.journal, Order: writeOrder, Phase: n + 1}
		if err := w.reach(ctx, func(m *mark) { *m = next }); err != nil {
			return err
		}
		if w.stopping() && n+1 < len(phases) {
			return ErrPaused
		}
	}
	return nil
}

// reach notes that the load has come further, and marks it.
func (w *writer) reach(ctx context.Context, further func(*mark)) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	further(&w.mark)
	if !w.marking {
		return nil
	}
	return w.mark.write(ctx, w.table)
}

// stopping reports whether the load is to stop where it is. It stops only where
// a mark says how far it came: what is not marked would be done again.
func (w *writer) stopping() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.paused = w.paused || w.marking && w.pause != nil && w.pause()
	return w.paused
}

// isIndex reports whether fetch.go reads a list to learn what the table holds.
// Such lists are written when all that is computed from them stands: a load that
// is done again must find the same view before, or nothing left to do.
func isIndex(name string) bool {
	kind, _, _ := strings.Cut(name, ".")
	switch kind {
	case "x", "xo", "xk", "xt", "xc", "xr", "xl", "xb", "xf", "kt", "kp", "km", "tm", "sq", "pm":
		return true
	}
	return false
}

// findsOthers reports whether an entity that leaves a list does so only when the
// records that follow others stand: by the list it is found as one of them. Not
// the players of a tournament: who of them was there by a line-up is known by
// such a record, and found by the match.
func findsOthers(name string) bool { return isIndex(name) && !strings.HasPrefix(name, "kp.") }

// listPhase says which edits of lists a phase makes.
type listPhase int

const (
	derivedLists listPhase = iota // of what is not an index
	indexes                       // of what is one
	leavings                      // what leaves an index
)

// editsOf takes from a shelf the edits of a phase.
func editsOf[T any](s *shelf[T], phase listPhase) map[string][]pagedlist.Op[T] {
	if phase == leavings {
		return s.leaving
	}
	edits := map[string][]pagedlist.Op[T]{}
	for name, ops := range s.edits {
		if isIndex(name) == (phase == indexes) {
			edits[name] = ops
			delete(s.edits, name)
		}
	}
	return edits
}

func (w *writer) items(ctx context.Context, phase int, writes []store.Write) error {
	slices.SortFunc(writes, byKey)
	stand := 0
	switch {
	case phase < w.from.Phase:
		stand = len(writes)
	case phase == w.from.Phase:
		if last := (store.Write{Key: store.Key{PK: w.from.PK, SK: w.from.SK}}); last.Key.PK != "" {
			stand = sort.Search(len(writes), func(i int) bool { return byKey(writes[i], last) > 0 })
		}
	}
	w.advance(stand)
	for writes = writes[stand:]; len(writes) > 0; {
		n := portion(writes, w.pace.items)
		if err := w.table.Write(ctx, writes[:n]); err != nil {
			return err
		}
		w.advance(n)
		last := writes[n-1].Key
		if writes = writes[n:]; len(writes) == 0 {
			break // the end of the phase is marked
		}
		if err := w.reach(ctx, func(m *mark) { m.PK, m.SK = last.PK, last.SK }); err != nil {
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
	return cmp.Or(cmp.Compare(referring(a), referring(b)), strings.Compare(a.Key.PK, b.Key.PK), strings.Compare(a.Key.SK, b.Key.SK))
}

// referring is the place of an item's kind in the order of references: matches,
// players, teams, competitions, organizations.
func referring(w store.Write) int { return strings.IndexByte("MPTCO", w.Key.PK[0]) }

// portion is how many of writes, which are in order, are handed over at once.
// Deletions are of one kind: a record that is left must find what it refers to,
// or it would be taken for nothing when the load is done again.
func portion(writes []store.Write, most int) int {
	n := min(most, len(writes))
	for i := 1; i < n; i++ {
		if writes[0].Item == nil && referring(writes[i]) != referring(writes[0]) {
			return i
		}
	}
	return n
}

func (w *writer) advance(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done += n
	if w.progress != nil {
		w.progress(w.done, w.all)
	}
}

// shelvesAtOnce is how many shelves are written side by side: while one is
// being encoded another keeps the table busy.
const shelvesAtOnce = 3

func (w *writer) lists(ctx context.Context, phase int, s *shelves, which listPhase) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(shelvesAtOnce)
	for number, f := range s.each() {
		g.Go(func() error { return f.apply(ctx, w, place{phase, number}, which) })
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

// place is a shelf in a phase.
type place struct{ phase, shelf int }

// stands reports whether a mark says of a list that it stands.
func (w *writer) stands(at place, list string) bool {
	if at.phase != w.from.Phase {
		return at.phase < w.from.Phase
	}
	last, some := w.from.Lists[at.shelf]
	return some && list <= last
}

// suspect reports whether an earlier run may have been killed while it wrote
// the first portion that does not stand of a shelf. Each further portion was
// not begun, since the mark of the one before was not written.
func (w *writer) suspect(at place, portion int) bool {
	unmarked := w.from.Phase == 0 && len(w.from.Lists) == 0 // a portion is a whole phase then
	return w.resumed && portion == 0 && (unmarked || at.phase == w.from.Phase)
}

func (s *shelf[T]) apply(ctx context.Context, w *writer, at place, which listPhase) error {
	var (
		edits        []pagedlist.Edit[T]
		ops, portion int
		last         string
	)
	flush := func() error {
		if len(edits) == 0 || w.stopping() {
			return nil
		}
		suspect := w.suspect(at, portion)
		options := pagedlist.Options{Fresh: w.empty && !suspect, Sweep: suspect}
		if _, err := s.memo.Apply(ctx, w.table, s.kind, edits, options); err != nil {
			return err
		}
		w.advance(ops)
		edits, ops, portion = edits[:0], 0, portion+1
		return w.reach(ctx, func(m *mark) {
			if m.Lists == nil {
				m.Lists = map[int]string{}
			}
			m.Lists[at.shelf] = last
		})
	}
	all := editsOf(s, which)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		changes := all[name]
		delete(all, name)
		if w.stands(at, name) {
			w.advance(len(changes))
			continue
		}
		edits, last = append(edits, pagedlist.Edit[T]{List: name, Ops: changes}), name
		ops += len(changes)
		if ops >= w.pace.ops {
			if err := flush(); err != nil || w.stopping() {
				return err
			}
		}
	}
	return flush()
}

func (s *shelf[T]) size() int {
	n := 0
	for _, edits := range []map[string][]pagedlist.Op[T]{s.edits, s.leaving} {
		for _, ops := range edits {
			n += len(ops)
		}
	}
	return n
}

// anyShelf is a shelf of some kind.
type anyShelf interface {
	settle()
	size() int
	apply(ctx context.Context, w *writer, at place, which listPhase) error
}

func (s *shelves) each() []anyShelf {
	return []anyShelf{
		s.organizationsByID, s.organizationsByName, s.trees,
		s.competitionsByID, s.competitionsByName,
		s.teamsByID, s.teamsByName,
		s.playersByID, s.playersByName, s.squads,
		s.matches, s.ids, s.lineups, s.tables,
		s.clubEntries, s.performances, s.contributions, s.scorers, s.cards,
	}
}

// settle ends the projection of an entity.
func (s *shelves) settle() {
	for _, f := range s.each() {
		f.settle()
	}
}

func (s *shelves) size() int {
	n := 0
	for _, f := range s.each() {
		n += f.size()
	}
	return n
}
