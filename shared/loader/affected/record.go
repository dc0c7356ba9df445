package affected

import (
	"context"
	"reflect"
	"slices"

	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/standings"
	"touchline/shared/store/records"
)

func (s *finder) fromCompetitions(ctx context.Context) {
	w := s.world
	ids := world.CompetitionsIn(w.Competitions.Changes())
	ids.AddAll(w.Owned.Both(s.ownedBy.Keys()...))
	s.fetch.Competitions(ctx, ids.Keys())
	s.Competitions.Add(ids.Keys()...)
	s.fetch.WithOwners(ctx, ids.Keys())
	var relatives world.Set[sport.ID]
	for id := range ids {
		w.SetCurrent(id)
		for year := range w.Seasons.Both(id) {
			s.fromSeason(world.SeasonID{ID: id, Season: year}, &relatives)
		}
	}
	// A parent shows its children: that there are any, and their tables.
	s.fetch.Competitions(ctx, relatives.Keys())
	s.Competitions.Add(relatives.Keys()...)
	affectedSeasons := append(s.allOf.Keys(), s.renamed.Keys()...)
	s.fetch.EnteredIn(ctx, affectedSeasons)
	s.fetch.PlayedIn(ctx, affectedSeasons)
}

func (s *finder) fromSeason(id world.SeasonID, relatives *world.Set[sport.ID]) {
	w := s.world
	if c := w.Competitions.At(world.After, id); c != nil && c.Unseen != w.CompetitionUnseen(world.After, c) {
		renewed := *c
		renewed.Unseen = !c.Unseen
		w.Competitions.Change(id, &renewed)
	}
	was, is := w.Competitions.At(world.Before, id), w.Competitions.At(world.After, id)
	for c := range w.Competitions.Both(id) {
		if c.ParentID != "" {
			relatives.Add(c.ParentID)
			s.addTable(c.ParentSeason())
		}
	}
	reowned := slices.ContainsFunc([]*world.Competition{was, is}, func(c *world.Competition) bool { return c != nil && s.ownedBy.Has(c.OrganizationID) })
	switch {
	case was == nil || is == nil || reowned || was.IsCurrent != is.IsCurrent ||
		was.Public() != is.Public() || was.OrganizationID != is.OrganizationID || was.Rules.HidePlayers != is.Rules.HidePlayers:
		s.allOf.Add(id)
	case records.CompetitionRefOf(&was.Competition) != records.CompetitionRefOf(&is.Competition) || !slices.Equal(was.Groups, is.Groups) || was.Rules.Clock() != is.Rules.Clock():
		s.renamed.Add(id)
	}
	s.fromWithdrawals(was, is)
	s.addTable(id)
	s.retabled.Add(id)
}

// fromWithdrawals finds the teams that withdraw from a season, or no longer do.
func (s *finder) fromWithdrawals(was, is *world.Competition) {
	if was == nil || is == nil || reflect.DeepEqual(was.Withdrawals, is.Withdrawals) {
		return
	}
	for _, x := range slices.Concat(was.Withdrawals, is.Withdrawals) {
		s.matchesOf.Add(x.TeamID)
	}
}

func (s *finder) fromTeams(ctx context.Context) {
	w := s.world
	var ids world.Set[sport.ID]
	ids.Add(w.Teams.Changes()...)
	ids.AddAll(w.OwnedTeams.Both(append(s.ownedBy.Keys(), s.teamsOf.Keys()...)...))
	ids.AddAll(w.Entered.Both(append(s.allOf.Keys(), s.renamed.Keys()...)...))
	s.matchesOf.AddAll(w.OwnedTeams.Both(s.ownedBy.Keys()...))
	s.playersOf.AddAll(w.OwnedTeams.Both(s.ownedBy.Keys()...))
	s.playersOf.AddAll(w.Entered.Both(s.allOf.Keys()...))
	s.fetch.ContextOfTeams(ctx, ids.Keys())
	s.Teams.Add(ids.Keys()...)
	for id := range ids {
		if t := w.Teams.At(world.After, id); t != nil && t.Unseen != w.TeamUnseen(world.After, t) {
			renewed := *t
			renewed.Unseen = !t.Unseen
			w.Teams.Change(id, &renewed)
		}
		was, is := w.Teams.At(world.Before, id), w.Teams.At(world.After, id)
		for t := range w.Teams.Both(id) {
			if t.CompetitionID != "" {
				s.addTable(t.SeasonID())
				s.retabled.Add(t.SeasonID())
				s.addSum(t.SeasonID())
				s.Competitions.Add(t.CompetitionID)
			}
		}
		if was == nil || is == nil || records.TeamRefOf(&was.Team) != records.TeamRefOf(&is.Team) || was.OrganizationID != is.OrganizationID ||
			was.SeasonID() != is.SeasonID() || was.Public() != is.Public() {
			s.playersOf.Add(id)
			s.matchesOf.Add(id)
		}
	}
	s.fetch.TablesNaming(ctx, s.matchesOf.Keys())
	for id := range w.Named.Both(s.matchesOf.Keys()...) {
		s.addTable(id.SeasonID)
	}
	s.fetch.FixturesOf(ctx, s.matchesOf.Keys())
	s.fetch.SquadsOf(ctx, s.playersOf.Keys())
}

