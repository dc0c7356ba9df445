// Package affected finds the records whose projection a load may change: what the load
// brings, and what shows something of that, such as the matches of a renamed team.
//
// What shows what is a table of edges (edges.go): from a set of records, along a relation,
// to another set, of some where a condition holds. The walk goes down the hierarchy:
// organizations, seasons, teams, matches and players, and then the seasons of which
// something is affected, each with all that is computed of it. It fetches what it comes
// along, and after the edges of each kind what the projections of its records look up. Few
// things are no relation: what follows from the hierarchy and from line-ups (relation.go),
// and what matches add to sums (results.go).
//
// A season or a team that changes at all affects all its matches and players: that is rare,
// and costs reads alone where nothing shows it. A goal in a match that goes on is frequent,
// and affects the match, whom it names, and nothing of its season.
//
// # Invariants
//
//   - Records hold everything that changes. What they hold beyond that costs reads.
//   - Afterwards the world holds all that their projections look up, in both
//     views.
package affected

import (
	"context"
	"iter"
	"reflect"
	"slices"

	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// Records are the records whose projection a load may change: what it brings, and what
// shows something of that.
type Records struct {
	Organizations world.Set[sport.ID]
	Competitions  world.Set[sport.ID]       // their seasons' own records
	Seasons       world.Set[world.SeasonID] // and of these tables, statistics, rankings and groups
	Teams         world.Set[sport.ID]
	Players       world.Set[sport.ID]
	Matches       world.Set[sport.ID]
	GivenTables   world.Set[world.TableID]
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

	retitled world.Set[sport.ID]       // organizations right below one that has another name
	moved    world.Set[sport.ID]       // organizations at or below a change of the hierarchy
	parents  world.Set[sport.ID]       // organizations above one that changes: what is below them may change
	owners   world.Set[sport.ID]       // organizations of which all they own is affected
	whole    world.Set[world.SeasonID] // seasons of which all teams, players and matches are affected
	named    world.Set[sport.ID]       // players whom matches show differently

	reads
}

// reads are what is not affected, but looked up: who sees the affected follows from teams and
// seasons, and from the owners of both with all above them.
type reads struct {
	reviewed      world.Set[world.SeasonID] // the seasons of affected competitions
	teams         world.Set[sport.ID]
	seasons       world.Set[world.SeasonID]
	organizations world.Set[sport.ID]
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
	s.Seasons.Add(seasons...)
	walk(ctx, s.forTables())
	walk(ctx, s.lookedUp())
	return f.Err()
}

// edge leads from a set of records to others, and fetches what is on the way.
type edge func(context.Context)

// relation yields what belongs to records or is named by them, in either view. It fetches
// what says so.
type relation[A, B comparable] = func(context.Context, []A) iter.Seq[B]

func walk(ctx context.Context, edges []edge) {
	for _, e := range edges {
		e(ctx)
	}
}

// along leads along a relation; to nothing, it fetches what the relation does.
func along[A, B comparable](from *world.Set[A], by relation[A, B], to ...*world.Set[B]) edge {
	return where(func(A) bool { return true }, from, by, to...)
}

// where leads along a relation from the records of which a condition holds.
func where[A, B comparable](holds func(A) bool, from *world.Set[A], by relation[A, B], to ...*world.Set[B]) edge {
	walked := 0
	return func(ctx context.Context) {
		if walked == len(*from) { // sets only grow
			return
		}
		walked = len(*from)
		found := by(ctx, slices.DeleteFunc(from.Keys(), func(k A) bool { return !holds(k) }))
		for _, set := range to {
			set.AddAll(found)
		}
	}
}

// closure leads along a relation again and again.
func closure[A comparable](set *world.Set[A], by relation[A, A]) edge {
	return func(ctx context.Context) {
		for next := set.Keys(); len(next) > 0; {
			next = set.New(by(ctx, next))
		}
	}
}

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

// either is that something holds of a record in one of the views.
func either[K comparable, T any](e *world.Entities[K, T], holds func(*T) bool) func(K) bool {
	return func(id K) bool {
		for t := range e.Both(id) {
			if holds(t) {
				return true
			}
		}
		return false
	}
}

// differs is that what others show of a record differs between the views, or that the record
// is in one view only. Shown gets a copy of the record. It empties the fields that nothing
// else shows, rather than list those that something does: so a new field affects too much,
// and not too little.
func differs[K comparable, T any](e *world.Entities[K, T], shown func(T) any) func(K) bool {
	return func(id K) bool {
		was, is := e.At(world.Before, id), e.At(world.After, id)
		if was == nil || is == nil {
			return was != is
		}
		return was != is && !reflect.DeepEqual(shown(*was), shown(*is))
	}
}
