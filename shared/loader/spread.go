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

func (s *spread) fromOrganizations(ctx context.Context) error {
	w := s.world
	changed := slices.Collect(maps.Keys(w.organizations.changed))
	s.organizations.add(changed...)
	parents := set[sport.ID]{}
	retitled := set[sport.ID]{}
	for _, id := range changed {
		was, is := w.organizations.at(before, id), w.organizations.at(after, id)
		for _, o := range []*organization{was, is} {
			if o != nil {
				parents.add(o.Parents()...)
			}
		}
		switch {
		case was == nil || is == nil || was.Visibility != is.Visibility || was.Type != is.Type ||
			!slices.Equal(was.Parents(), is.Parents()):
			s.moved.add(id)
		case was.Name != is.Name:
			retitled.add(id)
			s.retitled.add(id)
		case was.Logo != is.Logo:
			s.retitled.add(id)
		}
	}
	if err := s.descend(ctx, retitled, treeLevels-1, func(id sport.ID) { s.organizations.add(id) }); err != nil {
		return err
	}
	if err := s.descend(ctx, maps.Clone(s.moved), -1, func(id sport.ID) { s.moved.add(id) }); err != nil {
		return err
	}
	s.organizations.add(s.moved.keys()...)
	if err := s.fetch.withAncestors(ctx, append(s.organizations.keys(), parents.keys()...)); err != nil {
		return err
	}
	if err := s.fetch.childrenOf(ctx, append(s.moved.keys(), parents.keys()...)); err != nil {
		return err
	}
	s.reowned.add(s.moved.keys()...)
	if err := s.fetch.organizations(ctx, s.childrenKnown(parents)); err != nil {
		return err
	}
	s.resettle(parents)
	return s.fetch.ownedBy(ctx, append(s.reowned.keys(), s.retitled.keys()...))
}

// descend calls visit for everything below the given organizations in either
// view, so many levels deep; negative: to the bottom.
func (s *spread) descend(ctx context.Context, from set[sport.ID], levels int, visit func(sport.ID)) error {
	seen := set[sport.ID]{}
	for level := 0; len(from) > 0 && level != levels; level++ {
		if err := s.fetch.childrenOf(ctx, from.keys()); err != nil {
			return err
		}
		next := set[sport.ID]{}
		for id := range from {
			s.world.children.both(id, func(child sport.ID) {
				if _, twice := seen[child]; !twice {
					seen.add(child)
					next.add(child)
					visit(child)
				}
			})
		}
		from = next
	}
	return nil
}

func (s *spread) childrenKnown(parents set[sport.ID]) []sport.ID {
	children := set[sport.ID]{}
	for p := range parents {
		s.world.children.both(p, func(child sport.ID) { children.add(child) })
	}
	return children.keys()
}

// resettle computes anew, in the view after, what the hierarchy decides: the
// reach and ranges of what moved, from the top down, and whether a parent of
// what changed is still, or now, a leaf.
func (s *spread) resettle(parents set[sport.ID]) {
	w := s.world
	done := set[sport.ID]{}
	var settle func(id sport.ID)
	settle = func(id sport.ID) {
		o := w.organizations.at(after, id)
		if _, twice := done[id]; twice || o == nil {
			return
		}
		done.add(id)
		for _, p := range o.Parents() {
			if _, ok := s.moved[p]; ok {
				settle(p)
			}
		}
		renewed := *o
		renewed.reach = w.reach(after, o)
		renewed.leaf = w.isLeaf(after, id)
		w.organizations.changed[id] = &renewed
		renewed.cross = w.crossRanges(after, renewed.reach)
	}
	for id := range s.moved {
		settle(id)
	}
	for id := range parents {
		o := w.organizations.at(after, id)
		if o == nil {
			continue
		}
		if leaf := w.isLeaf(after, id); leaf != o.leaf {
			renewed := *o
			renewed.leaf = leaf
			w.organizations.changed[id] = &renewed
			s.organizations.add(id)
			s.reowned.add(id)
		}
	}
}

