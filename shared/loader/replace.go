package loader

import (
	"context"

	"touchline/shared/dataset"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// removeTheRest adds to a part the deletion of every stored record that the dataset
// does not hold.
func (r *run) removeTheRest(ctx context.Context, set *dataset.Set, part *dataset.Part) error {
	if r.empty {
		return nil
	}
	r.loader.say("finding what to remove", 0, 0)
	if err := rest(ctx, r, set, sport.KindOrganization, &part.Organizations, func(id sport.ID) sport.Organization { return sport.Organization{ID: id} }); err != nil {
		return err
	}
	if err := rest(ctx, r, set, sport.KindTeam, &part.Teams, func(id sport.ID) sport.Team { return sport.Team{ID: id} }); err != nil {
		return err
	}
	if err := rest(ctx, r, set, sport.KindPlayer, &part.Players, func(id sport.ID) sport.Player { return sport.Player{ID: id} }); err != nil {
		return err
	}
	if err := rest(ctx, r, set, sport.KindMatch, &part.Matches, func(id sport.ID) dataset.Match { return dataset.Match{Base: sport.Match{ID: id}} }); err != nil {
		return err
	}
	if err := r.restOfCompetitions(ctx, set, part); err != nil {
		return err
	}
	return r.restOfTables(ctx, set, part)
}

func rest[T dataset.Entity](ctx context.Context, r *run, set *dataset.Set, kind sport.Kind, records *[]*dataset.Record[T], value func(sport.ID) T) error {
	stored, err := r.everything(ctx, kind)
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

func (r *run) everything(ctx context.Context, kind sport.Kind) ([]sport.ID, error) {
	entries, err := pagedlist.All(ctx, r.fetch.Get, records.IDKind(), pagedlist.Request[records.IDEntry]{List: string(records.Everything(kind)), WithHidden: true})
	ids := make([]sport.ID, len(entries))
	for i, e := range entries {
		ids[i] = e.ID
	}
	return ids, err
}

// restOfCompetitions works by season: a competition may stay with fewer.
func (r *run) restOfCompetitions(ctx context.Context, set *dataset.Set, removed *dataset.Part) error {
	ids, err := r.everything(ctx, sport.KindCompetition)
	if err != nil {
		return err
	}
	if err := r.fetch.Competitions(ctx, ids); err != nil {
		return err
	}
	given := world.Set[world.SeasonID]{}
	for _, x := range set.Competitions {
		given.Add(world.SeasonID{ID: x.ID, Season: x.Value.Season})
	}
	for _, id := range ids {
		r.world.Seasons.Each(world.Before, id, func(year int) {
			if _, ok := given[world.SeasonID{ID: id, Season: year}]; !ok {
				removed.Competitions = append(removed.Competitions, &dataset.Record[sport.Competition]{
					ID: id, Key: string(id), Deleted: true, Value: sport.Competition{ID: id, Season: year},
				})
			}
		})
	}
	return nil
}

func (r *run) restOfTables(ctx context.Context, set *dataset.Set, removed *dataset.Part) error {
	stored, err := pagedlist.All(ctx, r.fetch.Get, records.TableKind(), pagedlist.Request[records.TableEntry]{List: string(records.EveryTable), WithHidden: true})
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
