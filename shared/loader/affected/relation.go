package affected

import (
	"context"
	"iter"
	"slices"

	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// Relations and conditions that depend on more than fields, and what follows from the
// hierarchy and from line-ups, which the view after gets here.

func competition(s world.SeasonID) sport.ID { return s.ID }

func seasonOf(t world.TableID) world.SeasonID { return t.SeasonID }

// related are the seasons that some are playoffs or playouts of, and their own ones.
func (s *finder) related(ctx context.Context, seasons []world.SeasonID) iter.Seq[world.SeasonID] {
	above := slices.Collect(s.fetch.ParentSeasonsOf(ctx, seasons))
	return slices.Values(slices.AppendSeq(above, s.fetch.StagesIn(ctx, seasons)))
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
	for id := range s.reviewed {
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
		if was.Season == is.Season && !s.whole.Has(is.Season) {
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
