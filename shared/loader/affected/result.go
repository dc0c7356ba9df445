package affected

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/statistics"
)

// fromResults computes what the affected matches add up to in both views, and
// finds the sums that this changes. What happens in a match that goes on adds
// nothing to them, so that a live score is cheap.
func (s *finder) fromResults(ctx context.Context) {
	w := s.world
	ids := w.MatchesByCompetition(s.Matches.Keys())
	s.fetch.Details(ctx, ids)
	s.fetchNamed(ctx, ids)
	grown := map[world.SeasonID]statistics.Coverage{}
	for _, id := range ids {
		was, is := w.Outcomes(id)
		for _, o := range []*world.Outcome{was, is} {
			if o == nil {
				continue
			}
			for _, p := range o.All {
				w.Perform(p.PlayerID, id)
			}
			w.Schedule(o)
		}
		switch {
		case !countsAlike(was, is):
			s.addSums(was)
			s.addSums(is)
		case was != nil && was.Counted.Coverage != is.Counted.Coverage:
			more := grown[is.Season]
			more.Add(was.Counted.Coverage)
			more.Add(is.Counted.Coverage)
			grown[is.Season] = more
		}
	}
	s.fromCoverage(ctx, grown)
	for _, seasons := range []world.Set[world.SeasonID]{s.allOf, s.renamed} {
		for id := range seasons {
			s.addSum(id)
		}
	}
	s.fetch.FixturesScheduled(ctx)
	s.TeamSums.Add(s.playersOf.Keys()...)
	s.fromGuests()
	s.fromRules(ctx)
}

// fromGuests finds the players whose numbers become visible to others, or no
// longer are, without a match of theirs being affected.
func (s *finder) fromGuests() {
	w := s.world
	for id := range s.playersOf {
		was, is := w.Teams.At(world.Before, id), w.Teams.At(world.After, id)
		if was != nil && is != nil && !reflect.DeepEqual(w.Guests(world.Before, was), w.Guests(world.After, is)) {
			s.PlayerSums.AddAll(w.Squads.Both(id))
		}
	}
}

// countsAlike reports whether a change of a match leaves all sums as they are, but
// for the coverage of its season.
func countsAlike(was, is *world.Outcome) bool {
	if was == nil || is == nil {
		return was == nil && is == nil
	}
	a, b := was.Entry, is.Entry
	return a.Status == b.Status && a.Status != sport.Finished && a.Hidden == b.Hidden && was.Season == is.Season &&
		a.Home == b.Home && a.Away == b.Away && a.GroupID == b.GroupID && is.Counted.Coverage.Has(was.Counted.Coverage)
}

// fromCoverage finds the seasons in which the load brings something for the first time,
// such as events: their statistics say so. The first event of a match that goes on is
// seldom the first of the season.
func (s *finder) fromCoverage(ctx context.Context, grown map[world.SeasonID]statistics.Coverage) {
	stored := s.fetch.Coverage(ctx, slices.Collect(maps.Keys(grown)))
	for id, more := range grown {
		if !stored[id].Has(more) {
			s.addSum(id)
		}
	}
}

func (s *finder) addSums(o *world.Outcome) {
	if o == nil {
		return
	}
	s.addSum(o.Season)
	if o.Entry.Status != sport.Finished {
		return
	}
	s.TeamSums.Add(o.Entry.Home.ID, o.Entry.Away.ID)
	for _, p := range o.All {
		s.PlayerSums.Add(p.PlayerID)
	}
}

// fetchNamed fetches the players whom matches list or name. Of those of a match that
// goes on, most are read from the stored match: all of a finished one are fetched
// anyway, for their sums.
func (s *finder) fetchNamed(ctx context.Context, matches []sport.ID) {
	w := s.world
	var players world.Set[sport.ID]
	var underWay []sport.ID
	for _, id := range matches {
		was, is := w.Outcomes(id)
		for _, o := range []*world.Outcome{was, is} {
			if o != nil {
				for _, p := range o.All {
					players.Add(p.PlayerID)
				}
			}
		}
		if m := w.Result(world.After, id); m != nil && m.Status != sport.Finished && w.Matches.WillChange(id) {
			underWay = append(underWay, id)
		}
	}
	s.fetch.ShownIn(ctx, underWay)
	s.fetch.PlayersNamed(ctx, slices.DeleteFunc(players.Keys(), func(id sport.ID) bool {
		return w.Shows(id) && !w.Players.Fetched(id)
	}))
}