func (s *spread) fromCompetitions(ctx context.Context) error {
	w := s.world
	ids := set[sport.ID]{}
	for id := range w.competitions.changed {
		ids.add(id.ID)
	}
	for o := range s.reowned {
		w.owned.both(o, func(id sport.ID) { ids.add(id) })
	}
	if err := s.fetch.competitions(ctx, ids.keys()); err != nil {
		return err
	}
	s.competitions.add(ids.keys()...)
	relatives := set[sport.ID]{}
	for id := range ids {
		w.setCurrent(id)
		w.seasons.both(id, func(year int) {
			s.fromSeason(season{ID: id, Season: year}, relatives)
		})
	}
	// A parent shows its children: that there are any, and their tables.
	if err := s.fetch.competitions(ctx, relatives.keys()); err != nil {
		return err
	}
	s.competitions.add(relatives.keys()...)
	affectedSeasons := append(s.unsettle.keys(), s.renamed.keys()...)
	if err := s.fetch.enteredIn(ctx, affectedSeasons); err != nil {
		return err
	}
	return s.fetch.playedIn(ctx, affectedSeasons)
}

func (s *spread) fromSeason(id season, relatives set[sport.ID]) {
	w := s.world
	was, is := w.competitions.at(before, id), w.competitions.at(after, id)
	for _, c := range []*competition{was, is} {
		if c != nil && c.ParentID != "" {
			relatives.add(c.ParentID)
			s.addTable(season{ID: c.ParentID, Season: id.Season})
		}
	}
	_, reowned := s.reownedBy(was, is)
	switch {
	case was == nil || is == nil || reowned || was.current != is.current ||
		was.Visibility != is.Visibility || was.OrganizationID != is.OrganizationID:
		s.unsettle.add(id)
	case competitionRef(was) != competitionRef(is) || !slices.Equal(was.Groups, is.Groups):
		s.renamed.add(id)
	}
	s.addTable(id)
}

func (s *spread) reownedBy(competitions ...*competition) (sport.ID, bool) {
	for _, c := range competitions {
		if c == nil {
			continue
		}
		if _, ok := s.reowned[c.OrganizationID]; ok {
			return c.OrganizationID, true
		}
	}
	return "", false
}

func (s *spread) fromTeams(ctx context.Context) error {
	w := s.world
	ids := set[sport.ID]{}
	ids.add(slices.Collect(maps.Keys(w.teams.changed))...)
	for o := range s.reowned {
		w.ownedTeams.both(o, func(id sport.ID) { ids.add(id); s.regrown.add(id); s.replayed.add(id) })
	}
	for o := range s.retitled {
		w.ownedTeams.both(o, func(id sport.ID) { ids.add(id) })
	}
	for c := range s.unsettle {
		w.entered.both(c, func(id sport.ID) { ids.add(id); s.regrown.add(id) })
	}
	for c := range s.renamed {
		w.entered.both(c, func(id sport.ID) { ids.add(id) })
	}
	if err := s.fetch.teams(ctx, ids.keys()); err != nil {
		return err
	}
	s.teams.add(ids.keys()...)
	for id := range ids {
		was, is := w.teams.at(before, id), w.teams.at(after, id)
		for _, t := range []*team{was, is} {
			if t != nil && t.CompetitionID != "" {
				s.addTable(t.season())
				s.addSum(t.season())
				s.competitions.add(t.CompetitionID)
			}
		}
		if was == nil || is == nil || teamRef(was) != teamRef(is) || was.OrganizationID != is.OrganizationID ||
			was.season() != is.season() || was.Visibility != is.Visibility {
			s.regrown.add(id)
			s.replayed.add(id)
		}
	}
	if err := s.fetch.tablesNaming(ctx, s.replayed.keys()); err != nil {
		return err
	}
	for t := range s.replayed {
		w.named.both(t, func(id tableID) { s.addTable(id.season) })
	}
	if err := s.fetch.fixturesOf(ctx, s.replayed.keys()); err != nil {
		return err
	}
	return s.fetch.squadsOf(ctx, s.regrown.keys())
}

