package loader

import (
	"context"
	"slices"

	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// fetcher brings parts of the table into the world's view before. What was
// fetched once is not fetched again. A table known to be empty is not read.
type fetcher struct {
	table *store.Table
	world *world
	empty bool
}

// parallelLists bounds the lists read at once.
const parallelLists = 16

// records reads those records of a kind that are not known yet.
func readRecords[K comparable, R, T any](ctx context.Context, f *fetcher, e *entities[K, T], ids []K, key func(K) store.Key, decode func(*R) *T) error {
	if f.empty {
		return nil
	}
	var keys []store.Key
	var wanted []K
	for _, id := range ids {
		if !e.known(id) {
			e.stored[id] = nil
			keys = append(keys, key(id))
			wanted = append(wanted, id)
		}
	}
	items, err := f.table.BatchGet(ctx, keys, true)
	if err != nil {
		return err
	}
	for i, id := range wanted {
		item, ok := items[keys[i]]
		if !ok {
			continue
		}
		r, err := unmarshal[R](item)
		if err != nil {
			return err
		}
		e.stored[id] = decode(r)
	}
	return nil
}

func (f *fetcher) organizations(ctx context.Context, ids []sport.ID) error {
	return readRecords(ctx, f, &f.world.organizations, present(ids), records.OrganizationKey, decodeOrganization)
}

func (f *fetcher) teams(ctx context.Context, ids []sport.ID) error {
	return readRecords(ctx, f, &f.world.teams, present(ids), records.TeamKey, decodeTeam)
}

func (f *fetcher) players(ctx context.Context, ids []sport.ID) error {
	return readRecords(ctx, f, &f.world.players, present(ids), records.PlayerKey, decodePlayer)
}

func (f *fetcher) matches(ctx context.Context, ids []sport.ID) error {
	return readRecords(ctx, f, &f.world.matches, present(ids), records.MatchKey, decodeMatch)
}

func present(ids []sport.ID) []sport.ID {
	return slices.DeleteFunc(slices.Clone(ids), func(id sport.ID) bool { return id == "" })
}

// competitions reads all seasons of competitions, and their given tables.
func (f *fetcher) competitions(ctx context.Context, ids []sport.ID) error {
	return each(ctx, f, &f.world.seasons, ids, func(ctx context.Context, id sport.ID) (func(), error) {
		items, err := f.table.Query(ctx, store.Query{PK: records.CompetitionPK(id), Consistent: true})
		if err != nil {
			return nil, err
		}
		var seasons []*competition
		var tables []*sport.GivenTable
		for _, item := range items {
			switch sk := store.KeyOf(item).SK; {
			case records.IsCompetitionSK(sk):
				r, err := unmarshal[records.CompetitionRecord](item)
				if err != nil {
					return nil, err
				}
				seasons = append(seasons, decodeCompetition(r))
			case records.IsGivenTableSK(sk):
				r, err := unmarshal[records.GivenTableRecord](item)
				if err != nil {
					return nil, err
				}
				tables = append(tables, &sport.GivenTable{CompetitionID: id, Season: r.Season, Table: r.Table, Rows: r.Rows})
			}
		}
		return func() {
			for _, c := range seasons {
				f.world.seasons.put(id, c.Season)
				f.world.competitions.stored[c.identity()] = c
			}
			for _, t := range tables {
				f.world.tables.stored[tableID{season{ID: id, Season: t.Season}, t.Table}] = t
			}
		}, nil
	})
}

// details reads the line-ups, events and figures of stored matches.
func (f *fetcher) details(ctx context.Context, matches []sport.ID) error {
	var keys []store.Key
	var wanted []*match
	for _, id := range matches {
		if m := f.world.matches.at(before, id); m != nil && len(m.detailHash) > 0 && m.detail == nil {
			keys, wanted = append(keys, records.MatchDetailKey(id)), append(wanted, m)
		}
	}
	items, err := f.table.BatchGet(ctx, keys, true)
	if err != nil {
		return err
	}
	for i, m := range wanted {
		item, ok := items[keys[i]]
		if !ok { // an interrupted load had come as far as to remove it
			m.detailHash = nil
			continue
		}
		r, err := unmarshal[records.DetailRecord](item)
		if err != nil {
			return err
		}
		m.detail = r.Parts
		if is := f.world.matches.at(after, m.ID); is != nil && is.detail == nil {
			is.detail = r.Parts // the match is affected, not changed
		}
	}
	return nil
}
