package loader

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"

	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/list"
)

// project computes what of the affected differs between the two views.
func (p *projector) project(a *affected) error {
	steps := []func() error{
		eachOf(p, a.organizations, p.organization),
		eachOf(p, a.competitions, p.competition),
		eachOf(p, a.teams, p.team),
		eachOf(p, a.players, p.player),
		eachOf(p, a.matches, p.match),
		eachOf(p, a.tables, func(id sport.ID) { p.tables(a.seasonsOf(id)) }),
		eachOf(p, a.given, p.givenTable),
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func eachOf[K comparable, V any](p *projector, ids map[K]V, project func(K)) func() error {
	return func() error {
		for id := range ids {
			project(id)
			p.shelves.settle()
			if err := p.items.settle(); err != nil {
				return err
			}
		}
		return nil
	}
}

// writer brings the differences into the table: the lists, then what is
// derived, and the records that changed last.
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
	if err := w.lists(ctx, s); err != nil {
		return err
	}
	for _, rank := range i.ranks {
		if err := w.items(ctx, rank); err != nil {
			return err
		}
	}
	return nil
}

// step bounds what is handed to the table at once, so that progress shows and
// memory stays bounded.
const step = 2000

func (w *writer) items(ctx context.Context, writes []store.Write) error {
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

func (w *writer) lists(ctx context.Context, s *shelves) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(shelvesAtOnce)
	for _, f := range s.each() {
		g.Go(func() error { return f.apply(ctx, w) })
	}
	return g.Wait()
}

// stepOps bounds the list operations handed over at once.
const stepOps = 100_000

func (s *shelf[T]) apply(ctx context.Context, w *writer) error {
	var edits []list.Edit[T]
	ops := 0
	flush := func() error {
		if len(edits) == 0 {
			return nil
		}
		if _, err := list.Apply(ctx, w.table, s.kind, edits, list.Options{Fresh: w.empty}); err != nil {
			return err
		}
		w.advance(ops)
		edits, ops = edits[:0], 0
		return nil
	}
	for name, changes := range s.edits {
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
	apply(ctx context.Context, w *writer) error
}

func (s *shelves) each() []anyShelf {
	return []anyShelf{
		s.organizationsByID, s.organizationsByName, s.trees,
		s.competitionsByID, s.competitionsByName,
		s.teamsByID, s.teamsByName,
		s.playersByID, s.playersByName, s.squads,
		s.matches, s.ids, s.lineups, s.tables,
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
