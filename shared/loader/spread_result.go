package loader

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"touchline/shared/sport"
	"touchline/shared/statistics"
)

// fromResults computes what the affected matches add up to in both views, and
// finds whose sums that changes. What happens in a match that goes on adds
// nothing to them, so that a live score is cheap.
func (s *spread) fromResults(ctx context.Context) error {
	w := s.world
	ids := s.matches.keys()
	if err := s.fetch.details(ctx, ids); err != nil {
		return err
	}
	if err := s.namedIn(ctx, ids); err != nil {
		return err
	}
	if err := s.intoFixtures(ctx, ids); err != nil {
		return err
	}
	for _, id := range ids {
		was, err := w.outcome(before, id)
		if err != nil {
			return err
		}
		is, err := w.outcome(after, id)
		if err != nil {
			return err
		}
		for _, o := range []*outcome{was, is} {
			if o == nil {
				continue
			}
			for _, p := range o.all {
				if w.performing[p.PlayerID] == nil {
					w.performing[p.PlayerID] = set[sport.ID]{}
				}
				w.performing[p.PlayerID].add(id)
			}
		}
		if !quiet(was, is) {
			s.sumUp(was)
			s.sumUp(is)
		}
	}
	for _, seasons := range []set[season]{s.unsettle, s.renamed} {
		for id := range seasons {
			s.addSum(id)
		}
	}
	s.teamSums.add(s.regrown.keys()...)
	s.fromGuests()
	return s.fromRules(ctx)
}

// fromGuests finds the players whose numbers others are to see, or no longer,
// without a match of theirs being affected.
func (s *spread) fromGuests() {
	w := s.world
	for id := range s.regrown {
		was, is := w.teams.at(before, id), w.teams.at(after, id)
		if was != nil && is != nil && !reflect.DeepEqual(w.guests(before, was), w.guests(after, is)) {
			w.squads.both(id, func(player sport.ID) { s.playerSums.add(player) })
		}
	}
}

// intoFixtures fetches the matches of the teams of the affected ones, which are
// kept together by quarter.
func (s *spread) intoFixtures(ctx context.Context, matches []sport.ID) error {
	teams := set[sport.ID]{}
	for _, id := range matches {
		for _, v := range []view{before, after} {
			if m := s.world.matches.at(v, id); m != nil {
				teams.add(m.HomeTeamID, m.AwayTeamID)
			}
		}
	}
	return s.fetch.fixturesOf(ctx, teams.keys())
}

// quiet reports whether a change of a match leaves all sums as they are.
func quiet(was, is *outcome) bool {
	if was == nil || is == nil {
		return was == nil && is == nil
	}
	a, b := was.entry, is.entry
	return a.Status == b.Status && a.Status != sport.Finished && a.Hidden == b.Hidden && was.season == is.season &&
		a.Home == b.Home && a.Away == b.Away && a.GroupID == b.GroupID && was.counted.Coverage == is.counted.Coverage
}

func (s *spread) sumUp(o *outcome) {
	if o == nil {
		return
	}
	s.addSum(o.season)
	if o.entry.Status != sport.Finished {
		return
	}
	s.teamSums.add(o.entry.Home.ID, o.entry.Away.ID)
	for _, p := range o.all {
		s.playerSums.add(p.PlayerID)
	}
}

// namedIn fetches the players that matches list or name, as answers show them.
func (s *spread) namedIn(ctx context.Context, matches []sport.ID) error {
	players := set[sport.ID]{}
	for _, id := range matches {
		for _, v := range []view{before, after} {
			m := s.world.matches.at(v, id)
			if m == nil {
				continue
			}
			involved, err := m.involved()
			if err != nil {
				return err
			}
			players.add(involved...)
		}
	}
	return s.fetch.contextOfPlayers(ctx, players.keys())
}

// fromRules finds the teams whose points count differently.
func (s *spread) fromRules(ctx context.Context) error {
	w := s.world
	var ruled []season
	for id := range w.competitions.changed {
		was, is := w.competitions.at(before, id), w.competitions.at(after, id)
		if was != nil && is != nil && !reflect.DeepEqual(was.Rules, is.Rules) {
			ruled = append(ruled, id)
		}
	}
	if err := s.fetch.playedIn(ctx, ruled); err != nil {
		return err
	}
	for _, id := range ruled {
		w.played.both(id, func(m sport.ID) {
			for _, v := range []view{before, after} {
				if x := w.result(v, m); x != nil {
					s.teamSums.add(x.HomeTeamID, x.AwayTeamID)
				}
			}
		})
	}
	return nil
}

// intoSums fetches what the sums are computed from.
func (s *spread) intoSums(ctx context.Context) error {
	if err := s.intoTeamSums(ctx); err != nil {
		return err
	}
	if err := s.intoPlayerSums(ctx); err != nil {
		return err
	}
	w := s.world
	if err := s.fetch.competitions(ctx, slices.Collect(maps.Keys(s.sums))); err != nil {
		return err
	}
	seasons := allSeasons(s.sums)
	for _, fetch := range []func(context.Context, []season) error{
		s.fetch.enteredIn, s.fetch.playedIn, s.fetch.contributionsIn, s.fetch.playersIn, s.fetch.teamsOfTables,
	} {
		if err := fetch(ctx, seasons); err != nil {
			return err
		}
	}
	// Who is named but not in the list of players: a guest that only an event
	// names, or one that is hidden.
	unknown := set[sport.ID]{}
	for _, id := range seasons {
		for _, c := range w.contributed[id] {
			for _, part := range []statistics.Part{c.Home, c.Away} {
				for _, p := range part.Performances {
					if _, ok := w.names[p.PlayerID]; !ok {
						unknown.add(p.PlayerID)
					}
				}
			}
		}
	}
	return s.fetch.contextOfPlayers(ctx, unknown.keys())
}

