package loader

import (
	"context"
	"maps"
	"slices"

	"touchline/shared/sport"
)

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
