package integrity

import (
	"context"

	"touchline/shared/dataset"
	"touchline/shared/loader/history"
	"touchline/shared/loader/sources"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// Stays returns which targets of a set's references are stored and stay stored.
// If the set replaces everything, nothing stays that is not in it.
func Stays(f *world.Fetcher, set *dataset.Set, replace bool) dataset.Stays {
	return func(ctx context.Context, targets []dataset.Target) ([]bool, error) {
		answers := make([]bool, len(targets))
		if replace || f.Empty {
			return answers, nil
		}
		ids := map[sport.Kind][]sport.ID{}
		parents := world.Set[sport.ID]{} // competitions of which a child may have the group
		for _, t := range targets {
			if t.Child {
				parents.Add(t.Competition)
			}
			if t.Kind == sport.KindGroup {
				ids[sport.KindCompetition] = append(ids[sport.KindCompetition], t.Competition)
				continue
			}
			ids[t.Kind] = append(ids[t.Kind], t.ID)
		}
		f.Records(ctx, ids)
		f.StagesOf(ctx, parents.Keys())
		for i, t := range targets {
			answers[i] = holds(f.World, t)
		}
		return answers, f.Err()
	}
}

func holds(w *world.World, t dataset.Target) bool {
	if t.Kind != sport.KindGroup {
		return sources.Stored(w, history.Record{Kind: t.Kind, ID: t.ID, Season: t.Season})
	}
	has := func(competition sport.ID) bool {
		for c := range w.SeasonsOf(world.Before, competition) {
			if (t.Season == 0 || t.Season == c.Season) && world.GroupName(c, t.ID) != "" {
				return true
			}
		}
		return false
	}
	return has(t.Competition) || t.Child && w.Stages.Any(world.Before, t.Competition, has)
}

// Rest is the deletion of every stored record that the dataset does not hold: of a competition
// by season, since it may stay with fewer.
func Rest(ctx context.Context, f *world.Fetcher, set *dataset.Set) (*dataset.Part, error) {
	given := world.Set[history.Record]{}
	for _, x := range set.Competitions {
		given.Add(history.RecordOf(x))
	}
	for _, x := range set.Standings {
		given.Add(history.RecordOf(x))
	}
	part := &dataset.Part{
		Organizations: rest[sport.Organization](ctx, f, set, sport.KindOrganization, nil, nil),
		Teams:         rest[sport.Team](ctx, f, set, sport.KindTeam, nil, nil),
		Players:       rest[sport.Player](ctx, f, set, sport.KindPlayer, nil, nil),
		Matches:       rest[dataset.Match](ctx, f, set, sport.KindMatch, nil, nil),
		Competitions: rest(ctx, f, set, sport.KindCompetition, given, func(r history.Record) sport.Competition {
			return sport.Competition{ID: r.ID, Season: r.Season}
		}),
		Standings: rest(ctx, f, set, history.KindStandings, given, func(r history.Record) sport.GivenTable {
			return sport.GivenTable{CompetitionID: r.ID, Season: r.Season, Table: r.Table}
		}),
	}
	return part, f.Err()
}

// rest are the deletions of a kind. Value is what a deletion says beside the id; nil: nothing.
func rest[T dataset.Entity](ctx context.Context, f *world.Fetcher, set *dataset.Set, kind sport.Kind, given world.Set[history.Record], value func(history.Record) T) (removed []*dataset.Record[T]) {
	for _, r := range sources.All(ctx, f, kind) {
		if given.Has(r) || set.Find(dataset.Target{Kind: kind, ID: r.ID}) != dataset.Unknown && value == nil {
			continue
		}
		x := &dataset.Record[T]{ID: r.ID, Key: string(r.ID), Deleted: true}
		if value != nil {
			x.Value = value(r)
		}
		removed = append(removed, x)
	}
	return removed
}
