package diff

import (
	"context"
	"maps"
	"slices"
	"strings"

	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
)

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

// ListPhase says which edits of lists a phase makes.
type ListPhase int

const (
	DerivedLists ListPhase = iota // of what is not an index
	IndexLists                    // of what is one
	Removals                      // what leaves an index
)

// editsOf takes from a shelf the edits of a phase.
func editsOf[T any](s *ListEdits[T], phase ListPhase) map[string][]pagedlist.Op[T] {
	if phase == Removals {
		return s.leaving
	}
	edits := map[string][]pagedlist.Op[T]{}
	for name, ops := range s.edits {
		if isIndex(name) == (phase == IndexLists) {
			edits[name] = ops
			delete(s.edits, name)
		}
	}
	return edits
}

// Pending are the edits that a phase makes in the lists of one kind and
// order.
type Pending interface {
	// names are the lists that have edits, in order.
	Lists() []string
	// count is how many edits a list has.
	Count(list string) int
	// drop forgets the edits of a list.
	Drop(list string)
	// apply makes the edits of lists, and forgets them.
	Apply(ctx context.Context, table *store.Table, lists []string, o pagedlist.Options) error
}

// pendingOf are the pending lists of a type of entry.
type pendingOf[T any] struct {
	of    *ListEdits[T]
	edits map[string][]pagedlist.Op[T]
}

func (p *pendingOf[T]) Lists() []string { return slices.Sorted(maps.Keys(p.edits)) }

func (p *pendingOf[T]) Count(list string) int { return len(p.edits[list]) }

func (p *pendingOf[T]) Drop(list string) { delete(p.edits, list) }

func (p *pendingOf[T]) Apply(ctx context.Context, table *store.Table, lists []string, o pagedlist.Options) error {
	edits := make([]pagedlist.Edit[T], len(lists))
	for i, name := range lists {
		edits[i] = pagedlist.Edit[T]{List: name, Ops: p.edits[name]}
		delete(p.edits, name)
	}
	_, err := p.of.memo.Apply(ctx, table, p.of.Kind, edits, o)
	return err
}

// Take hands over the edits of a phase.
func (s *ListEdits[T]) Take(phase ListPhase) Pending {
	return &pendingOf[T]{s, editsOf(s, phase)}
}

func (s *ListEdits[T]) size() int {
	n := 0
	for _, edits := range []map[string][]pagedlist.Op[T]{s.edits, s.leaving} {
		for _, ops := range edits {
			n += len(ops)
		}
	}
	return n
}

// Edits is a shelf of some kind.
type Edits interface {
	compare()
	size() int
	Take(phase ListPhase) Pending
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
