// Package affected finds the records whose projection a load may change: what the load
// brings, and what shows something of that, such as the matches of a renamed team.
//
// What shows what is a table of edges (edges.go): from a set of records, along a relation,
// to another set, where one of some fields differs. The walk goes down the hierarchy:
// organizations, competitions, teams, matches, players, and what is computed from several
// matches. It fetches what it comes along, and after the edges of each kind what the
// projections of its records look up. Few things are no relation: what follows from the
// hierarchy and from line-ups (relation.go), and what matches add to sums (results.go).
//
// # Invariants
//
//   - Records may hold more than what changes, which costs reads, never less.
//   - Afterwards the world holds all that their projections look up, in both
//     views.
package affected

import (
	"context"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strings"

	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// Records are the records whose projection a load may change: what it brings, and what
// shows something of that. Too many cost reads; there are never too few.
type Records struct {
	Organizations   world.Set[sport.ID]
	Competitions    world.Set[sport.ID] // all seasons of each
	Teams           world.Set[sport.ID]
	Players         world.Set[sport.ID]
	Matches         world.Set[sport.ID]
	Tables          world.Set[world.SeasonID]
	GivenTables     world.Set[world.TableID]
	CompetitionSums world.Set[world.SeasonID] // statistics, rankings and groups
	TeamSums        world.Set[sport.ID]
	PlayerSums      world.Set[sport.ID] // what their matches add up to
}

// AllPlayers are the players of which anything may change.
func (a *Records) AllPlayers() []sport.ID {
	var all world.Set[sport.ID]
	all.AddAll(maps.Keys(a.Players))
	all.AddAll(maps.Keys(a.PlayerSums))
	return all.Keys()
}

// finder holds the sets that edges lead to: what is affected, and why.
type finder struct {
	Records
	world *world.World
	fetch *world.Fetcher

	changed struct { // by the load itself
		organizations, teams, players, matches world.Set[sport.ID]
		seasons                                world.Set[world.SeasonID]
		tables                                 world.Set[world.TableID]
	}

	retitled world.Set[sport.ID] // organizations right below one that has another name
	badged   world.Set[sport.ID] // organizations that the records of their teams show differently
	moved    world.Set[sport.ID] // organizations at or below a change of the hierarchy
	parents  world.Set[sport.ID] // organizations above one that changes: what is below them may change
	owners   world.Set[sport.ID] // organizations of which all they own is affected

	reviewed world.Set[sport.ID]       // competitions whose seasons may change
	seasons  world.Set[world.SeasonID] // all of theirs
	renamed  world.Set[world.SeasonID] // seasons of which all teams and matches are affected
	opened   world.Set[world.SeasonID] // and all players
	ruled    world.Set[world.SeasonID] // seasons whose points count differently

	playersOf world.Set[sport.ID]       // teams whose players are affected
	matchesOf world.Set[sport.ID]       // teams whose matches are affected
	named     world.Set[sport.ID]       // players whom matches show differently
	ranking   world.Set[sport.ID]       // matches that may change a table
	tabled    world.Set[world.SeasonID] // seasons with a table that may change
	retabled  world.Set[world.SeasonID] // and may change the tables of their playoffs

	reads
}

// reads are what is not affected, but looked up.
type reads struct {
	computed   world.Set[world.SeasonID] // seasons that tables, ties and sums are computed of
	summed     world.Set[world.SeasonID] // seasons that sums are added up of
	projected  world.Set[world.SeasonID] // seasons of affected competitions
	entered    world.Set[sport.ID]       // teams of those that are current
	unlisted   world.Set[sport.ID]       // players in sums that are on no list of their season
	namedTeams world.Set[sport.ID]
	namedIn    world.Set[world.SeasonID] // seasons
	away       world.Set[sport.ID]       // matches of players outside the seasons of their teams
	opponents  world.Set[sport.ID]       // who plays outside the own season of a team: their owners see it
	// Who sees the affected follows from teams, seasons, and the owners of both.
	teams         world.Set[sport.ID]
	in            world.Set[world.SeasonID]
	organizations world.Set[sport.ID]
	above         world.Set[sport.ID] // organizations with all above them
}

// Find finds what is affected by all changes of a world, and fetches what projecting it
// looks up.
func Find(ctx context.Context, w *world.World, f *world.Fetcher) (*Records, error) {
	s := &finder{world: w, fetch: f}
	s.changed.organizations.Add(w.Organizations.Changes()...)
	s.changed.seasons.Add(w.Competitions.Changes()...)
	s.changed.teams.Add(w.Teams.Changes()...)
	s.changed.players.Add(w.Players.Changes()...)
	s.changed.matches.Add(w.Matches.Changes()...)
	s.changed.tables.Add(w.Tables.Changes()...)
	return s.find(ctx)
}

// find walks the edges, and after those of each kind what its records look up.
func (s *finder) find(ctx context.Context) (*Records, error) {
	lookedUp := s.lookedUp()
	for _, edges := range s.edges() {
		walk(ctx, edges)
		walk(ctx, lookedUp)
	}
	found := s.Records // alone: the other sets are not needed any more
	return &found, s.world.Err()
}

// ForTables fetches what the tables of seasons are computed from.
func ForTables(ctx context.Context, f *world.Fetcher, seasons ...world.SeasonID) error {
	s := &finder{world: f.World, fetch: f}
	s.computed.Add(seasons...)
	walk(ctx, s.forTables())
	return f.Err()
}

// edge leads from a set of records to others, and fetches what is on the way.
type edge struct {
	walk   func(context.Context)
	of     reflect.Type // whose fields are a condition; nil: no condition
	fields []string
}

// relation yields what belongs to records or is named by them, in either view. It fetches
// what says so.
type relation[A, B comparable] = func(context.Context, []A) iter.Seq[B]

func walk(ctx context.Context, edges []edge) {
	for _, e := range edges {
		e.walk(ctx)
	}
}

// along leads along a relation; to nothing, it fetches what the relation does.
func along[A, B comparable](from *world.Set[A], by relation[A, B], to ...*world.Set[B]) edge {
	return where(condition[A]{}, from, by, to...)
}

// where leads along a relation from the records of which a condition holds.
func where[A, B comparable](c condition[A], from *world.Set[A], by relation[A, B], to ...*world.Set[B]) edge {
	walked := 0
	return edge{of: c.of, fields: c.fields, walk: func(ctx context.Context) {
		if walked == len(*from) { // sets only grow
			return
		}
		walked = len(*from)
		keys := from.Keys()
		if c.holds != nil {
			keys = slices.DeleteFunc(keys, func(k A) bool { return !c.holds(k) })
		}
		found := by(ctx, keys)
		for _, set := range to {
			set.AddAll(found)
		}
	}}
}

// closure leads along a relation again and again.
func closure[A comparable](set *world.Set[A], by relation[A, A]) edge {
	return then(func(ctx context.Context) {
		for next := set.Keys(); len(next) > 0; {
			next = set.New(by(ctx, next))
		}
	})
}

// read fetches what is on lists of the records of a set.
func read[A comparable](from *world.Set[A], by func(context.Context, []A)) edge {
	return then(func(ctx context.Context) { by(ctx, from.Keys()) })
}

// then does what no relation says.
func then(do func(context.Context)) edge { return edge{walk: do} }

// same is the relation of records to themselves.
func same[A comparable](_ context.Context, keys []A) iter.Seq[A] { return slices.Values(keys) }

// through leads along a relation, and from there to what f says.
func through[A, B, C comparable](by relation[A, B], f func(B) C) relation[A, C] {
	return func(ctx context.Context, keys []A) iter.Seq[C] {
		return func(yield func(C) bool) {
			for b := range by(ctx, keys) {
				if !yield(f(b)) {
					return
				}
			}
		}
	}
}

// condition is what has to hold of a record. The zero value always holds.
type condition[A comparable] struct {
	holds  func(A) bool
	of     reflect.Type
	fields []string
}

// when is that something else holds.
func when[A comparable](holds func(A) bool) condition[A] { return condition[A]{holds: holds} }

// either is that something holds of a record in one of the views.
func either[K comparable, T any](e *world.Entities[K, T], holds func(*T) bool) condition[K] {
	return when(func(id K) bool {
		for t := range e.Both(id) {
			if holds(t) {
				return true
			}
		}
		return false
	})
}

// change is that one of these fields of a record differs between the views, or that the
// record is in one view only. A dot leads to a field of a field; Public is whether anybody
// may see the record.
func change[K comparable, T any](e *world.Entities[K, T], fields ...string) condition[K] {
	paths := make([][]string, len(fields))
	for i, f := range fields {
		paths[i] = strings.Split(f, ".")
	}
	return condition[K]{of: reflect.TypeFor[T](), fields: fields, holds: func(id K) bool {
		was, is := e.At(world.Before, id), e.At(world.After, id)
		if was == nil || is == nil {
			return was != is
		}
		return was != is && slices.ContainsFunc(paths, func(path []string) bool {
			return !reflect.DeepEqual(at(was, path), at(is, path))
		})
	}}
}

// at is the value of a field.
func at(record any, path []string) any {
	if r, ok := record.(interface{ Public() bool }); ok && path[0] == "Public" {
		return r.Public()
	}
	v := reflect.ValueOf(record).Elem()
	for _, name := range path {
		v = v.FieldByName(name)
	}
	return v.Interface()
}
