package loader

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/list"
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
// that say what there is, and the records that changed last.
type writer struct {
	table    *store.Table
	empty    bool
	progress func(done, all int)

	mu        sync.Mutex
	done, all int
}

func (w *writer) write(ctx context.Context, s *shelves, i *items) error {
	w.all = s.size()
	for _, rank := range i.ranks {
		w.all += len(rank)
	}
	steps := []func() error{
		func() error { return w.lists(ctx, s, func(name string) bool { return !isIndex(name) }) },
		func() error { return w.items(ctx, i.ranks[rankDerived]) },
		func() error { return w.lists(ctx, s, isIndex) },
		func() error { return w.items(ctx, i.ranks[rankFollowed]) },
		func() error { return w.items(ctx, i.ranks[rankSource]) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
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

// step bounds what is handed to the table at once, so that progress shows and
// memory stays bounded.
const step = 2000

func (w *writer) items(ctx context.Context, writes []store.Write) error {
	slices.SortFunc(writes, byKey)
	for len(writes) > 0 {
		n := min(step, len(writes))
		if err := w.table.Write(ctx, writes[:n]); err != nil {
			return err
		}
		w.advance(n)
		writes = writes[n:]
	}
	return nil
}

// byKey is the order that items are handed over in. A local engine keeps them
// in it, so that what is written at once lies together in its file.
func byKey(a, b store.Write) int {
	return cmp.Or(strings.Compare(a.Key.PK, b.Key.PK), strings.Compare(a.Key.SK, b.Key.SK))
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

func (w *writer) lists(ctx context.Context, s *shelves, which func(string) bool) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(shelvesAtOnce)
	for _, f := range s.each() {
		g.Go(func() error { return f.apply(ctx, w, which) })
	}
	return g.Wait()
}

// stepOps bounds the list operations handed over at once.
const stepOps = 100_000

func (s *shelf[T]) apply(ctx context.Context, w *writer, which func(string) bool) error {
	var (
		edits []list.Edit[T]
		ops   int
	)
	flush := func() error {
		if len(edits) == 0 {
			return nil
		}
		if _, err := s.memo.Apply(ctx, w.table, s.kind, edits, list.Options{Fresh: w.empty}); err != nil {
			return err
		}
		w.advance(ops)
		edits, ops = edits[:0], 0
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(s.edits)) {
		changes := s.edits[name]
		if !which(name) {
			continue
		}
		edits = append(edits, list.Edit[T]{List: name, Ops: changes})
		ops += len(changes)
		delete(s.edits, name)
		if ops >= stepOps {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

func (s *shelf[T]) size() int {
	n := 0
	for _, ops := range s.edits {
		n += len(ops)
	}
	return n
}

// anyShelf is a shelf of some kind.
type anyShelf interface {
	settle()
	size() int
	apply(ctx context.Context, w *writer, which func(string) bool) error
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
