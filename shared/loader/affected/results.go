package affected

import (
	"context"
	"maps"
	"slices"

	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/statistics"
)

// What leads along matches is found in one go, those of a season together: what a match
// adds is computed from its line-ups and events, and not kept for long.

// results leads from the affected matches to the sums that they change: of their seasons,
// teams and players. What happens in a match that goes on adds nothing to them, so that a
// live score is cheap.
func (s *finder) results(ctx context.Context) {
	w := s.world
	matches := w.MatchesByCompetition(s.Matches.Keys())
	s.fetch.Details(ctx, matches)
	s.fetchNamed(ctx, matches)
	grown := map[world.SeasonID]statistics.Coverage{}
	for _, id := range matches {
		w.NoteOutcomes(id)
		was, is := w.Outcome(world.Before, id), w.Outcome(world.After, id)
		switch {
		case !s.countsAlike(was, is):
			for o := range w.Outcomes(id) {
				s.addSums(o)
			}
		case was != nil && s.coverage(world.Before, was) != s.coverage(world.After, is):
			more := grown[is.Season]
			more.Add(s.coverage(world.Before, was))
			more.Add(s.coverage(world.After, is))
			grown[is.Season] = more
		}
	}
	// The first event of a match that goes on is seldom the first of the season, which
	// the season's statistics say.
	stored := s.fetch.Coverage(ctx, slices.Collect(maps.Keys(grown)))
	for id, more := range grown {
		if !stored[id].Has(more) {
			s.CompetitionSums.Add(id)
		}
	}
}

// countsAlike reports whether a change of a match leaves all sums as they are, but
// for the coverage of its season.
func (s *finder) countsAlike(was, is *world.Outcome) bool {
	if was == nil || is == nil {
		return was == is
	}
	a, b := was.Entry, is.Entry
	return a.Status == b.Status && a.Status != sport.Finished && a.Hidden == b.Hidden && was.Season == is.Season &&
		a.Home == b.Home && a.Away == b.Away && a.GroupID == b.GroupID && s.coverage(world.After, is).Has(s.coverage(world.Before, was))
}

func (s *finder) coverage(v world.View, o *world.Outcome) statistics.Coverage {
	return s.world.Contribution(v, o).Coverage
}

func (s *finder) addSums(o *world.Outcome) {
	if o.Season.ID != "" {
		s.CompetitionSums.Add(o.Season)
	}
	if o.Entry.Status == sport.Finished {
		s.TeamSums.Add(o.Entry.Home.ID, o.Entry.Away.ID)
		for _, p := range o.All {
			s.PlayerSums.Add(p.PlayerID)
		}
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
		for o := range w.Outcomes(id) {
			for _, p := range o.All {
				players.Add(p.PlayerID)
			}
		}
		if m := w.Result(world.After, id); m != nil && m.Status != sport.Finished && w.Matches.WillChange(id) {
			underWay = append(underWay, id)
		}
	}
	s.fetch.ShownIn(ctx, underWay)
	others := slices.DeleteFunc(players.Keys(), func(id sport.ID) bool { return w.Shows(id) && !w.Players.Fetched(id) })
	s.fetch.Teams(ctx, slices.Collect(s.fetch.TeamsOfPlayers(ctx, others)))
}

// forTeamSums leads from teams to what their matches are added up of, and to what decides
// who sees those outside the team's own season.
func (s *finder) forTeamSums(ctx context.Context) {
	w, teams := s.world, s.TeamSums.Keys()
	s.fetch.FixturesOf(ctx, teams)
	s.fetch.FriendliesOf(ctx, teams)
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
					s.summed.Add(in)
				}
				if outside(t, in, e.Status) {
					s.in.Add(in)
					s.opponents.Add(e.Home.ID, e.Away.ID)
				}
			}
		}
	}
}

// forPlayerSums does the same for players.
func (s *finder) forPlayerSums(ctx context.Context) {
	w, players := s.world, s.PlayerSums.Keys()
	s.fetch.PerformancesOf(ctx, players)
	for _, id := range w.PlayersByCompetition(players) {
		for v, x := range w.Players.Views(id) {
			t := w.Teams.At(v, x.TeamID)
			for _, e := range w.PlayedBy(v, id) {
				in := world.SeasonID{ID: e.Competition, Season: e.Season}
				s.namedIn.Add(in)
				s.namedTeams.Add(e.Team)
				if outside(t, in, e.Status) {
					s.in.Add(in)
					s.away.Add(e.Match)
				}
			}
		}
	}
}

// outside reports whether a finished match is not one of a team's own season.
func outside(t *world.Team, in world.SeasonID, status sport.MatchStatus) bool {
	return t != nil && t.CompetitionID != "" && in != t.SeasonID() && status == sport.Finished
}
