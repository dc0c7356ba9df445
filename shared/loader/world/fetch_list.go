package world

import (
	"context"
	"iter"
	"maps"
	"slices"

	"touchline/shared/sport"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// listsAtOnce is how many lists are read at once.
const listsAtOnce = 16

// each reads what is stored under the names of keys, several at a time, but what was
// read before. Nothing is stored under an empty name.
func each[K, R any](ctx context.Context, f *Fetcher, keys []K, name func(K) string, read func(context.Context, K) (R, error), put func(K, R)) {
	if f.Empty {
		return
	}
	var wanted []K
	for _, k := range keys {
		if n := name(k); n != "" && !f.World.read.Has(n) {
			f.World.read.Add(n)
			wanted = append(wanted, k)
		}
	}
	found := make([]R, len(wanted))
	f.parallel(ctx, len(wanted), listsAtOnce, func(ctx context.Context, i int) (err error) {
		found[i], err = read(ctx, wanted[i])
		return err
	})
	for i, k := range wanted {
		if f.World.failed == nil {
			put(k, found[i])
		}
	}
}

// Everything are the ids of all records of a kind, in order.
func (f *Fetcher) Everything(ctx context.Context, kind sport.Kind) []sport.ID {
	var all []sport.ID
	for _, e := range whole(ctx, f, records.IDSchema(), records.Everything(kind)) {
		all = append(all, e.ID)
	}
	return all
}

// EveryTable names all given tables.
func (f *Fetcher) EveryTable(ctx context.Context) []records.TableEntry {
	return whole(ctx, f, records.TableSchema(), records.EveryTable)
}

// whole reads a list, of which nothing is kept.
func whole[T any](ctx context.Context, f *Fetcher, schema pagedlist.Schema[T], list records.List[T]) (all []T) {
	if f.World.failed == nil {
		all, f.World.failed = entriesOf(ctx, f, schema, list)
	}
	return all
}

// entriesOf are all entries of a list, hidden ones among them.
func entriesOf[T any](ctx context.Context, f *Fetcher, schema pagedlist.Schema[T], list records.List[T]) ([]T, error) {
	return pagedlist.All(ctx, f.Get, schema, pagedlist.Request[T]{List: string(list), WithHidden: true})
}

// entries puts those of lists, hidden ones among them. A key whose list has no name
// has none.
func entries[K, T any](ctx context.Context, f *Fetcher, keys []K, schema pagedlist.Schema[T], name func(K) records.List[T], put func(K, T)) {
	each(ctx, f, keys, func(k K) string { return string(name(k)) },
		func(ctx context.Context, k K) ([]T, error) { return entriesOf(ctx, f, schema, name(k)) },
		func(k K, all []T) {
			for _, e := range all {
				put(k, e)
			}
		})
}

// ids reads lists of ids, and yields the members of the keys in either view.
func ids(ctx context.Context, f *Fetcher, x *members[sport.ID, sport.ID], keys []sport.ID, name func(sport.ID) records.List[records.IDEntry]) iter.Seq[sport.ID] {
	entries(ctx, f, keys, records.IDSchema(), name, func(k sport.ID, e records.IDEntry) { x.put(k, e.ID) })
	return x.Both(keys...)
}

// What belongs to records, by the lists that say it. Each function reads the lists of the
// keys it is given, and yields what is on them in either view. Those of seasons need their
// competitions to have been fetched.

// ChildrenOf are the organizations that name some as a parent.
func (f *Fetcher) ChildrenOf(ctx context.Context, parents []sport.ID) iter.Seq[sport.ID] {
	return ids(ctx, f, &f.World.Children, parents, records.ChildOrganizations)
}

// StagesOf are the playoffs and playouts of competitions, in any season.
func (f *Fetcher) StagesOf(ctx context.Context, competitions []sport.ID) iter.Seq[sport.ID] {
	return ids(ctx, f, &f.World.Stages, competitions, records.ChildCompetitions)
}

// CompetitionsOwnedBy are those that organizations own, in any season.
func (f *Fetcher) CompetitionsOwnedBy(ctx context.Context, owners []sport.ID) iter.Seq[sport.ID] {
	return ids(ctx, f, &f.World.Owned, owners, records.OwnedCompetitions)
}

// TeamsOwnedBy are those that organizations own.
func (f *Fetcher) TeamsOwnedBy(ctx context.Context, owners []sport.ID) iter.Seq[sport.ID] {
	return ids(ctx, f, &f.World.OwnedTeams, owners, records.OwnedTeams)
}

// ofSeason names a list of a season as the table has it; empty where the table does
// not have the season.
func ofSeason[T any](f *Fetcher, name func(sport.ID, records.Tag) records.List[T]) func(SeasonID) records.List[T] {
	return func(s SeasonID) records.List[T] {
		c := f.World.Competitions.At(Before, s)
		if c == nil {
			return ""
		}
		return name(s.ID, c.Tag())
	}
}

// EnteredIn are the teams of seasons.
func (f *Fetcher) EnteredIn(ctx context.Context, seasons []SeasonID) iter.Seq[sport.ID] {
	entries(ctx, f, seasons, records.TeamSchema(nil), ofSeason(f, records.TournamentTeams),
		func(s SeasonID, e records.TeamEntry) { f.World.Entered.put(s, e.ID) })
	return f.World.Entered.Both(seasons...)
}

// PlayedIn are the matches of seasons, which are known then as lists show them.
func (f *Fetcher) PlayedIn(ctx context.Context, seasons []SeasonID) iter.Seq[sport.ID] {
	of := map[SeasonID]*records.CompetitionRef{} // which these lists leave out
	entries(ctx, f, seasons, records.MatchSchema(), ofSeason(f, records.TournamentMatches), func(s SeasonID, e records.MatchEntry) {
		if of[s] == nil {
			of[s] = new(records.CompetitionRefOf(&f.World.Competitions.At(Before, s).Competition))
		}
		e.Competition = of[s]
		f.World.Played.put(s, e.ID)
		assign(&f.World.entries, e.ID, &e)
	})
	return f.World.Played.Both(seasons...)
}

// PlayersOf are those that belong to teams.
func (f *Fetcher) PlayersOf(ctx context.Context, teams []sport.ID) iter.Seq[sport.ID] {
	entries(ctx, f, teams, records.SquadSchema(), records.Squad,
		func(t sport.ID, e records.PlayerEntry) { f.World.Squads.put(t, e.ID) })
	return f.World.Squads.Both(teams...)
}

// Squads reads the players of teams as they are stored, of which nothing is kept.
func (f *Fetcher) Squads(ctx context.Context, teams []sport.ID) []records.PlayerEntry {
	if f.Empty {
		return nil
	}
	all := make([][]records.PlayerEntry, len(teams))
	f.parallel(ctx, len(teams), listsAtOnce, func(ctx context.Context, i int) (err error) {
		all[i], err = entriesOf(ctx, f, records.SquadSchema(), records.Squad(teams[i]))
		return err
	})
	return slices.Concat(all...)
}

// HiddenPlayersOf are those of clubs who are named nowhere.
func (f *Fetcher) HiddenPlayersOf(ctx context.Context, clubs []sport.ID) iter.Seq[sport.ID] {
	return ids(ctx, f, &f.World.HiddenPlayers, clubs, records.HiddenPlayers)
}

// FixturesOf are the matches of teams.
func (f *Fetcher) FixturesOf(ctx context.Context, teams []sport.ID) iter.Seq[sport.ID] {
	entries(ctx, f, teams, records.MatchSchema(), records.TeamMatches, func(t sport.ID, e records.MatchEntry) {
		f.World.Fixtures.put(t, e.ID)
		assign(&f.World.entries, e.ID, &e)
	})
	return f.World.Fixtures.Both(teams...)
}

// TablesNaming are the given tables that have rows of teams.
func (f *Fetcher) TablesNaming(ctx context.Context, teams []sport.ID) iter.Seq[TableID] {
	var competitions []sport.ID
	entries(ctx, f, teams, records.TableSchema(), records.TablesNaming, func(t sport.ID, e records.TableEntry) {
		f.World.Named.put(t, TableID{SeasonID{ID: e.Competition, Season: e.Season}, e.Table})
		competitions = append(competitions, e.Competition)
	})
	f.Competitions(ctx, competitions)
	return f.World.Named.Both(teams...)
}

// AppearancesIn reads whom the matches of seasons show.
func (f *Fetcher) AppearancesIn(ctx context.Context, seasons []SeasonID) {
	entries(ctx, f, seasons, records.LineupSchema(), records.LineupPlayers,
		func(s SeasonID, e records.LineupEntry) {
			f.World.appearances.put(e.Player, appearance{s, e.Match})
		})
}

// ContributionsIn reads what the matches of seasons add to their sums.
func (f *Fetcher) ContributionsIn(ctx context.Context, seasons []SeasonID) {
	entries(ctx, f, seasons, records.ContributionSchema(), records.Contributions, contributed[SeasonID](f))
}

// FriendliesOf reads what the friendlies of teams add to theirs.
func (f *Fetcher) FriendliesOf(ctx context.Context, teams []sport.ID) {
	entries(ctx, f, teams, records.ContributionSchema(), records.FriendlyContributions, contributed[sport.ID](f))
}

func contributed[K any](f *Fetcher) func(K, records.ContributionEntry) {
	return func(_ K, e records.ContributionEntry) { assign(&f.World.contributed, e.Match, e.Contribution()) }
}

// PerformancesOf are the stored matches that list or name players.
func (f *Fetcher) PerformancesOf(ctx context.Context, players []sport.ID) iter.Seq[sport.ID] {
	entries(ctx, f, players, records.PerformanceSchema(), records.PlayerMatches, func(player sport.ID, e records.PerformanceEntry) {
		all := f.World.Performed[player]
		assign(&all, e.Match, e)
		assign(&f.World.Performed, player, all)
	})
	var matches []sport.ID
	for _, x := range players {
		matches = slices.AppendSeq(matches, maps.Keys(f.World.Performed[x]))
	}
	return slices.Values(matches)
}

// PlayersIn reads the players of seasons, as far as rankings need them.
func (f *Fetcher) PlayersIn(ctx context.Context, seasons []SeasonID) {
	entries(ctx, f, seasons, records.PlayerSchema(nil), ofSeason(f, records.TournamentPlayers),
		func(_ SeasonID, e records.PlayerEntry) { assign(&f.World.Names, e.ID, e) })
}
