package world

import (
	"context"
	"slices"

	"golang.org/x/sync/errgroup"

	"touchline/shared/sport"
	"touchline/shared/statistics"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// Fetcher brings records of the table into the world's view before. What was
// fetched once is not fetched again. A table known to be empty is not read.
//
// After a read that has failed nothing more is read, and what was to be read counts as
// not existing: whoever uses what was read asks for Err before.
type Fetcher struct {
	Table *store.Table
	World *World
	Empty bool

	failed error
}

// Err is the error of the read that has failed; nil: none has.
func (f *Fetcher) Err() error { return f.failed }

// parallelLists bounds the lists read at once.
const parallelLists = 16

// readAtOnce is how many records are read, and then decoded, at once.
const readAtOnce = 1000

// readRecords reads those records of a kind that are not known yet.
func readRecords[K comparable, R, T any](ctx context.Context, f *Fetcher, e *Entities[K, T], ids []K, key func(K) store.Key, decode func(*R) *T) {
	if f.Empty {
		return
	}
	var keys []store.Key
	var wanted []K
	for _, id := range ids {
		if !e.Fetched(id) {
			e.put(id, nil)
			keys = append(keys, key(id))
			wanted = append(wanted, id)
		}
	}
	for i, x := range decoded(ctx, f, keys, func(r *R) (*T, error) { return decode(r), nil }) {
		if x != nil {
			e.put(wanted[i], x)
		}
	}
}

// decoded reads and decodes records, nil for those that are not stored. While some
// are read, others are decoded.
func decoded[R, T any](ctx context.Context, f *Fetcher, keys []store.Key, decode func(*R) (*T, error)) []*T {
	all := make([]*T, len(keys))
	if f.failed != nil {
		return all
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(2)
	for from := 0; from < len(keys); from += readAtOnce {
		some := keys[from:min(from+readAtOnce, len(keys))]
		g.Go(func() error {
			items, err := f.whole(ctx, some)
			if err != nil {
				return err
			}
			for i, key := range some {
				item, ok := items[key]
				if !ok {
					continue
				}
				r, err := store.Decode[R](item)
				if err != nil {
					return err
				}
				if all[from+i], err = decode(r); err != nil {
					return err
				}
			}
			return nil
		})
	}
	f.failed = g.Wait()
	return all
}

// asStored decodes no further.
func asStored[R any](r *R) (*R, error) { return r, nil }

func (f *Fetcher) Organizations(ctx context.Context, ids []sport.ID) {
	readRecords(ctx, f, &f.World.Organizations, Present(ids), records.OrganizationKey, DecodeOrganization)
}

func (f *Fetcher) Teams(ctx context.Context, ids []sport.ID) {
	readRecords(ctx, f, &f.World.Teams, Present(ids), records.TeamKey, DecodeTeam)
}

func (f *Fetcher) Players(ctx context.Context, ids []sport.ID) {
	readRecords(ctx, f, &f.World.Players, Present(ids), records.PlayerKey, DecodePlayer)
}

func (f *Fetcher) Matches(ctx context.Context, ids []sport.ID) {
	readRecords(ctx, f, &f.World.Matches, Present(ids), records.MatchKey, DecodeMatch)
}

// Records reads records by their kinds, of competitions all seasons.
func (f *Fetcher) Records(ctx context.Context, ids map[sport.Kind][]sport.ID) {
	f.Organizations(ctx, ids[sport.KindOrganization])
	f.Competitions(ctx, ids[sport.KindCompetition])
	f.Teams(ctx, ids[sport.KindTeam])
	f.Players(ctx, ids[sport.KindPlayer])
	f.Matches(ctx, ids[sport.KindMatch])
}

func Present(ids []sport.ID) []sport.ID {
	return slices.DeleteFunc(slices.Clone(ids), func(id sport.ID) bool { return id == "" })
}

// Competitions reads all seasons of competitions, and their given tables.
func (f *Fetcher) Competitions(ctx context.Context, ids []sport.ID) {
	each(ctx, f, &f.World.Seasons, ids, func(ctx context.Context, id sport.ID) (func(), error) {
		items, err := f.sources(ctx, id)
		if err != nil {
			return nil, err
		}
		var seasons []*Competition
		var tables []*sport.GivenTable
		for _, item := range items {
			switch sk := store.KeyOf(item).SK; {
			case records.IsCompetitionSK(sk):
				r, err := store.Decode[records.CompetitionRecord](item)
				if err != nil {
					return nil, err
				}
				seasons = append(seasons, DecodeCompetition(r))
			case records.IsGivenTableSK(sk):
				r, err := store.Decode[records.GivenTableRecord](item)
				if err != nil {
					return nil, err
				}
				tables = append(tables, &sport.GivenTable{CompetitionID: id, Season: r.Season, Table: r.Table, Rows: r.Rows})
			}
		}
		return func() {
			for _, c := range seasons {
				f.World.Seasons.put(id, c.Season)
				f.World.Competitions.put(c.SeasonID(), c)
			}
			for _, t := range tables {
				f.World.Tables.put(TableID{SeasonID{ID: id, Season: t.Season}, t.Table}, t)
			}
		}, nil
	})
}

// sources are the items of a competition that its seasons and given tables are
// decoded from.
func (f *Fetcher) sources(ctx context.Context, competition sport.ID) (map[store.Key]store.Item, error) {
	found, err := f.Table.Query(ctx, store.Query{PK: records.CompetitionPK(competition), Consistent: true})
	if err != nil {
		return nil, err
	}
	items, pieces := map[store.Key]store.Item{}, map[store.Key]store.Item{}
	for _, item := range found {
		switch key := store.KeyOf(item); {
		case records.IsPiece(key.SK):
			pieces[key] = item
		case records.IsCompetitionSK(key.SK), records.IsGivenTableSK(key.SK):
			items[key] = item
		}
	}
	return records.Whole(ctx, items, func(context.Context, []store.Key) (map[store.Key]store.Item, error) { return pieces, nil })
}

// whole reads items, past every cache, and the pieces of those stored in pieces.
func (f *Fetcher) whole(ctx context.Context, keys []store.Key) (map[store.Key]store.Item, error) {
	get := func(ctx context.Context, keys []store.Key) (map[store.Key]store.Item, error) {
		return f.Table.BatchGet(ctx, keys, true)
	}
	items, err := get(ctx, keys)
	if err != nil {
		return nil, err
	}
	return records.Whole(ctx, items, get)
}

// Details reads the line-ups, events and figures of stored matches.
func (f *Fetcher) Details(ctx context.Context, matches []sport.ID) {
	var keys []store.Key
	var wanted []*Match
	for _, id := range matches {
		if m := f.World.Matches.At(Before, id); m != nil && len(m.DetailHash) > 0 && m.Detail == nil {
			keys, wanted = append(keys, records.MatchDetailKey(id)), append(wanted, m)
		}
	}
	read := decoded(ctx, f, keys, asStored[records.DetailRecord])
	if f.failed != nil {
		return
	}
	for i, m := range wanted {
		r := read[i]
		if r == nil { // a load was given up half-way
			m.DetailHash = nil
			continue
		}
		m.Detail = r.Packed
		if is := f.World.Matches.At(After, m.ID); is != nil && is.Detail == nil {
			is.Detail = r.Packed // the match is affected, not changed
		}
	}
}

// Coverage reads what the statistics of seasons say that their matches have. Their
// competitions must have been fetched.
func (f *Fetcher) Coverage(ctx context.Context, seasons []SeasonID) map[SeasonID]statistics.Coverage {
	var keys []store.Key
	var wanted []SeasonID
	for _, s := range seasons {
		if c := f.World.Competitions.At(Before, s); c != nil {
			keys, wanted = append(keys, records.StatisticsKey(s.ID, c.Tag())), append(wanted, s)
		}
	}
	covered := map[SeasonID]statistics.Coverage{}
	for i, r := range decoded(ctx, f, keys, asStored[records.CompetitionStatisticsRecord]) {
		if r != nil {
			covered[wanted[i]] = statistics.Coverage{Lineups: r.Lineups, Events: r.Events, Assists: r.Assists, MatchStatistics: r.Figures}
		}
	}
	return covered
}
