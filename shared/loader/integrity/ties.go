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

// knockout is a season whose ties a load may make strange.
type knockout struct {
	at      dataset.Origin // of the first record that may
	field   string         // of that record
	was, is []sport.Match  // in both views; was is empty where nothing stays
}

// ties warns of ties that are not as they should be (D66), in the line of the match that
// shows it; where the set does not have that match, only of what the load brings about, in
// the line of the first record that may. If nothing stays that the set does not hold, stored
// matches count for nothing.
func (l *Checker) ties(ctx context.Context, set *dataset.Set, part *dataset.Part, nothingStays bool) []dataset.Fault {
	f, w := l.Fetch, l.World
	seasons, order := l.knockouts(ctx, set, part)
	if len(order) == 0 {
		return nil
	}
	for x := range l.all(set) {
		m := &x.Value.Base
		if k := seasons[seasonOf(m)]; k != nil && !x.Deleted && m.Visibility == sport.Public {
			k.is = append(k.is, *w.Competitions.At(world.After, seasonOf(m)).Ruled(m))
		}
	}
	if !nothingStays {
		f.PlayedIn(ctx, order)
		for id := range w.Played.Both(order...) {
			m := w.Result(world.Before, id)
			if m == nil || m.Visibility != sport.Public || seasons[seasonOf(m)] == nil {
				continue
			}
			k := seasons[seasonOf(m)]
			k.was = append(k.was, *m)
			if set.Find(dataset.Target{Kind: sport.KindMatch, ID: id}) == dataset.Unknown {
				k.is = append(k.is, *w.Competitions.At(world.After, seasonOf(m)).Ruled(m))
			}
		}
	}
	var found []dataset.Fault
	for _, id := range order {
		k := seasons[id]
		before := standings.TieWarnings(k.was, l.rules(world.Before, id))
		for _, t := range standings.TieWarnings(k.is, l.rules(world.After, id)) {
			at := set.Origin(sport.KindMatch, t.MatchID)
			if at.Line == 0 {
				if slices.Contains(before, t) {
					continue
				}
				at, t.Field, t.Message = k.at, k.field, l.called(sport.KindMatch, t.MatchID)+": "+t.Message
			}
			found = append(found, dataset.Fault{File: at.File, Line: at.Line, Field: t.Field, Message: t.Message})
		}
	}
	return found
}

func seasonOf(m *sport.Match) world.SeasonID {
	return world.SeasonID{ID: m.CompetitionID, Season: m.Season}
}

func (l *Checker) rules(v world.View, id world.SeasonID) *sport.Rules {
	if c := l.World.Competitions.At(v, id); c != nil {
		return &c.Rules
	}
	return &sport.Rules{}
}

// knockouts are those with matches that are finished, or were, and those with other rules
// for ties, in the order of the records.
func (l *Checker) knockouts(ctx context.Context, set *dataset.Set, part *dataset.Part) (map[world.SeasonID]*knockout, []world.SeasonID) {
	w := l.World
	seasons := map[world.SeasonID]*knockout{}
	var order []world.SeasonID
	add := func(id world.SeasonID, at dataset.Origin, field string) {
		if c := w.Competitions.At(world.After, id); c != nil && c.Format == sport.FormatKnockout && seasons[id] == nil {
			seasons[id] = &knockout{at: at, field: field}
			order = append(order, id)
		}
	}
	if l.Fetch.Empty {
		for x := range l.all(set) {
			if m := &x.Value.Base; !x.Deleted && m.Status == sport.Finished {
				add(seasonOf(m), x.Origin, "id")
			}
		}
		return seasons, order
	}
	for _, x := range part.Competitions {
		if id := (world.SeasonID{ID: x.ID, Season: x.Value.Season}); !x.Deleted && l.rules(world.Before, id).TieRules() != l.rules(world.After, id).TieRules() {
			add(id, x.Origin, "rules.ties")
		}
	}
	var left []sport.ID
	for _, x := range part.Matches {
		if was := w.Matches.At(world.Before, x.ID); was != nil && was.Status == sport.Finished {
			left = append(left, was.CompetitionID)
		}
	}
	l.Fetch.Competitions(ctx, world.Present(left))
	for _, x := range part.Matches {
		for _, m := range []*world.Match{w.Matches.At(world.Before, x.ID), w.Matches.At(world.After, x.ID)} {
			if m != nil && m.Status == sport.Finished {
				add(m.SeasonID(), x.Origin, "id")
			}
		}
	}
	return seasons, order
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