func (s *spread) fromMatches(ctx context.Context) error {
	w := s.world
	ids := s.matches
	ids.add(slices.Collect(maps.Keys(w.matches.changed))...)
	for t := range s.replayed {
		w.fixtures.both(t, func(id sport.ID) { ids.add(id) })
	}
	for _, seasons := range []set[season]{s.unsettle, s.renamed} {
		for c := range seasons {
			w.played.both(c, func(id sport.ID) { ids.add(id) })
		}
	}
	if err := s.fetch.matches(ctx, ids.keys()); err != nil {
		return err
	}
	for id := range ids {
		for _, v := range []view{before, after} {
			if m := w.matches.at(v, id); m != nil && m.CompetitionID != "" {
				s.addTable(m.season())
			}
		}
	}
	// The players of hidden matches do not belong to the competition, so who
	// does depends on the teams and competitions of the matches.
	return s.fetch.contextOfMatches(ctx, ids.keys())
}

// fromNames finds the matches that name players who are to be named otherwise,
// or no longer.
func (s *spread) fromNames(ctx context.Context) error {
	w := s.world
	named := set[sport.ID]{}
	for id := range w.players.changed {
		was, is := w.players.at(before, id), w.players.at(after, id)
		if was == nil || is == nil || was.Name != is.Name || was.Number != is.Number || was.Position != is.Position ||
			was.Photo != is.Photo || was.Visibility != is.Visibility || was.TeamID != is.TeamID {
			named.add(id)
		}
	}
	for t := range s.regrown {
		was, is := w.teams.at(before, t), w.teams.at(after, t)
		if was == nil || is == nil || was.Visibility != is.Visibility || was.Season != is.Season {
			w.squads.both(t, func(id sport.ID) { named.add(id) })
		}
	}
	s.playerSums.add(named.keys()...)
	if err := s.fetch.performancesOf(ctx, named.keys()); err != nil {
		return err
	}
	for id := range named {
		for m := range w.performed[id] {
			s.matches.add(m)
		}
	}
	return nil
}

// fromPlayers also decides, in the view after, in which competitions players
// appear beside their team's own.
func (s *spread) fromPlayers(ctx context.Context) error {
	w := s.world
	ids := set[sport.ID]{}
	ids.add(slices.Collect(maps.Keys(w.players.changed))...)
	for t := range s.regrown {
		w.squads.both(t, func(id sport.ID) { ids.add(id) })
	}
	touched := set[season]{}
	for id := range s.matches {
		was, is := w.appearing(before, id), w.appearing(after, id)
		_, unsettled := s.unsettle[is.season]
		if slices.Equal(was.squad, is.squad) && was.season == is.season && !unsettled {
			continue
		}
		for _, a := range []lineup{was, is} {
			if len(a.squad) > 0 {
				touched.add(a.season)
				ids.add(a.squad...)
			}
		}
	}
	if err := s.fetch.appearancesIn(ctx, touched.keys()); err != nil {
		return err
	}
	for id := range s.matches {
		w.noteAppearances(id)
	}
	if err := s.fetch.players(ctx, ids.keys()); err != nil {
		return err
	}
	s.players.add(ids.keys()...)
	var teams []sport.ID
	for id := range ids {
		for _, v := range []view{before, after} {
			if x := w.players.at(v, id); x != nil {
				teams = append(teams, x.TeamID)
			}
		}
	}
	if err := s.fetch.contextOfTeams(ctx, teams); err != nil {
		return err
	}
	for id := range ids {
		w.setLineups(id, touched)
	}
	return nil
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
