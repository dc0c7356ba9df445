package integrity

import (
	"context"

	"touchline/shared/dataset"
	"touchline/shared/loader/history"
	"touchline/shared/loader/sources"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store/records"
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

// Rest is the deletion of every stored record that the dataset does not hold.
func Rest(ctx context.Context, f *world.Fetcher, set *dataset.Set) (*dataset.Part, error) {
	part := &dataset.Part{
		Organizations: rest[sport.Organization](ctx, f, set, sport.KindOrganization),
		Teams:         rest[sport.Team](ctx, f, set, sport.KindTeam),
		Players:       rest[sport.Player](ctx, f, set, sport.KindPlayer),
		Matches:       rest[dataset.Match](ctx, f, set, sport.KindMatch),
		Competitions:  restOfCompetitions(ctx, f, set),
		Standings:     restOfTables(ctx, f, set),
	}
	return part, f.Err()
}

func rest[T dataset.Entity](ctx context.Context, f *world.Fetcher, set *dataset.Set, kind sport.Kind) []*dataset.Record[T] {
	var removed []*dataset.Record[T]
	for _, id := range f.Everything(ctx, kind) {
		if set.Find(dataset.Target{Kind: kind, ID: id}) == dataset.Unknown {
			removed = append(removed, &dataset.Record[T]{ID: id, Key: string(id), Deleted: true})
		}
	}
	return removed
}

// restOfCompetitions works by season: a competition may stay with fewer.
func restOfCompetitions(ctx context.Context, f *world.Fetcher, set *dataset.Set) []*dataset.Record[sport.Competition] {
	ids := f.Everything(ctx, sport.KindCompetition)
	f.Competitions(ctx, ids)
	given := world.Set[world.SeasonID]{}
	for _, x := range set.Competitions {
		given.Add(world.SeasonID{ID: x.ID, Season: x.Value.Season})
	}
	var removed []*dataset.Record[sport.Competition]
	for _, id := range ids {
		for c := range f.World.SeasonsOf(world.Before, id) {
			if !given.Has(c.SeasonID()) {
				removed = append(removed, &dataset.Record[sport.Competition]{
					ID: id, Key: string(id), Deleted: true, Value: sport.Competition{ID: id, Season: c.Season},
				})
			}
		}
	}
	return removed
}

func restOfTables(ctx context.Context, f *world.Fetcher, set *dataset.Set) []*dataset.Record[sport.GivenTable] {
	given := world.Set[records.TableEntry]{}
	for _, x := range set.Standings {
		given.Add(records.TableEntry{Competition: x.Value.CompetitionID, Season: x.Value.Season, Table: x.Value.Table})
	}
	var removed []*dataset.Record[sport.GivenTable]
	for _, e := range f.EveryTable(ctx) {
		if !given.Has(e) {
			removed = append(removed, &dataset.Record[sport.GivenTable]{
				Deleted: true, Value: sport.GivenTable{CompetitionID: e.Competition, Season: e.Season, Table: e.Table},
			})
		}
	}
	return removed
}
