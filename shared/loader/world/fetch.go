package world

import (
	"context"
	"iter"
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
}

// Err is that of the world.
func (f *Fetcher) Err() error { return f.World.failed }

// parallelLists bounds the lists read at once.
const parallelLists = 16

// readAtOnce is how many records are read, and then decoded, at once.
const readAtOnce = 1000

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
	for id, x := range decoded(ctx, f, wanted, key, func(r *R) (*T, error) { return decode(r), nil }) {
		e.put(id, x)
	}
	return e.Both(ids...)
}

// decoded reads records, and yields those that are stored, decoded. While some are read,
// others are decoded.
func decoded[K, R, T any](ctx context.Context, f *Fetcher, ids []K, key func(K) store.Key, decode func(*R) (*T, error)) iter.Seq2[K, *T] {
	all := make([]*T, len(ids))
	if f.World.failed == nil {
		f.World.failed = decodeAll(ctx, f, ids, key, decode, all)
	}
	return func(yield func(K, *T) bool) {
		for i, x := range all {
			if x != nil && f.World.failed == nil && !yield(ids[i], x) {
				return
			}
		}
	}
}

func decodeAll[K, R, T any](ctx context.Context, f *Fetcher, ids []K, key func(K) store.Key, decode func(*R) (*T, error), into []*T) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(2)
	for from := 0; from < len(ids); from += readAtOnce {
		some, into := ids[from:min(from+readAtOnce, len(ids))], into[from:]
		g.Go(func() error {
			keys := make([]store.Key, len(some))
			for i, id := range some {
				keys[i] = key(id)
			}
			items, err := f.whole(ctx, keys)
			if err != nil {
				return err
			}
			for i, k := range keys {
				item, ok := items[k]
				if !ok {
					continue
				}
				r, err := store.Decode[R](item)
				if err != nil {
					return err
				}
				if into[i], err = decode(r); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return g.Wait()
}

// asStored decodes no further.
func asStored[R any](r *R) (*R, error) { return r, nil }

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

// Present are those of the ids that are not empty.
func Present(ids []sport.ID) []sport.ID {
	return slices.DeleteFunc(slices.Clone(ids), func(id sport.ID) bool { return id == "" })
}

// Competitions reads all seasons of competitions, and their given tables. It yields the
// seasons as they are in each view.
func (f *Fetcher) Competitions(ctx context.Context, ids []sport.ID) iter.Seq[*Competition] {
	each(ctx, f, Present(ids), records.CompetitionPK, func(ctx context.Context, id sport.ID) (func(), error) {
		items, err := f.sources(ctx, id)
		if err != nil {
			return nil, err
		}
		var seasons []*Competition
		var tables []*sport.GivenTable
		for key, item := range items {
			if records.IsGivenTableSK(key.SK) {
				r, err := store.Decode[records.GivenTableRecord](item)
				if err != nil {
					return nil, err
				}
				tables = append(tables, &sport.GivenTable{CompetitionID: id, Season: r.Season, Table: r.Table, Rows: r.Rows})
				continue
			}
			r, err := store.Decode[records.CompetitionRecord](item)
			if err != nil {
				return nil, err
			}
			seasons = append(seasons, DecodeCompetition(r))
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
	return f.World.AllSeasons(ids...)
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
	var wanted []*Match
	for _, id := range matches {
		if m := f.World.Matches.At(Before, id); m != nil && len(m.DetailHash) > 0 && m.Detail == nil {
			wanted = append(wanted, m)
		}
	}
	key := func(m *Match) store.Key { return records.MatchDetailKey(m.ID) }
	for m, r := range decoded(ctx, f, wanted, key, asStored[records.DetailRecord]) {
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

// Coverage reads what the statistics of seasons say that their matches have. Their
// competitions must have been fetched.
func (f *Fetcher) Coverage(ctx context.Context, seasons []SeasonID) map[SeasonID]statistics.Coverage {
	var wanted []*Competition
	for _, s := range seasons {
		if c := f.World.Competitions.At(Before, s); c != nil {
			wanted = append(wanted, c)
		}
	}
	covered := map[SeasonID]statistics.Coverage{}
	key := func(c *Competition) store.Key { return records.StatisticsKey(c.ID, c.Tag()) }
	for c, r := range decoded(ctx, f, wanted, key, asStored[records.CompetitionStatisticsRecord]) {
		covered[c.SeasonID()] = statistics.Coverage{Lineups: r.Lineups, Events: r.Events, Assists: r.Assists, MatchStatistics: r.Figures}
	}
	return covered
}
