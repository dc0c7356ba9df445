package integrity

import (
	"context"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/standings"
)

// ties warns of ties that are not as they should be (D66), in the line of the match that
// shows it. Where the set does not have that match, it warns only of what the load brings
// about, in the first line that may.
func (l *Checker) ties(ctx context.Context, set *dataset.Set) (found []dataset.Fault) {
	causes := l.knockouts(ctx, set)
	for id := range causes {
		l.Fetch.PlayedIn(ctx, []world.SeasonID{id})
		before := l.tieWarnings(world.Before, id)
		for _, t := range l.tieWarnings(world.After, id) {
			f := dataset.Fault{Field: t.Field, Message: t.Message}
			at := set.Origin(sport.KindMatch, t.MatchID)
			if at.Line == 0 {
				if slices.Contains(before, t) {
					continue
				}
				f = causes[id]
				f.Message = l.called(sport.KindMatch, t.MatchID) + ": " + t.Message
				at = dataset.Origin{File: f.File, Line: f.Line}
			}
			f.File, f.Line = at.File, at.Line
			found = append(found, f)
		}
	}
	return found
}

func (l *Checker) tieWarnings(v world.View, id world.SeasonID) []standings.TieWarning {
	c := l.World.Competitions.At(v, id)
	if c == nil {
		return nil
	}
	var matches []sport.Match
	for m := range l.World.Played.In(v, id) {
		if x := l.World.Result(v, m); x != nil && x.Visibility == sport.Public {
			matches = append(matches, *c.Ruled(x))
		}
	}
	return standings.TieWarnings(matches, &c.Rules)
}

// knockouts are those with matches that are finished, or were, and those with other rules
// for ties: each with the first place in the set that makes it so.
func (l *Checker) knockouts(ctx context.Context, set *dataset.Set) map[world.SeasonID]dataset.Fault {
	w := l.World
	causes := map[world.SeasonID]dataset.Fault{}
	add := func(id world.SeasonID, at dataset.Origin, field string) {
		if has, ok := causes[id]; !ok || has.Field == field && at.Line < has.Line {
			causes[id] = dataset.Fault{File: at.File, Line: at.Line, Field: field}
		}
	}
	for _, x := range set.Competitions {
		id := world.SeasonID{ID: x.ID, Season: x.Value.Season}
		if was, is := w.Competitions.At(world.Before, id), w.Competitions.At(world.After, id); was != nil && is != nil && was.Rules.TieRules() != is.Rules.TieRules() {
			add(id, x.Origin, "rules.ties")
		}
	}
	for _, id := range w.Matches.Changes() {
		for _, m := range w.Matches.Views(id) {
			if m.Status == sport.Finished {
				add(m.SeasonID(), set.Origin(sport.KindMatch, id), "id")
			}
		}
	}
	for id := range causes {
		l.Fetch.Competitions(ctx, world.Present([]sport.ID{id.ID}))
		if c := w.Competitions.At(world.After, id); c == nil || c.Format != sport.FormatKnockout {
			delete(causes, id)
		}
	}
	return causes
}
