package loader

import (
	"context"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/dataset/format"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// listing gives what is stored in a scope, which the load then need not read again. An
// error of the table also goes to failed, as that of Loader.lookup.
func (b *base) listing(failed *error) format.Listing {
	return func(ctx context.Context, of format.Scope) (*dataset.Part, error) {
		part := &dataset.Part{}
		if b.empty {
			return part, nil
		}
		f, w := b.fetch, b.world
		if of.Kind == sport.KindTeam || of.Kind == sport.KindMatch {
			f.Competitions(ctx, []sport.ID{of.ID})
		}
		season := []world.SeasonID{{ID: of.ID, Season: of.Season}}
		ids := []sport.ID{of.ID}
		switch of.Kind {
		case sport.KindOrganization:
			ids = f.Everything(ctx, of.Kind)
		case sport.KindCompetition:
			if of.ID == "" {
				ids = f.Everything(ctx, of.Kind)
			}
		case sport.KindTeam:
			ids = slices.Sorted(f.EnteredIn(ctx, season))
		case sport.KindPlayer:
			ids = slices.Sorted(f.PlayersOf(ctx, ids))
		case sport.KindMatch:
			ids = slices.Sorted(f.PlayedIn(ctx, season))
		}
		ids = slices.Compact(ids)
		f.Records(ctx, map[sport.Kind][]sport.ID{of.Kind: ids})
		for _, id := range ids {
			if o := w.Organizations.At(world.Before, id); o != nil {
				part.Organizations = append(part.Organizations, o.Given())
			}
			for c := range w.SeasonsOf(world.Before, id) {
				part.Competitions = append(part.Competitions, c.Given())
			}
			if t := w.Teams.At(world.Before, id); t != nil {
				part.Teams = append(part.Teams, t.Given())
			}
			if p := w.Players.At(world.Before, id); p != nil {
				part.Players = append(part.Players, p.Given())
			}
			if m := w.Matches.At(world.Before, id); m != nil {
				part.Matches = append(part.Matches, &dataset.Record[dataset.Match]{ID: m.ID, Key: m.Key, Value: dataset.Match{Base: m.Match}})
			}
		}
		*failed = f.Err()
		return part, *failed
	}
}
