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
	part := &dataset.Part{}
	if err := rest(ctx, f, set, sport.KindOrganization, &part.Organizations, func(id sport.ID) sport.Organization { return sport.Organization{ID: id} }); err != nil {
		return nil, err
	}
	if err := rest(ctx, f, set, sport.KindTeam, &part.Teams, func(id sport.ID) sport.Team { return sport.Team{ID: id} }); err != nil {
		return nil, err
	}
	if err := rest(ctx, f, set, sport.KindPlayer, &part.Players, func(id sport.ID) sport.Player { return sport.Player{ID: id} }); err != nil {
		return nil, err
	}
	if err := rest(ctx, f, set, sport.KindMatch, &part.Matches, func(id sport.ID) dataset.Match { return dataset.Match{Base: sport.Match{ID: id}} }); err != nil {
		return nil, err
	}
	if err := restOfCompetitions(ctx, f, set, part); err != nil {
		return nil, err
	}
	return part, restOfTables(ctx, f, set, part)
}

func rest[T dataset.Entity](ctx context.Context, f *world.Fetcher, set *dataset.Set, kind sport.Kind, records *[]*dataset.Record[T], value func(sport.ID) T) error {
	stored, err := f.Everything(ctx, kind)
	if err != nil {
		return err
	}
	for _, id := range stored {
		if set.Find(dataset.Target{Kind: kind, ID: id}) == dataset.Unknown {
			*records = append(*records, &dataset.Record[T]{ID: id, Key: string(id), Deleted: true, Value: value(id)})
		}
	}
	return nil
}

// restOfCompetitions works by season: a competition may stay with fewer.
func restOfCompetitions(ctx context.Context, f *world.Fetcher, set *dataset.Set, removed *dataset.Part) error {
	ids, err := f.Everything(ctx, sport.KindCompetition)
	if err != nil {
		return err
	}
	if err := f.Competitions(ctx, ids); err != nil {
		return err
	}
	given := world.Set[world.SeasonID]{}
	for _, x := range set.Competitions {
		given.Add(world.SeasonID{ID: x.ID, Season: x.Value.Season})
	}
	for _, id := range ids {
		f.World.Seasons.Each(world.Before, id, func(year int) {
			if _, ok := given[world.SeasonID{ID: id, Season: year}]; !ok {
				removed.Competitions = append(removed.Competitions, &dataset.Record[sport.Competition]{
					ID: id, Key: string(id), Deleted: true, Value: sport.Competition{ID: id, Season: year},
				})
			}
		})
	}
	return nil
}

func restOfTables(ctx context.Context, f *world.Fetcher, set *dataset.Set, removed *dataset.Part) error {
	stored, err := f.EveryTable(ctx)
	if err != nil {
		return err
	}
	given := world.Set[records.TableEntry]{}
	for _, x := range set.Standings {
		given.Add(records.TableEntry{Competition: x.Value.CompetitionID, Season: x.Value.Season, Table: x.Value.Table})
	}
	for _, e := range stored {
		if _, ok := given[e]; !ok {
			removed.Standings = append(removed.Standings, &dataset.Record[sport.GivenTable]{
				Deleted: true, Value: sport.GivenTable{CompetitionID: e.Competition, Season: e.Season, Table: e.Table},
			})
		}
	}
	return nil
}
