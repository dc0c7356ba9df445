package diff

import (
	"bytes"
	"cmp"
	"reflect"
	"slices"

	"touchline/shared/loader/world"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// ListEdits collects what a load changes in the lists of one kind of entry and
// one order. Projections put an entity's entries of both views into it; the
// differences become edits.
type ListEdits[T any] struct {
	Kind  pagedlist.Kind[T]
	edits map[records.List[T]][]pagedlist.Op[T]
	// leaving are deletions that are made last: of entities that leave a list
	// by which records are found that show something of what changed.
	leaving map[records.List[T]][]pagedlist.Op[T]
	memo    pagedlist.Memo[T]

	before, after []entry[T] // of the entity being projected
}

type entry[T any] struct {
	list records.List[T]
	key  []byte
	put  *T
}

func newListEdits[T any](kind pagedlist.Kind[T]) *ListEdits[T] {
	return &ListEdits[T]{Kind: kind, edits: map[records.List[T]][]pagedlist.Op[T]{}, leaving: map[records.List[T]][]pagedlist.Op[T]{}}
}

// Put puts the entity into a list in a view, at key.
func (s *ListEdits[T]) Put(v world.View, list records.List[T], key []byte, put *T) {
	e := entry[T]{list, key, put}
	if v == world.Before {
		s.before = append(s.before, e)
	} else {
		s.after = append(s.after, e)
	}
}

// compare turns the difference between the two views of the entity into edits.
func (s *ListEdits[T]) compare() {
	byPlace := func(a, b entry[T]) int {
		return cmp.Or(cmp.Compare(a.list, b.list), bytes.Compare(a.key, b.key))
	}
	if len(s.before) > 0 {
		slices.SortFunc(s.before, byPlace)
		for _, e := range s.after {
			i, same := slices.BinarySearchFunc(s.before, e, byPlace)
			if same && reflect.DeepEqual(s.before[i].put, e.put) {
				s.before = slices.Delete(s.before, i, i+1)
				continue
			}
			if same {
				s.before = slices.Delete(s.before, i, i+1)
			}
			s.edits[e.list] = append(s.edits[e.list], pagedlist.Op[T]{Key: e.key, Put: e.put})
		}
		for _, e := range s.before {
			edits := s.edits
			if records.RoleOf(e.list) == records.Finding && !slices.ContainsFunc(s.after, func(x entry[T]) bool { return x.list == e.list }) {
				edits = s.leaving
			}
			edits[e.list] = append(edits[e.list], pagedlist.Op[T]{Key: e.key})
		}
	} else {
		for _, e := range s.after {
			s.edits[e.list] = append(s.edits[e.list], pagedlist.Op[T]{Key: e.key, Put: e.put})
		}
	}
	s.before, s.after = s.before[:0], s.after[:0]
}

// Lists are all of them.
type Lists struct {
	OrganizationsByID   *ListEdits[records.Organization]
	OrganizationsByName *ListEdits[records.Organization]
	Trees               *ListEdits[records.TreeNode]
	CompetitionsByID    *ListEdits[records.Competition]
	CompetitionsByName  *ListEdits[records.Competition]
	TeamsByID           *ListEdits[records.TeamEntry]
	TeamsByName         *ListEdits[records.TeamEntry]
	PlayersByID         *ListEdits[records.PlayerEntry]
	PlayersByName       *ListEdits[records.PlayerEntry]
	Squads              *ListEdits[records.PlayerEntry]
	Matches             *ListEdits[records.MatchEntry]
	Ids                 *ListEdits[records.IDEntry]
	Lineups             *ListEdits[records.LineupEntry]
	Tables              *ListEdits[records.TableEntry]
	ClubEntries         *ListEdits[records.TeamEntry]
	Performances        *ListEdits[records.PerformanceEntry]
	Contributions       *ListEdits[records.ContributionEntry]
	Scorers             *ListEdits[records.ScorerEntry]
	Cards               *ListEdits[records.CardEntry]
}

func NewLists(names *Collation) *Lists {
	return &Lists{
		OrganizationsByID:   newListEdits(records.OrganizationKind(func(o records.Organization) []byte { return records.IDKey(o.ID) })),
		OrganizationsByName: newListEdits(records.OrganizationKind(func(o records.Organization) []byte { return names.Key(o.Name, o.ID) })),
		Trees:               newListEdits(records.TreeKind()),
		CompetitionsByID:    newListEdits(records.CompetitionKind(func(c records.Competition) []byte { return records.IDKey(c.ID) })),
		CompetitionsByName:  newListEdits(records.CompetitionKind(func(c records.Competition) []byte { return names.Key(c.Name, c.ID) })),
		TeamsByID:           newListEdits(records.TeamKind(func(t records.TeamEntry) []byte { return records.IDKey(t.ID) })),
		TeamsByName:         newListEdits(records.TeamKind(func(t records.TeamEntry) []byte { return names.Key(t.Name, t.ID) })),
		PlayersByID:         newListEdits(records.PlayerKind(func(p records.PlayerEntry) []byte { return records.IDKey(p.ID) })),
		PlayersByName:       newListEdits(records.PlayerKind(func(p records.PlayerEntry) []byte { return names.Key(p.Name, p.ID) })),
		Squads:              newListEdits(records.SquadKind()),
		Matches:             newListEdits(records.MatchKind()),
		Ids:                 newListEdits(records.IDKind()),
		Lineups:             newListEdits(records.LineupKind()),
		Tables:              newListEdits(records.TableKind()),
		ClubEntries:         newListEdits(records.ClubEntryKind()),
		Performances:        newListEdits(records.PerformanceKind()),
		Contributions:       newListEdits(records.ContributionKind()),
		Scorers:             newListEdits(records.ScorerKind(names.scorer)),
		Cards:               newListEdits(records.CardKind(names.card)),
	}
}
