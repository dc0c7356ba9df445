package affected

import (
	"context"
	"maps"

	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/standings"
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

func (a *Records) addTable(id world.SeasonID) { addSeason(&a.Tables, id) }

func (a *Records) addSum(id world.SeasonID) { addSeason(&a.CompetitionSums, id) }

// addSeason adds a season, unless there is none.
func addSeason(to *world.Set[world.SeasonID], id world.SeasonID) {
	if id.ID != "" {
		to.Add(id)
	}
}

// finder finds what is affected. It goes down the hierarchy, fetching at each
// level what depends on the records that changed in a way that shows there.
type finder struct {
	Records
	world *world.World
	fetch *world.Fetcher

	retabled  world.Set[world.SeasonID] // seasons whose own table may change
	moved     world.Set[sport.ID]       // organizations below or at a change of the hierarchy
	ownedBy   world.Set[sport.ID]       // organizations of which all they own is affected
	allOf     world.Set[world.SeasonID] // seasons of which all teams, players and matches are affected
	renamed   world.Set[world.SeasonID] // seasons whose summary or groups show differently
	playersOf world.Set[sport.ID]       // teams whose players are affected
	matchesOf world.Set[sport.ID]       // teams whose matches are affected
	teamsOf   world.Set[sport.ID]       // organizations that their teams' records name
	alone     world.Set[sport.ID]       // matches that change, without a change of what they show
}

// Find finds what is affected by all changes of a world.
func Find(ctx context.Context, w *world.World, f *world.Fetcher) (*Records, error) {
	s := &finder{world: w, fetch: f}
	s.fromOrganizations(ctx)
	s.fromCompetitions(ctx)
	s.fromTeams(ctx)
	s.fromNames(ctx)
	s.fromMatches(ctx)
	s.fromPlayers(ctx)
	s.fromResults(ctx)
	s.fetchForTables(ctx)
	s.fetchForSums(ctx)
	s.fetchContext(ctx)
	return &s.Records, s.world.Err()
}

// fetchForTables fetches what the tables are computed from. A child's table shows
// on its parent's too, and may be computed from the parent's.
func (s *finder) fetchForTables(ctx context.Context) {
	w := s.world
	for _, id := range w.Tables.Changes() {
		s.GivenTables.Add(id)
		s.addTable(id.SeasonID)
		s.retabled.Add(id.SeasonID)
	}
	s.fetch.Competitions(ctx, world.CompetitionsIn(s.Tables.Keys()).Keys())
	s.tablesBelow(ctx)
	for c := range w.Competitions.Both(s.Tables.Keys()...) {
		s.addTable(c.ParentSeason())
	}
	s.fetch.Competitions(ctx, world.CompetitionsIn(s.Tables.Keys()).Keys())
	seasons := s.fetch.WithParents(ctx, s.withStages(ctx, s.Tables.Keys()))
	s.fetch.EnteredIn(ctx, seasons)
	s.fetch.PlayedIn(ctx, seasons)
	s.fetch.TeamsOfTables(ctx, seasons)
}

// tablesBelow finds the children whose tables are computed from one that may
// change, their own children, and so on.
func (s *finder) tablesBelow(ctx context.Context) {
	w := s.world
	for from := s.retabled; len(from) > 0; {
		var next world.Set[world.SeasonID]
		for _, id := range s.withStages(ctx, from.Keys()) {
			if s.retabled.Has(id) {
				continue
			}
			for c := range w.Competitions.Both(id) {
				if from.Has(c.ParentSeason()) && standings.NeedsParent(c.Rules) {
					next.Add(id)
				}
			}
		}
		for id := range next {
			s.addTable(id)
			s.retabled.Add(id)
		}
		from = next
	}
}

// withStages adds the playoffs and playouts of the seasons.
func (s *finder) withStages(ctx context.Context, seasons []world.SeasonID) []world.SeasonID {
	w := s.world
	s.fetch.StagesOf(ctx, world.CompetitionsIn(seasons).Keys())
	var all world.Set[world.SeasonID]
	all.Add(seasons...)
	var children world.Set[sport.ID]
	for _, c := range seasons {
		for child := range w.Stages.Both(c.ID) {
			children.Add(child)
			all.Add(world.SeasonID{ID: child, Season: c.Season})
		}
	}
	s.fetch.Competitions(ctx, children.Keys())
	return all.Keys()
}

// fetchContext fetches what the projections look up besides the affected
// records.
func (s *finder) fetchContext(ctx context.Context) {
	w := s.world
	ids := s.Competitions.Keys()
	s.fetch.Competitions(ctx, ids)
	s.withStages(ctx, w.YearsOf(ids...))
	s.fetch.ContextOfCompetitions(ctx, ids)
	s.fetch.ContextOfTeams(ctx, s.Teams.Keys())
	s.fetch.WithAncestors(ctx, s.Organizations.Keys())
}
