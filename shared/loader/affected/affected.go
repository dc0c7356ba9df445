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
	"maps"

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
	computed  world.Set[world.SeasonID] // seasons that tables, ties and sums are computed of
	summed    world.Set[world.SeasonID] // seasons that sums are added up of
	projected world.Set[world.SeasonID] // seasons of affected competitions
	entered   world.Set[sport.ID]       // teams of those that are current
	unlisted  world.Set[sport.ID]       // players in sums that are on no list of their season
	shown     world.Set[sport.ID]       // teams that are named
	shownIn   world.Set[world.SeasonID]
	away      world.Set[sport.ID] // matches of players outside the seasons of their teams
	opponents world.Set[sport.ID] // who plays outside the own season of a team: their owners see it
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
