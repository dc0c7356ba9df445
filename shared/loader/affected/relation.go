package affected

import (
	"context"
	"iter"
	"reflect"
	"slices"

	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/standings"
)

// Relations and conditions that depend on more than fields, and what follows from the
// hierarchy and from line-ups, which the view after gets here.

func competition(s world.SeasonID) sport.ID { return s.ID }

func seasonOf(t world.TableID) world.SeasonID { return t.SeasonID }

// withdrawn are the teams that withdraw from seasons, or no longer do.
func (s *finder) withdrawn(ctx context.Context, seasons []world.SeasonID) iter.Seq[sport.ID] {
	return world.Named(s.fetch.Seasons(ctx, seasons), func(c *world.Competition) (teams []sport.ID) {
		for _, x := range c.Withdrawals {
			teams = append(teams, x.TeamID)
		}
		return teams
	})
}

// awards reports whether what is awarded in a season is worth something else than before.
func (s *finder) awards(id world.SeasonID) bool {
	was, is := s.world.Competitions.At(world.Before, id), s.world.Competitions.At(world.After, id)
	if was == nil || is == nil {
		return false
	}
	a, b := &was.Rules, &is.Rules
	return !reflect.DeepEqual(a.Forfeit, b.Forfeit) || (a.Win != b.Win || a.Loss != b.Loss) && (b.Forfeit != nil || len(is.Withdrawals) > 0)
}

// knockouts are those of given tables, which stand in the place of their ties.
func (s *finder) knockouts(ctx context.Context, tables []world.TableID) iter.Seq[sport.ID] {
	var seasons []world.SeasonID
	for _, t := range tables {
		seasons = append(seasons, t.SeasonID)
	}
	return world.Named(s.fetch.Seasons(ctx, seasons), func(c *world.Competition) []sport.ID {
		if c.Format != sport.FormatKnockout {
			return nil
		}
		return []sport.ID{c.ID}
	})
}

// dependent are the playoffs and playouts whose tables are computed from those of seasons.
func (s *finder) dependent(ctx context.Context, seasons []world.SeasonID) iter.Seq[world.SeasonID] {
	stages := slices.Collect(s.fetch.StagesIn(ctx, seasons))
	return world.Named(s.fetch.Seasons(ctx, stages), func(c *world.Competition) []world.SeasonID {
		if !standings.NeedsParent(c.Rules) || !s.retabled.Has(c.ParentSeason()) {
			return nil
		}
		return []world.SeasonID{c.SeasonID()}
	})
}

// needed are the seasons from whose tables the teams of others bring something along.
func (s *finder) needed(ctx context.Context, seasons []world.SeasonID) iter.Seq[world.SeasonID] {
	return world.Named(s.fetch.Seasons(ctx, seasons), func(c *world.Competition) []world.SeasonID {
		if c.ParentID == "" || !standings.NeedsParent(c.Rules) {
			return nil
		}
		return []world.SeasonID{c.ParentSeason()}
	})
}

// notListed are the players that add to the sums of seasons, but are not on the lists of
// their players: a guest that only an event names, or one that is hidden.
func (s *finder) notListed(_ context.Context, seasons []world.SeasonID) iter.Seq[sport.ID] {
	var players []sport.ID
	for _, id := range seasons {
		for _, c := range s.world.Contributed[id] {
			for _, p := range slices.Concat(c.Home.Performances, c.Away.Performances) {
				if _, ok := s.world.Names[p.PlayerID]; !ok {
					players = append(players, p.PlayerID)
				}
			}
		}
	}
	return slices.Values(players)
}

// decides reports whether the tables of playoffs may follow from a match. That it goes on
// shows only in the table of its own season.
func (s *finder) decides(id sport.ID) bool {
	for v, m := range s.world.Matches.Views(id) {
		c := s.world.Competitions.At(v, m.SeasonID())
		if s.world.Ruled(v, m).Status == sport.Finished || c != nil && standings.Waits(c.Rules) {
			return true
		}
	}
	return false
}

// hosted reports whether others than before see a team through its competition, and so
// the numbers of its players, without a match of theirs being affected.
func (s *finder) hosted(id sport.ID) bool {
	was, is := s.world.Teams.At(world.Before, id), s.world.Teams.At(world.After, id)
	return was != nil && is != nil && !reflect.DeepEqual(s.world.Guests(world.Before, was), s.world.Guests(world.After, is))
}

// hierarchy computes, in the view after, what follows from the hierarchy: the reach of
// what moved, from the top down, and whether a parent of what changed is a leaf.
func (s *finder) hierarchy(context.Context) {
	w := s.world
	var done world.Set[sport.ID]
	var settle func(id sport.ID)
	settle = func(id sport.ID) {
		o := w.Organizations.At(world.After, id)
		if o == nil || !s.moved.Has(id) || done.Has(id) {
			return
		}
		done.Add(id)
		for _, p := range o.Parents() {
			settle(p)
		}
		w.Organizations.Renew(id, func(o *world.Organization) {
			o.Reach, o.Unseen = w.Reach(world.After, o), w.Unseen(world.After, o)
		})
	}
	for id := range s.moved {
		settle(id)
	}
	for _, id := range slices.Concat(s.moved.Keys(), s.parents.Keys()) {
		w.Organizations.Renew(id, func(o *world.Organization) { o.Leaf = w.IsLeaf(world.After, id) })
	}
}

// unseenSeasons and unseenTeams compute, in the view after, what is out of sight (D68), and
// which teams hide their players (D75).
func (s *finder) unseenSeasons(context.Context) {
	w := s.world
	for id := range s.seasons {
		w.Competitions.Renew(id, func(c *world.Competition) { c.Unseen = w.CompetitionUnseen(world.After, c) })
	}
}

func (s *finder) unseenTeams(context.Context) {
	w := s.world
	for id := range s.Teams {
		w.Teams.Renew(id, func(t *world.Team) {
			t.Unseen, t.HidesPlayers = w.TeamUnseen(world.After, t), w.HidesPlayers(world.After, t.SeasonID())
		})
	}
}

// squads leads from matches that show others than before, or whose players are all
// affected, to these players. It computes, in the view after, in which competitions they
// appear in addition to their team's. Where else in a season they appear matters to those
// alone who leave a match: a goal in a match without line-ups reads one player.
func (s *finder) squads(ctx context.Context) {
	w := s.world
	var left world.Set[world.SeasonID]
	for id := range s.Matches {
		was, is := w.Appearing(world.Before, id), w.Appearing(world.After, id)
		gone, come := was.Squad, is.Squad
		if was.Season == is.Season && !s.opened.Has(is.Season) {
			gone, come = world.Without(was.Squad, is.Squad), world.Without(is.Squad, was.Squad)
		}
		if len(gone) > 0 {
			left.Add(was.Season)
		}
		s.Players.Add(gone...)
		s.Players.Add(come...)
	}
	s.fetch.AppearancesIn(ctx, left.Keys())
	s.fetch.Players(ctx, s.Players.Keys())
	for id := range s.Matches {
		w.NoteAppearances(id)
	}
	for id := range s.Players {
		w.SetLineups(id, left)
	}
}