func (s *spread) intoTeamSums(ctx context.Context) error {
	w := s.world
	teams := s.teamSums.keys()
	if err := s.fetch.teams(ctx, teams); err != nil {
		return err
	}
	if err := s.fetch.fixturesOf(ctx, teams); err != nil {
		return err
	}
	if err := s.fetch.friendliesOf(ctx, teams); err != nil {
		return err
	}
	seasons := set[season]{}
	for _, id := range teams {
		w.fixtures.both(id, func(m sport.ID) {
			for _, v := range []view{before, after} {
				if e := w.listed(v, m); e != nil && e.Competition != nil {
					seasons.add(season{ID: e.Competition.ID, Season: e.Season})
				}
			}
		})
	}
	if err := s.fetch.competitions(ctx, idsOf(seasons)); err != nil {
		return err
	}
	if err := s.fetch.contributionsIn(ctx, seasons.keys()); err != nil {
		return err
	}
	return s.intoTeamGuests(ctx)
}

// intoTeamGuests fetches what tells who sees the matches of teams outside their
// own competition.
func (s *spread) intoTeamGuests(ctx context.Context) error {
	w := s.world
	teams := s.teamSums.keys()
	if err := s.fetch.contextOfTeams(ctx, teams); err != nil {
		return err
	}
	var opponents, competitions []sport.ID
	for _, id := range teams {
		for _, v := range []view{before, after} {
			t := w.teams.at(v, id)
			if t == nil || t.CompetitionID == "" {
				continue
			}
			w.fixtures.each(v, id, func(m sport.ID) {
				e := w.listed(v, m)
				if e == nil || e.Status != sport.Finished || e.Competition != nil && e.Competition.ID == t.CompetitionID && e.Season == t.Season {
					return
				}
				opponents = append(opponents, e.Home.ID, e.Away.ID)
				if e.Competition != nil {
					competitions = append(competitions, e.Competition.ID)
				}
			})
		}
	}
	return s.whoSees(ctx, opponents, competitions)
}

// intoPlayerGuests does so for the matches of players outside their team's.
func (s *spread) intoPlayerGuests(ctx context.Context) error {
	w := s.world
	players := s.playerSums.keys()
	matches, teams := set[sport.ID]{}, set[sport.ID]{}
	var competitions []sport.ID
	for _, id := range players {
		for _, v := range []view{before, after} {
			x := w.players.at(v, id)
			if x == nil {
				continue
			}
			t := w.teams.at(v, x.TeamID)
			if t == nil || t.CompetitionID == "" {
				continue
			}
			for _, e := range w.playedBy(v, id) {
				if e.Status != sport.Finished || (season{ID: e.Competition, Season: e.Season}) == t.season() {
					continue
				}
				teams.add(t.ID)
				matches.add(e.Match)
				competitions = append(competitions, e.Competition)
			}
		}
	}
	if err := s.fetch.contextOfTeams(ctx, teams.keys()); err != nil {
		return err
	}
	if err := s.fetch.matches(ctx, matches.keys()); err != nil {
		return err
	}
	var sides []sport.ID
	for id := range matches {
		for _, v := range []view{before, after} {
			if m := w.matches.at(v, id); m != nil {
				sides = append(sides, m.HomeTeamID, m.AwayTeamID)
			}
		}
	}
	return s.whoSees(ctx, sides, competitions)
}

// whoSees fetches the owners of teams and competitions.
func (s *spread) whoSees(ctx context.Context, teams, competitions []sport.ID) error {
	w := s.world
	if err := s.fetch.teams(ctx, teams); err != nil {
		return err
	}
	var owners []sport.ID
	for _, id := range teams {
		for _, v := range []view{before, after} {
			if t := w.teams.at(v, id); t != nil {
				owners = append(owners, t.OrganizationID)
			}
		}
	}
	if err := s.fetch.organizations(ctx, owners); err != nil {
		return err
	}
	return s.fetch.withOwners(ctx, competitions)
}

func (s *spread) intoPlayerSums(ctx context.Context) error {
	w := s.world
	players := s.playerSums.keys()
	if err := s.fetch.contextOfPlayers(ctx, players); err != nil {
		return err
	}
	if err := s.fetch.performancesOf(ctx, players); err != nil {
		return err
	}
	var teams []sport.ID
	seasons := set[season]{}
	for _, id := range players {
		for _, v := range []view{before, after} {
			for _, e := range w.playedBy(v, id) {
				teams = append(teams, e.Team)
				if e.Competition != "" {
					seasons.add(season{ID: e.Competition, Season: e.Season})
				}
			}
		}
	}
	if err := s.fetch.competitions(ctx, idsOf(seasons)); err != nil {
		return err
	}
	if err := s.fetch.teams(ctx, teams); err != nil {
		return err
	}
	return s.intoPlayerGuests(ctx)
}

func idsOf(seasons set[season]) []sport.ID {
	ids := set[sport.ID]{}
	for s := range seasons {
		ids.add(s.ID)
	}
	return ids.keys()
}
