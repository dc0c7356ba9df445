package diff

import (
	"context"
	"slices"

	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// ListPhase says which edits of lists a phase makes.
type ListPhase int

const (
	DerivedLists ListPhase = iota // of lists that only requests read
	IndexLists                    // of those that the loader reads
	Removals                      // from lists by which other records are found
)

// editsOf returns the edits of a phase.
func editsOf[T any](s *ListEdits[T], phase ListPhase) map[records.List[T]][]pagedlist.Op[T] {
	if phase == Removals {
		return s.leaving
	}
	edits := map[records.List[T]][]pagedlist.Op[T]{}
	for name, ops := range s.edits {
		if (records.RoleOf(name) != records.Shown) == (phase == IndexLists) {
			edits[name] = ops
			delete(s.edits, name)
		}
	}
	return edits
}

// Pending are the edits that a phase makes in the lists of one kind and
// order.
type Pending interface {
	// Lists are the names of the lists that have edits, in order.
	Lists() []string
	// Count is how many edits a list has.
	Count(list string) int
	// Reduce compares the entries that the edits put with a list of the table,
	// and keeps the edits that are still needed.
	Reduce(ctx context.Context, get pagedlist.Getter, list string) (Found, error)
	// Drop discards the edits of a list.
	Drop(list string)
	// Apply makes the edits of lists, and discards them.
	Apply(ctx context.Context, table *store.Table, lists []string, o pagedlist.Options) error
}

// pendingOf are the pending lists of a type of entry.
type pendingOf[T any] struct {
	of    *ListEdits[T]
	edits map[records.List[T]][]pagedlist.Op[T]
}

func (p *pendingOf[T]) Lists() []string {
	var names []string
	for l := range p.edits {
		names = append(names, string(l))
	}
	slices.Sort(names)
	return names
}

func (p *pendingOf[T]) Count(list string) int { return len(p.edits[records.List[T](list)]) }

func (p *pendingOf[T]) Drop(list string) { delete(p.edits, records.List[T](list)) }

func (p *pendingOf[T]) Apply(ctx context.Context, table *store.Table, lists []string, o pagedlist.Options) error {
	edits := make([]pagedlist.Edit[T], len(lists))
	for i, name := range lists {
		edits[i] = pagedlist.Edit[T]{List: name, Ops: p.edits[records.List[T](name)]}
		delete(p.edits, records.List[T](name))
	}
	_, err := p.of.memo.Apply(ctx, table, p.of.Kind, edits, o)
	return err
}

// Take removes the edits of a phase and returns them.
func (s *ListEdits[T]) Take(phase ListPhase) Pending {
	return &pendingOf[T]{s, editsOf(s, phase)}
}

func (s *ListEdits[T]) size() int {
	n := 0
	for _, edits := range []map[records.List[T]][]pagedlist.Op[T]{s.edits, s.leaving} {
		for _, ops := range edits {
			n += len(ops)
		}
	}
	return n
}

// Edits is a ListEdits of any kind.
type Edits interface {
	compare()
	size() int
	Take(phase ListPhase) Pending
	count(ctx context.Context, get pagedlist.Getter, list string) (int, error)
}

func (s *Lists) All() []Edits {
	return []Edits{
		s.OrganizationsByID, s.OrganizationsByName, s.Trees,
		s.CompetitionsByID, s.CompetitionsByName,
		s.TeamsByID, s.TeamsByName,
		s.PlayersByID, s.PlayersByName, s.Squads,
		s.Matches, s.Ids, s.Lineups, s.Tables,
		s.ClubEntries, s.Performances, s.Contributions, s.Scorers, s.Cards,
	}
}

// Compare ends the projection of an entity.
func (s *Lists) Compare() {
	for _, f := range s.All() {
		f.compare()
	}
}

func (s *Lists) Size() int {
	n := 0
	for _, f := range s.All() {
		n += f.size()
	}
	return n
}
