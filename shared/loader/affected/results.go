package affected

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/statistics"
	"touchline/shared/store/records"
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
	var named world.Set[sport.ID]
	for _, id := range matches {
		for o := range w.Outcomes(id) {
			for _, p := range o.All {
				named.Add(p.PlayerID)
			}
		}
	}
	s.fetch.Teams(ctx, slices.Collect(s.fetch.TeamsOfPlayers(ctx, named.Keys())))
	for _, id := range matches {
		w.NoteOutcomes(id)
		if s.countsAlike(w.Outcome(world.Before, id), w.Outcome(world.After, id)) {
			continue
		}
		for o := range w.Outcomes(id) {
			if o.Season.ID != "" {
				s.Seasons.Add(o.Season)
			}
			if o.Entry.Status == sport.Finished {
				s.Teams.Add(o.Entry.Home.ID, o.Entry.Away.ID)
				for _, p := range o.All {
					s.Players.Add(p.PlayerID)
				}
			}
		}
	}
}

// countsAlike reports whether a change of a match leaves all tables and sums as they are: it
// goes on, and has another score, or more has happened in it of what happened before.
func (s *finder) countsAlike(was, is *world.Outcome) bool {
	if was == nil || is == nil {
		return was == is
	}
	a, b := was.Entry, is.Entry
	for _, e := range []*records.MatchEntry{&a, &b} {
		e.Score, e.Penalties, e.ExtraTime, e.Winner, e.HomeFairPlay, e.AwayFairPlay = nil, nil, false, "", 0, 0
	}
	coverage := func(v world.View, o *world.Outcome) statistics.Coverage { return s.world.Contribution(v, o).Coverage }
	return a.Status != sport.Finished && reflect.DeepEqual(a, b) && coverage(world.Before, was) == coverage(world.After, is)
}

// sums leads from teams, players and seasons to what their matches are added up of, and to
// what decides who sees these.
func (s *finder) sums(ctx context.Context) {
	w, f, players := s.world, s.fetch, s.Players.Keys()
	summed, away := maps.Clone(s.Seasons), world.Set[sport.ID]{}
	f.FriendliesOf(ctx, s.Teams.Keys())
	for _, id := range w.MatchesByCompetition(slices.Collect(f.FixturesOf(ctx, s.Teams.Keys()))) {
		for _, v := range []world.View{world.Before, world.After} {
			if e := w.Listed(v, id); e != nil {
				s.teams.Add(e.Home.ID, e.Away.ID)
				if e.Competition != nil {
					summed.Add(world.SeasonID{ID: e.Competition.ID, Season: e.Season})
				}
			}
		}
	}
	f.PerformancesOf(ctx, players)
	for _, id := range w.PlayersByCompetition(players) {
		for v, x := range w.Players.Views(id) {
			t := w.Teams.At(v, x.TeamID)
			for _, e := range w.PlayedBy(v, id) {
				in := world.SeasonID{ID: e.Competition, Season: e.Season}
				s.seasons.Add(in)
				s.teams.Add(e.Team)
				if t != nil && in != t.SeasonID() && e.Status == sport.Finished { // not everybody who sees the player sees it
					away.Add(e.Match)
				}
			}
		}
	}
	s.teams.AddAll(f.TeamsOfMatches(ctx, away.Keys()))
	f.ContributionsIn(ctx, summed.Keys())
	s.seasons.AddAll(maps.Keys(summed))
	f.PlayersIn(ctx, s.Seasons.Keys())
	s.teams.AddAll(f.TeamsOfPlayers(ctx, slices.Collect(w.Unlisted(w.Played.Both(s.Seasons.Keys()...)))))
}