// fromRules finds the teams whose points count differently.
func (s *finder) fromRules(ctx context.Context) {
	w := s.world
	var ruled []world.SeasonID
	for _, id := range w.Competitions.Changes() {
		was, is := w.Competitions.At(world.Before, id), w.Competitions.At(world.After, id)
		if was != nil && is != nil && !reflect.DeepEqual(was.Rules, is.Rules) {
			ruled = append(ruled, id)
		}
	}
	s.fetch.PlayedIn(ctx, ruled)
	for _, id := range ruled {
		s.addSum(id)
	}
	for m := range w.Played.Both(ruled...) {
		for _, v := range []world.View{world.Before, world.After} {
			if x := w.Result(v, m); x != nil {
				s.TeamSums.Add(x.HomeTeamID, x.AwayTeamID)
			}
		}
	}
}

// fetchForSums fetches what the sums are computed from.
func (s *finder) fetchForSums(ctx context.Context) {
	s.fetchForTeamSums(ctx)
	s.fetchForPlayerSums(ctx)
	w := s.world
	seasons := s.CompetitionSums.Keys()
	s.fetch.Competitions(ctx, world.CompetitionsIn(seasons).Keys())
	s.fetch.EnteredIn(ctx, seasons)
	s.fetch.PlayedIn(ctx, seasons)
	s.fetch.ContributionsIn(ctx, seasons)
	s.fetch.PlayersIn(ctx, seasons)
	s.fetch.TeamsOfTables(ctx, seasons)
	// Who is named but not in the list of players: a guest that only an event
	// names, or one that is hidden.
	var unknown world.Set[sport.ID]
	for _, id := range seasons {
		for _, c := range w.Contributed[id] {
			for _, side := range []statistics.SideContribution{c.Home, c.Away} {
				for _, p := range side.Performances {
					if _, ok := w.Names[p.PlayerID]; !ok {
						unknown.Add(p.PlayerID)
					}
				}
			}
		}
	}
	s.fetch.PlayersNamed(ctx, unknown.Keys())
}

// fetchForTeamSums also fetches what decides who sees the matches of teams outside their
// own competition.
func (s *finder) fetchForTeamSums(ctx context.Context) {
	w := s.world
	teams := s.TeamSums.Keys()
	s.fetch.ContextOfTeams(ctx, teams)
	s.fetch.FixturesOf(ctx, teams)
	s.fetch.FriendliesOf(ctx, teams)
	var seasons world.Set[world.SeasonID]
	var opponents, competitions []sport.ID
	for _, id := range w.TeamsByCompetition(teams) {
		for v, t := range w.Teams.Views(id) {
			for m := range w.Fixtures.In(v, id) {
				e := w.Listed(v, m)
				if e == nil {
					continue
				}
				in := world.SeasonID{} // of a friendly
				if e.Competition != nil {
					in = world.SeasonID{ID: e.Competition.ID, Season: e.Season}
					seasons.Add(in)
				}
				if t.CompetitionID != "" && in != t.SeasonID() && e.Status == sport.Finished {
					opponents, competitions = append(opponents, e.Home.ID, e.Away.ID), append(competitions, in.ID)
				}
			}
		}
	}
	s.fetch.Competitions(ctx, world.CompetitionsIn(seasons.Keys()).Keys())
	s.fetch.ContributionsIn(ctx, seasons.Keys())
	s.fetchOwners(ctx, opponents, competitions)
}

// fetchForPlayerSums also fetches what decides who sees the matches of players outside
// the competition of their team.
func (s *finder) fetchForPlayerSums(ctx context.Context) {
	w := s.world
	players := s.PlayerSums.Keys()
	s.fetch.ContextOfPlayers(ctx, players)
	s.fetch.PerformancesOf(ctx, players)
	var all, teams, competitions []sport.ID
	var matches world.Set[sport.ID]
	for _, id := range w.PlayersByCompetition(players) {
		for v, x := range w.Players.Views(id) {
			t := w.Teams.At(v, x.TeamID)
			for _, e := range w.PlayedBy(v, id) {
				all, teams = append(all, e.Competition), append(teams, e.Team)
				in := world.SeasonID{ID: e.Competition, Season: e.Season}
				if t != nil && t.CompetitionID != "" && in != t.SeasonID() && e.Status == sport.Finished {
					matches.Add(e.Match)
					competitions = append(competitions, e.Competition)
				}
			}
		}
	}
	s.fetch.Competitions(ctx, all)
	s.fetch.Matches(ctx, matches.Keys())
	for m := range w.Matches.Both(matches.Keys()...) {
		teams = append(teams, m.HomeTeamID, m.AwayTeamID)
	}
	s.fetchOwners(ctx, teams, competitions)
}

// fetchOwners fetches teams and competitions, and the owners of both.
func (s *finder) fetchOwners(ctx context.Context, teams, competitions []sport.ID) {
	s.fetch.OwnersOfTeams(ctx, teams)
	s.fetch.WithOwners(ctx, competitions)
}
