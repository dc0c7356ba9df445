package loader

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"touchline/shared/sport"
	"touchline/shared/statistics"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// each reads what an index holds for those keys that are not known yet, several
// at a time. Read gives what to do with it, which is done one after the other.
func each[K, M comparable](ctx context.Context, f *fetcher, x *index[K, M], keys []K, read func(context.Context, K) (func(), error)) error {
	if f.empty {
		return nil
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(parallelLists)
	var wanted []K
	for _, k := range keys {
		if !x.known(k) {
			x.put(k)
			wanted = append(wanted, k)
		}
	}
	put := make([]func(), len(wanted))
	for i, k := range wanted {
		g.Go(func() (err error) {
			put[i], err = read(ctx, k)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for _, p := range put {
		p()
	}
	return nil
}

// get reads past every cache: a load must see what loads before it wrote.
func (f *fetcher) get(ctx context.Context, keys []store.Key, _ bool) (map[store.Key]store.Item, error) {
	return f.table.BatchGet(ctx, keys, true)
}

// ids fills an index from lists of ids.
func ids[K comparable](ctx context.Context, f *fetcher, x *index[K, sport.ID], keys []K, name func(K) string) error {
	return members(ctx, f, x, keys, records.IDKind(), name, func(k K, e records.IDEntry) { x.put(k, e.ID) })
}

// members fills an index from lists, whatever their entries' visibility.
func members[K, M comparable, T any](ctx context.Context, f *fetcher, x *index[K, M], keys []K, kind pagedlist.Kind[T], name func(K) string, put func(K, T)) error {
	return each(ctx, f, x, keys, func(ctx context.Context, k K) (func(), error) {
		entries, err := pagedlist.All(ctx, f.get, kind, pagedlist.Request[T]{List: name(k), WithHidden: true})
		if err != nil {
			return nil, err
		}
		return func() {
			for _, e := range entries {
				put(k, e)
			}
		}, nil
	})
}

func (f *fetcher) childrenOf(ctx context.Context, parents []sport.ID) error {
	return ids(ctx, f, &f.world.children, parents, records.ChildIndex)
}

func (f *fetcher) stagesOf(ctx context.Context, competitions []sport.ID) error {
	return ids(ctx, f, &f.world.stages, competitions, records.ChildCompetitions)
}

// ownedBy reads which competitions and teams organizations own.
func (f *fetcher) ownedBy(ctx context.Context, owners []sport.ID) error {
	if err := ids(ctx, f, &f.world.owned, owners, records.OwnedCompetitions); err != nil {
		return err
	}
	return ids(ctx, f, &f.world.ownedTeams, owners, records.OwnedTeams)
}

// tagged gives the lists of the seasons that are stored; of others there are
// none. Their competitions must have been fetched.
func (f *fetcher) tagged(seasons []season) []season {
	return slices.DeleteFunc(slices.Clone(seasons), func(s season) bool { return f.world.competitions.at(before, s) == nil })
}

func (f *fetcher) tag(s season) records.Tag { return f.world.competitions.at(before, s).tag() }

// enteredIn reads which teams are entered in seasons, hidden ones among them.
func (f *fetcher) enteredIn(ctx context.Context, seasons []season) error {
	return members(ctx, f, &f.world.entered, f.tagged(seasons), records.TeamKind(nil),
		func(s season) string { return records.TournamentTeams(s.ID, f.tag(s)) },
		func(s season, e records.TeamEntry) { f.world.entered.put(s, e.ID) })
}

// playedIn reads the matches of seasons, as far as tables need them.
func (f *fetcher) playedIn(ctx context.Context, seasons []season) error {
	return members(ctx, f, &f.world.played, f.tagged(seasons), records.MatchKind(),
		func(s season) string { return records.TournamentMatches(s.ID, f.tag(s), records.All) },
		func(s season, e records.MatchEntry) {
			f.world.played.put(s, e.ID)
			f.world.outcomes[e.ID] = decodeOutcome(s, e)
			if f.world.entries[e.ID] == nil { // one that was read with its competition stays
				f.world.entries[e.ID] = &e
			}
		})
}

func (f *fetcher) squadsOf(ctx context.Context, teams []sport.ID) error {
	return members(ctx, f, &f.world.squads, teams, records.SquadKind(), records.Squad,
		func(t sport.ID, e records.PlayerEntry) { f.world.squads.put(t, e.ID) })
}

func (f *fetcher) fixturesOf(ctx context.Context, teams []sport.ID) error {
	return members(ctx, f, &f.world.fixtures, teams, records.MatchKind(),
		func(t sport.ID) string { return records.TeamMatches(t, records.All) },
		func(t sport.ID, e records.MatchEntry) {
			f.world.fixtures.put(t, e.ID)
			f.world.entries[e.ID] = &e
		})
}

// tablesNaming reads which given tables have rows of teams, and the tables.
func (f *fetcher) tablesNaming(ctx context.Context, teams []sport.ID) error {
	var competitions []sport.ID
	err := members(ctx, f, &f.world.named, teams, records.TableKind(), records.TablesNaming, func(t sport.ID, e records.TableEntry) {
		f.world.named.put(t, tableID{season{ID: e.Competition, Season: e.Season}, e.Table})
		competitions = append(competitions, e.Competition)
	})
	if err != nil {
		return err
	}
	return f.competitions(ctx, competitions)
}

// appearancesIn reads who is in the line-ups of seasons.
func (f *fetcher) appearancesIn(ctx context.Context, seasons []season) error {
	return members(ctx, f, &f.world.lineups, seasons, records.LineupKind(), records.LineupPlayers,
		func(s season, e records.LineupEntry) {
			f.world.appearances.put(e.Player, appearance{s, e.Match})
		})
}

// contributionsIn reads what the matches of seasons add to their sums.
func (f *fetcher) contributionsIn(ctx context.Context, seasons []season) error {
	return contributions(ctx, f, &f.world.contributedIn, seasons, records.Contributions, f.world.contributed)
}

// friendliesOf reads what the friendlies of teams add to theirs.
func (f *fetcher) friendliesOf(ctx context.Context, teams []sport.ID) error {
	return contributions(ctx, f, &f.world.friendliesOf, teams, records.FriendlyContributions, f.world.friendlies)
}

func contributions[K comparable](ctx context.Context, f *fetcher, x *index[K, sport.ID], keys []K, name func(K) string, into map[K]map[sport.ID]statistics.Contribution) error {
	var damaged error
	err := members(ctx, f, x, keys, records.ContributionKind(), name, func(k K, e records.ContributionEntry) {
		c, err := unpackContribution(e)
		if err != nil {
			damaged = fmt.Errorf("decode what match %s contributes: %w", e.Match, err)
		}
		if into[k] == nil {
			into[k] = map[sport.ID]statistics.Contribution{}
		}
		into[k][e.Match] = c
	})
	if err != nil {
		return err
	}
	return damaged
}

// performancesOf reads the matches that list or name players.
func (f *fetcher) performancesOf(ctx context.Context, players []sport.ID) error {
	return members(ctx, f, &f.world.playedOf, players, records.PerformanceKind(), records.PlayerMatches,
		func(x sport.ID, e records.PerformanceEntry) {
			if f.world.performed[x] == nil {
				f.world.performed[x] = map[sport.ID]records.PerformanceEntry{}
			}
			f.world.performed[x][e.Match] = e
		})
}

// playersIn reads the players of seasons, as far as rankings need them.
func (f *fetcher) playersIn(ctx context.Context, seasons []season) error {
	return members(ctx, f, &f.world.namesIn, f.tagged(seasons), records.PlayerKind(nil),
		func(s season) string { return records.TournamentPlayers(s.ID, f.tag(s)) },
		func(_ season, e records.PlayerEntry) { f.world.names[e.ID] = e })
}
