package diff

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"

	"touchline/shared/loader/spool"
	"touchline/shared/loader/world"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// ListEdits finds what a load changes in the lists of one kind of entry and
// one order. Projections put an entity's entries of both views into it; the
// differences become changes in the sink.
//
// It has of the schema only functions, so that packages that put entries do not compile all
// of package pagedlist for each kind of entry.
type ListEdits[T any] struct {
	Key    func(T) []byte // the place of an entry, as its kind orders them
	pack   func(pagedlist.Op[T]) (pagedlist.Change, error)
	schema byte // its place in Lists.Stored
	sink   Sink

	before, after []entry[T] // of the entity being projected
	done          []packed[T]
}

// Stored are the lists of a kind of entry and an order, in the table.
type Stored interface {
	// Apply makes changes of lists.
	Apply(ctx context.Context, table *store.Table, lists []pagedlist.Changes, o pagedlist.Options) error
	// Check is pagedlist.Check.
	Check(list pagedlist.Changes, stored []store.Item) (pagedlist.Found, error)
}

// stored implements Stored.
type stored[T any] struct{ schema pagedlist.Schema[T] }

type entry[T any] struct {
	list records.List[T]
	key  []byte
	put  *T
}

// packed is an entry that was packed for one of the lists that it is put into.
type packed[T any] struct {
	put   *T
	value []byte
}

// edits adds the lists of the next kind of entry and order: its number is the schema's.
func edits[T any](s *Lists, schema pagedlist.Schema[T]) *ListEdits[T] {
	e := &ListEdits[T]{Key: schema.Key, pack: schema.Pack, schema: byte(len(s.Stored)), sink: s.sink} //nolint:gosec // a few
	s.Stored, s.compare = append(s.Stored, stored[T]{schema}), append(s.compare, e.compare)
	return e
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

// compare turns the difference between the two views of the entity into changes.
func (s *ListEdits[T]) compare() error {
	byPlace := func(a, b entry[T]) int {
		return cmp.Or(cmp.Compare(a.list, b.list), bytes.Compare(a.key, b.key))
	}
	slices.SortFunc(s.before, byPlace)
	for _, e := range s.after {
		i, stored := slices.BinarySearchFunc(s.before, e, byPlace)
		if stored {
			same := reflect.DeepEqual(s.before[i].put, e.put)
			if s.before = slices.Delete(s.before, i, i+1); same {
				continue
			}
		}
		if err := s.change(e); err != nil {
			return err
		}
	}
	for _, e := range s.before {
		e.put = nil
		if err := s.change(e); err != nil {
			return err
		}
	}
	s.before, s.after = s.before[:0], s.after[:0]
	clear(s.done)
	s.done = s.done[:0]
	return nil
}

// change puts a change of a list into the sink.
func (s *ListEdits[T]) change(e entry[T]) error {
	r := spool.Record{Place: spool.Place{Phase: byte(InLists), Schema: s.schema, Name: string(e.list), Key: e.key}}
	if e.put != nil {
		var err error
		if r.Value, err = s.packed(e); err != nil {
			return err
		}
	}
	return s.sink.Put(r)
}

// packed packs an entry once, however many lists it goes into: its key is the same in all.
func (s *ListEdits[T]) packed(e entry[T]) ([]byte, error) {
	for _, p := range s.done {
		if p.put == e.put {
			return p.value, nil
		}
	}
	change, err := s.pack(pagedlist.Op[T]{Key: e.key, Put: e.put})
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", e.list, err)
	}
	value := change.AppendTo(nil)
	s.done = append(s.done, packed[T]{e.put, value})
	return value, nil
}

// Apply implements Stored.
func (s stored[T]) Apply(ctx context.Context, table *store.Table, lists []pagedlist.Changes, o pagedlist.Options) error {
	return pagedlist.Apply(ctx, table, s.schema, lists, o)
}

// Check implements Stored.
func (s stored[T]) Check(list pagedlist.Changes, stored []store.Item) (pagedlist.Found, error) {
	return pagedlist.Check(s.schema, list, stored)
}

// ChangeOf is the change of a list that was put into the sink.
func ChangeOf(r *spool.Record) (pagedlist.Change, error) {
	c, err := pagedlist.ChangeOf(r.Key, r.Value)
	if err != nil {
		return c, fmt.Errorf("list %s: %w", r.Name, err)
	}
	return c, nil
}

// Lists are the ListEdits of every kind of entry and order.
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

	Stored  []Stored // by the number of the schema
	compare []func() error
	sink    Sink
}

// NewLists returns the lists of a load, which put what differs into sink.
func NewLists(names *Collation, sink Sink) *Lists {
	s := &Lists{sink: sink}
	s.OrganizationsByID = edits(s, records.OrganizationSchema(func(o records.Organization) []byte { return records.IDKey(o.ID) }))
	s.OrganizationsByName = edits(s, records.OrganizationSchema(func(o records.Organization) []byte { return names.Key(o.Name, o.ID) }))
	s.Trees = edits(s, records.TreeSchema())
	s.CompetitionsByID = edits(s, records.CompetitionSchema(func(c records.Competition) []byte { return records.IDKey(c.ID) }))
	s.CompetitionsByName = edits(s, records.CompetitionSchema(func(c records.Competition) []byte { return names.Key(c.Name, c.ID) }))
	s.TeamsByID = edits(s, records.TeamSchema(func(t records.TeamEntry) []byte { return records.IDKey(t.ID) }))
	s.TeamsByName = edits(s, records.TeamSchema(func(t records.TeamEntry) []byte { return names.Key(t.Name, t.ID) }))
	s.PlayersByID = edits(s, records.PlayerSchema(func(p records.PlayerEntry) []byte { return records.IDKey(p.ID) }))
	s.PlayersByName = edits(s, records.PlayerSchema(func(p records.PlayerEntry) []byte { return names.Key(p.Name, p.ID) }))
	s.Squads = edits(s, records.SquadSchema())
	s.Matches = edits(s, records.MatchSchema())
	s.Ids = edits(s, records.IDSchema())
	s.Lineups = edits(s, records.LineupSchema())
	s.Tables = edits(s, records.TableSchema())
	s.ClubEntries = edits(s, records.ClubEntrySchema())
	s.Performances = edits(s, records.PerformanceSchema())
	s.Contributions = edits(s, records.ContributionSchema())
	s.Scorers = edits(s, records.ScorerSchema(names.scorer))
	s.Cards = edits(s, records.CardSchema(names.card))
	return s
}

// Compare ends the projection of an entity.
func (s *Lists) Compare() error {
	for _, compare := range s.compare {
		if err := compare(); err != nil {
			return err
		}
	}
	return nil
}