func (s *finder) fromMatches(ctx context.Context) {
	w := s.world
	ids := &s.Matches // those that a change above them affects, and those below
	ids.AddAll(w.Fixtures.Both(s.matchesOf.Keys()...))
	ids.AddAll(w.Played.Both(append(s.allOf.Keys(), s.renamed.Keys()...)...))
	changed := w.Matches.Changes()
	for _, id := range changed {
		if !ids.Has(id) {
			s.alone.Add(id)
		}
	}
	ids.Add(changed...)
	s.fetch.Matches(ctx, ids.Keys())
	// The players of hidden matches do not belong to the competition, so who
	// does depends on the teams and competitions of the matches.
	s.fetch.ContextOfMatches(ctx, ids.Keys())
	for id := range *ids {
		if s.alone.Has(id) && tablesUnchanged(w.Result(world.Before, id), w.Result(world.After, id)) {
			continue
		}
		for _, v := range []world.View{world.Before, world.After} {
			if m := w.Result(v, id); m != nil && m.CompetitionID != "" {
				season := world.SeasonID{ID: m.CompetitionID, Season: m.Season}
				s.addTable(season)
				if c := w.Competitions.At(v, season); m.Status == sport.Finished || c != nil && standings.Waits(c.Rules) {
					s.retabled.Add(season)
				}
			}
		}
	}
}

// tablesUnchanged reports whether a change of a match leaves all tables as they
// are: of one that is not finished they show that it is live, and the ties of a
// knockout its teams and its place among the others, but no score.
func tablesUnchanged(was, is *sport.Match) bool {
	if was == nil || is == nil || was.Status == sport.Finished {
		return false
	}
	a, b := *was, *is
	for _, m := range []*sport.Match{&a, &b} {
		m.Score, m.Penalties, m.ExtraTime, m.Winner = nil, nil, false, ""
	}
	return reflect.DeepEqual(a, b)
}

// fromNames finds the matches that show a player whose name changes, or may no
// longer be shown.
func (s *finder) fromNames(ctx context.Context) {
	w := s.world
	var named world.Set[sport.ID]
	for _, id := range w.Players.Changes() {
		was, is := w.Players.At(world.Before, id), w.Players.At(world.After, id)
		if was == nil || is == nil || records.PlayerRefOf(&was.Player) != records.PlayerRefOf(&is.Player) ||
			was.Visibility != is.Visibility || was.TeamID != is.TeamID || !slices.Equal(was.FormerNumbers, is.FormerNumbers) {
			named.Add(id)
		}
	}
	for t := range s.playersOf {
		was, is := w.Teams.At(world.Before, t), w.Teams.At(world.After, t)
		if was == nil || is == nil || was.Public() != is.Public() || was.Season != is.Season {
			named.AddAll(w.Squads.Both(t))
		}
	}
	s.PlayerSums.Add(named.Keys()...)
	s.fetch.PerformancesOf(ctx, named.Keys())
	for id := range named {
		for m := range w.Performed[id] {
			s.Matches.Add(m)
		}
	}
}

// fromPlayers also computes, in the view after, in which competitions players
// appear in addition to their team's.
func (s *finder) fromPlayers(ctx context.Context) {
	w := s.world
	var ids world.Set[sport.ID]
	ids.Add(w.Players.Changes()...)
	ids.AddAll(w.Squads.Both(s.playersOf.Keys()...))
	var touched world.Set[world.SeasonID]
	for id := range s.Matches {
		was, is := w.Appearing(world.Before, id), w.Appearing(world.After, id)
		if slices.Equal(was.Squad, is.Squad) && was.Season == is.Season && !s.allOf.Has(is.Season) {
			continue
		}
		for _, a := range []world.Lineup{was, is} {
			if len(a.Squad) > 0 {
				touched.Add(a.Season)
				ids.Add(a.Squad...)
			}
		}
	}
	s.fetch.AppearancesIn(ctx, touched.Keys())
	for id := range s.Matches {
		w.NoteAppearances(id)
	}
	s.Players.Add(ids.Keys()...)
	s.fetch.ContextOfPlayers(ctx, ids.Keys())
	for id := range ids {
		w.SetLineups(id, touched)
	}
}
