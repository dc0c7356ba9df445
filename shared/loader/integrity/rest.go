package integrity

import (
	"context"

	"touchline/shared/dataset"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store/records"
)

// Rest is the deletion of every stored record that the dataset does not hold.
func Rest(ctx context.Context, f *world.Fetcher, set *dataset.Set) (*dataset.Part, error) {
	part := &dataset.Part{
		Organizations: rest(ctx, f, set, sport.KindOrganization, func(id sport.ID) sport.Organization { return sport.Organization{ID: id} }),
		Teams:         rest(ctx, f, set, sport.KindTeam, func(id sport.ID) sport.Team { return sport.Team{ID: id} }),
		Players:       rest(ctx, f, set, sport.KindPlayer, func(id sport.ID) sport.Player { return sport.Player{ID: id} }),
		Matches:       rest(ctx, f, set, sport.KindMatch, func(id sport.ID) dataset.Match { return dataset.Match{Base: sport.Match{ID: id}} }),
		Competitions:  restOfCompetitions(ctx, f, set),
		Standings:     restOfTables(ctx, f, set),
	}
	return part, f.Err()
}

func rest[T dataset.Entity](ctx context.Context, f *world.Fetcher, set *dataset.Set, kind sport.Kind, value func(sport.ID) T) []*dataset.Record[T] {
	var removed []*dataset.Record[T]
	for _, id := range f.Everything(ctx, kind) {
		if set.Find(dataset.Target{Kind: kind, ID: id}) == dataset.Unknown {
			removed = append(removed, &dataset.Record[T]{ID: id, Key: string(id), Deleted: true, Value: value(id)})
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
