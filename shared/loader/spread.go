package loader

import (
	"context"
	"maps"
	"slices"

	"touchline/shared/sport"
)

type set[K comparable] map[K]struct{}

func (s set[K]) add(keys ...K) {
	for _, k := range keys {
		s[k] = struct{}{}
	}
}

func (s set[K]) keys() []K { return slices.Collect(maps.Keys(s)) }

// affected are the records whose projection a load may change: those that it
// brings and those that show something of them. It may hold too many, which
// costs reads, never too few.
type affected struct {
	organizations set[sport.ID]
	competitions  set[sport.ID] // all seasons of each
	teams         set[sport.ID]
	players       set[sport.ID]
	matches       set[sport.ID]
	tables        map[sport.ID]set[int] // seasons by competition
	given         set[tableID]
	sums          map[sport.ID]set[int] // statistics, rankings and groups, by competition
	teamSums      set[sport.ID]
	playerSums    set[sport.ID]
}

func (a *affected) addTable(id season) { addSeason(a.tables, id) }

func (a *affected) addSum(id season) { addSeason(a.sums, id) }

func addSeason(to map[sport.ID]set[int], id season) {
	if id.ID == "" {
		return
	}
	if to[id.ID] == nil {
		to[id.ID] = set[int]{}
	}
	to[id.ID].add(id.Season)
}

func allSeasons(of map[sport.ID]set[int]) []season {
	var seasons []season
	for id := range of {
		seasons = append(seasons, seasonsOf(of, id)...)
	}
	return seasons
}

func seasonsOf(of map[sport.ID]set[int], id sport.ID) []season {
	var seasons []season
	for year := range of[id] {
		seasons = append(seasons, season{ID: id, Season: year})
	}
	return seasons
}

func newAffected() *affected {
	return &affected{
		organizations: set[sport.ID]{}, competitions: set[sport.ID]{}, teams: set[sport.ID]{},
		players: set[sport.ID]{}, matches: set[sport.ID]{}, tables: map[sport.ID]set[int]{}, given: set[tableID]{},
		sums: map[sport.ID]set[int]{}, teamSums: set[sport.ID]{}, playerSums: set[sport.ID]{},
	}
}

// spread finds what is affected. It goes down the hierarchy, fetching at each
// level what stands below the records that changed in a way that shows there.
type spread struct {
	*affected
	world *world
	fetch *fetcher

	moved    set[sport.ID] // organizations below or at a change of the hierarchy
	reowned  set[sport.ID] // organizations all of whose possessions are affected
	unsettle set[season]   // seasons all of whose teams, players and matches are
	renamed  set[season]   // seasons whose summary or groups show differently
	regrown  set[sport.ID] // teams whose players are affected
	replayed set[sport.ID] // teams whose matches are affected
	retitled set[sport.ID] // organizations that their teams' records name
}

func spreadOf(ctx context.Context, w *world, f *fetcher) (*affected, error) {
	s := &spread{
		affected: newAffected(), world: w, fetch: f,
		moved: set[sport.ID]{}, reowned: set[sport.ID]{},
		unsettle: set[season]{}, renamed: set[season]{},
		regrown: set[sport.ID]{}, replayed: set[sport.ID]{}, retitled: set[sport.ID]{},
	}
	for _, level := range []func(context.Context) error{
		s.fromOrganizations, s.fromCompetitions, s.fromTeams, s.fromNames, s.fromMatches, s.fromPlayers,
		s.fromResults, s.intoTables, s.intoSums, s.context,
	} {
		if err := level(ctx); err != nil {
			return nil, err
		}
	}
	return s.affected, nil
}

// intoTables fetches what the tables are computed from. A child's table shows
// on its parent's too.
func (s *spread) intoTables(ctx context.Context) error {
	w := s.world
	for id := range w.tables.changed {
		s.given.add(id)
		s.addTable(id.season)
	}
	if err := s.fetch.competitions(ctx, slices.Collect(maps.Keys(s.tables))); err != nil {
		return err
	}
	for _, id := range allSeasons(s.tables) {
		for _, v := range []view{before, after} {
			if c := w.competitions.at(v, id); c != nil && c.ParentID != "" {
				s.addTable(season{ID: c.ParentID, Season: id.Season})
			}
		}
	}
	if err := s.fetch.competitions(ctx, slices.Collect(maps.Keys(s.tables))); err != nil {
		return err
	}
	seasons, err := s.withStages(ctx, allSeasons(s.tables))
	if err != nil {
		return err
	}
	if err := s.fetch.enteredIn(ctx, seasons); err != nil {
		return err
	}
	if err := s.fetch.playedIn(ctx, seasons); err != nil {
		return err
	}
	return s.fetch.teamsOfTables(ctx, seasons)
}

// withStages adds the playoffs and playouts of the seasons.
func (s *spread) withStages(ctx context.Context, seasons []season) ([]season, error) {
	w := s.world
	ids := set[sport.ID]{}
	for _, c := range seasons {
		ids.add(c.ID)
	}
	if err := s.fetch.stagesOf(ctx, ids.keys()); err != nil {
		return nil, err
	}
	all := set[season]{}
	all.add(seasons...)
	children := set[sport.ID]{}
	for _, c := range seasons {
		w.stages.both(c.ID, func(child sport.ID) {
			children.add(child)
			all.add(season{ID: child, Season: c.Season})
		})
	}
	return all.keys(), s.fetch.competitions(ctx, children.keys())
}

// context fetches what the projections of the affected look up beside them.
func (s *spread) context(ctx context.Context) error {
	w := s.world
	ids := s.competitions.keys()
	if err := s.fetch.competitions(ctx, ids); err != nil {
		return err
	}
	var seasons []season
	for _, id := range ids {
		w.seasons.both(id, func(year int) { seasons = append(seasons, season{ID: id, Season: year}) })
	}
	if _, err := s.withStages(ctx, seasons); err != nil {
		return err
	}
	if err := s.fetch.contextOfCompetitions(ctx, ids); err != nil {
		return err
	}
	if err := s.fetch.contextOfTeams(ctx, s.teams.keys()); err != nil {
		return err
	}
	return s.fetch.withAncestors(ctx, s.organizations.keys())
}
