package integrity

import (
	"context"
	"iter"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/standings"
)

// ties warns of ties that a load finishes and that are not as they should be (D66). If
// nothing stays that the set does not hold, stored matches count for nothing.
func (l *Checker) ties(ctx context.Context, set *dataset.Set, part *dataset.Part, nothingStays bool) []dataset.Fault {
	f, w := l.Fetch, l.World
	season := func(m *sport.Match) world.SeasonID { return world.SeasonID{ID: m.CompetitionID, Season: m.Season} }
	changed := slices.Values(part.Matches)
	if f.Empty {
		changed = l.all(set)
	}
	seasons := world.Set[world.SeasonID]{}
	var order []world.SeasonID // of their first matches
	for x := range changed {
		m := &x.Value.Base
		if c := w.Competitions.At(world.After, season(m)); c != nil && c.Format == sport.FormatKnockout && !x.Deleted && m.Status == sport.Finished && !seasons.Has(season(m)) {
			seasons.Add(season(m))
			order = append(order, season(m))
		}
	}
	if len(order) == 0 {
		return nil
	}
	played := map[world.SeasonID][]sport.Match{}
	add := func(m *sport.Match) {
		if id := season(m); seasons.Has(id) && m.Visibility == sport.Public {
			played[id] = append(played[id], *w.Competitions.At(world.After, id).Ruled(m))
		}
	}
	for x := range l.all(set) {
		if !x.Deleted {
			add(&x.Value.Base)
		}
	}
	if !nothingStays {
		f.PlayedIn(ctx, order)
		for id := range w.Played.Both(order...) {
			if m := w.Result(world.Before, id); m != nil && set.Find(dataset.Target{Kind: sport.KindMatch, ID: id}) == dataset.Unknown {
				add(m)
			}
		}
	}
	var found []dataset.Fault
	for _, id := range order {
		for _, t := range standings.TieWarnings(played[id], w.Competitions.At(world.After, id).Rules.TieRules()) {
			if at := set.Origin(sport.KindMatch, t.MatchID); at.Line > 0 {
				found = append(found, dataset.Fault{File: at.File, Line: at.Line, Field: t.Field, Message: t.Message})
			}
		}
	}
	return found
}

// all are the matches of a set, with their seasons and kick-offs.
func (l *Checker) all(set *dataset.Set) iter.Seq[*dataset.Record[dataset.Match]] {
	return func(yield func(*dataset.Record[dataset.Match]) bool) {
		for _, x := range set.Matches.All() {
			if l.Resolve(x); !yield(x) {
				return
			}
		}
	}
}
