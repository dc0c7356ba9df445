package world

import (
	"context"
	"iter"

	"golang.org/x/sync/errgroup"

	"touchline/shared/sport"
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
}

// Err is that of the world.
func (f *Fetcher) Err() error { return f.World.failed }

// parallel does n reads, so many at once.
func (f *Fetcher) parallel(ctx context.Context, n, atOnce int, read func(context.Context, int) error) {
	if f.World.failed != nil {
		return
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(atOnce)
	for i := range n {
		g.Go(func() error { return read(ctx, i) })
	}
	f.World.failed = g.Wait()
}

// readRecords reads those records of a kind that are not known yet, and yields all as they
// are in each view.
func readRecords[R, T any](ctx context.Context, f *Fetcher, e *Entities[sport.ID, T], ids []sport.ID, key func(sport.ID) store.Key, decode func(*R) *T) iter.Seq[*T] {
	if f.Empty {
		return e.Both(ids...)
	}
	var wanted []sport.ID
	for _, id := range ids {
		if id != "" && !e.Fetched(id) {
			e.put(id, nil)
			wanted = append(wanted, id)
		}
	}
	for id, r := range decoded[sport.ID, R](ctx, f, wanted, key) {
		e.put(id, decode(r))
	}
	return e.Both(ids...)
}

// decoded reads records, and yields those that are stored. While some are decoded, others
// are read.
func decoded[K, R any](ctx context.Context, f *Fetcher, ids []K, key func(K) store.Key) iter.Seq2[K, *R] {
	const some = 1000
	all := make([]*R, len(ids))
	f.parallel(ctx, (len(ids)+some-1)/some, 2, func(ctx context.Context, n int) error {
		from, to := n*some, min((n+1)*some, len(ids))
		keys := make([]store.Key, 0, some)
		for _, id := range ids[from:to] {
			keys = append(keys, key(id))
		}
		items, err := f.items(ctx, keys)
		for i, k := range keys {
			if item := items[k]; item != nil && err == nil {
				all[from+i], err = store.Decode[R](item)
			}
		}
		return err
	})
	return func(yield func(K, *R) bool) {
		for i, r := range all {
			if r != nil && f.World.failed == nil && !yield(ids[i], r) {
				return
			}
		}
	}
}

// Organizations reads organizations, and yields them as they are in each view.
func (f *Fetcher) Organizations(ctx context.Context, ids []sport.ID) iter.Seq[*Organization] {
	return readRecords(ctx, f, &f.World.Organizations, ids, records.OrganizationKey, DecodeOrganization)
}

// Teams reads teams, and yields them as they are in each view.
func (f *Fetcher) Teams(ctx context.Context, ids []sport.ID) iter.Seq[*Team] {
	return readRecords(ctx, f, &f.World.Teams, ids, records.TeamKey, DecodeTeam)
}

// Players reads players, and yields them as they are in each view.
func (f *Fetcher) Players(ctx context.Context, ids []sport.ID) iter.Seq[*Player] {
	return readRecords(ctx, f, &f.World.Players, ids, records.PlayerKey, DecodePlayer)
}

// Matches reads matches, and yields them as they are in each view.
func (f *Fetcher) Matches(ctx context.Context, ids []sport.ID) iter.Seq[*Match] {
	return readRecords(ctx, f, &f.World.Matches, ids, records.MatchKey, DecodeMatch)
}

// Records reads records by their kinds, of competitions all seasons.
func (f *Fetcher) Records(ctx context.Context, ids map[sport.Kind][]sport.ID) {
	f.Organizations(ctx, ids[sport.KindOrganization])
	f.Competitions(ctx, ids[sport.KindCompetition])
	f.Teams(ctx, ids[sport.KindTeam])
	f.Players(ctx, ids[sport.KindPlayer])
	f.Matches(ctx, ids[sport.KindMatch])
}

// Competitions reads all seasons of competitions, and their given tables. It yields the
// seasons as they are in each view.
func (f *Fetcher) Competitions(ctx context.Context, ids []sport.ID) iter.Seq[*Competition] {
	each(ctx, f, Present(ids), records.CompetitionPK, f.seasonsAndTables, func(id sport.ID, found []any) {
		for _, x := range found {
			switch r := x.(type) {
			case *records.CompetitionRecord:
				c := DecodeCompetition(r)
				f.World.Seasons.put(id, c.Season)
				f.World.Competitions.put(c.SeasonID(), c)
			case *records.GivenTableRecord:
				f.World.Tables.put(TableID{SeasonID{ID: id, Season: r.Season}, r.Table},
					&sport.GivenTable{CompetitionID: id, Season: r.Season, Table: r.Table, Rows: r.Rows})
			}
		}
	})
	return f.World.allSeasons(ids...)
}

// seasonsAndTables are the records of a competition's seasons and given tables.
func (f *Fetcher) seasonsAndTables(ctx context.Context, competition sport.ID) (found []any, err error) {
	all, err := f.Table.Query(ctx, store.Query{PK: records.CompetitionPK(competition), Consistent: true})
	if err != nil {
		return nil, err
	}
	items, pieces := map[store.Key]store.Item{}, map[store.Key]store.Item{}
	for _, item := range all {
		switch key := store.KeyOf(item); {
		case records.IsPiece(key.SK):
			pieces[key] = item
		case records.IsCompetitionSK(key.SK), records.IsGivenTableSK(key.SK):
			items[key] = item
		}
	}
	items, err = records.Whole(ctx, items, func(context.Context, []store.Key) (map[store.Key]store.Item, error) { return pieces, nil })
	for key, item := range items {
		var r any
		if err == nil && records.IsGivenTableSK(key.SK) {
			r, err = store.Decode[records.GivenTableRecord](item)
		} else if err == nil {
			r, err = store.Decode[records.CompetitionRecord](item)
		}
		found = append(found, r)
	}
	return found, err
}

// Get is a pagedlist.Getter. It reads past every cache, whether asked to or not: a load must
// see what loads before it wrote.
func (f *Fetcher) Get(ctx context.Context, keys []store.Key, _ bool) (map[store.Key]store.Item, error) {
	return f.Table.BatchGet(ctx, keys, true)
}

// items reads items, and the pieces of those stored in pieces.
func (f *Fetcher) items(ctx context.Context, keys []store.Key) (map[store.Key]store.Item, error) {
	items, err := f.Get(ctx, keys, true)
	if err != nil {
		return nil, err
	}
	return records.Whole(ctx, items, func(ctx context.Context, keys []store.Key) (map[store.Key]store.Item, error) {
		return f.Get(ctx, keys, true)
	})
}

// Details reads the line-ups, events and figures of stored matches.
func (f *Fetcher) Details(ctx context.Context, matches []sport.ID) {
	var wanted []*Match
	for _, id := range matches {
		if m := f.World.Matches.At(Before, id); m != nil && len(m.DetailHash) > 0 && m.Detail == nil {
			wanted = append(wanted, m)
		}
	}
	key := func(m *Match) store.Key { return records.MatchDetailKey(m.ID) }
	for m, r := range decoded[*Match, records.DetailRecord](ctx, f, wanted, key) {
		m.Detail = r.Packed
		if is := f.World.Matches.At(After, m.ID); is != nil && is.Detail == nil {
			is.Detail = r.Packed // the match is affected, not changed
		}
	}
	for _, m := range wanted {
		if m.Detail == nil && f.World.failed == nil { // a load was given up half-way
			m.DetailHash = nil
		}
	}
}
