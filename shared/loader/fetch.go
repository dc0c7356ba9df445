package loader

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"touchline/shared/sport"
	"touchline/shared/statistics"
	"touchline/shared/store"
	"touchline/shared/store/kinds"
	"touchline/shared/store/list"
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
func records[K comparable, R, T any](ctx context.Context, f *fetcher, e *entities[K, T], ids []K, key func(K) store.Key, decode func(*R) *T) error {
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
	return records(ctx, f, &f.world.organizations, present(ids), store.OrganizationKey, decodeOrganization)
}

func (f *fetcher) teams(ctx context.Context, ids []sport.ID) error {
	return records(ctx, f, &f.world.teams, present(ids), store.TeamKey, decodeTeam)
}

func (f *fetcher) players(ctx context.Context, ids []sport.ID) error {
	return records(ctx, f, &f.world.players, present(ids), store.PlayerKey, decodePlayer)
}

func (f *fetcher) matches(ctx context.Context, ids []sport.ID) error {
	return records(ctx, f, &f.world.matches, present(ids), store.MatchKey, decodeMatch)
}

func present(ids []sport.ID) []sport.ID {
	return slices.DeleteFunc(slices.Clone(ids), func(id sport.ID) bool { return id == "" })
}

// competitions reads all seasons of competitions, and their given tables.
func (f *fetcher) competitions(ctx context.Context, ids []sport.ID) error {
	return each(ctx, f, &f.world.seasons, ids, func(ctx context.Context, id sport.ID) (func(), error) {
		items, err := f.table.Query(ctx, store.Query{PK: store.CompetitionPK(id), Consistent: true})
		if err != nil {
			return nil, err
		}
		var seasons []*competition
		var tables []*sport.GivenTable
		for _, item := range items {
			switch sk := store.KeyOf(item).SK; {
			case store.IsCompetitionSK(sk):
				r, err := unmarshal[store.CompetitionRecord](item)
				if err != nil {
					return nil, err
				}
				seasons = append(seasons, decodeCompetition(r))
			case store.IsGivenTableSK(sk):
				r, err := unmarshal[store.GivenTableRecord](item)
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
	return members(ctx, f, x, keys, kinds.IDs(), name, func(k K, e store.IDEntry) { x.put(k, e.ID) })
}

// members fills an index from lists, whatever their entries' visibility.
func members[K, M comparable, T any](ctx context.Context, f *fetcher, x *index[K, M], keys []K, kind list.Kind[T], name func(K) string, put func(K, T)) error {
	return each(ctx, f, x, keys, func(ctx context.Context, k K) (func(), error) {
		entries, err := list.All(ctx, f.get, kind, list.Request[T]{List: name(k), WithHidden: true})
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
	return ids(ctx, f, &f.world.children, parents, store.ChildIndex)
}

func (f *fetcher) stagesOf(ctx context.Context, competitions []sport.ID) error {
	return ids(ctx, f, &f.world.stages, competitions, store.ChildCompetitions)
}

// ownedBy reads which competitions and teams organizations own.
func (f *fetcher) ownedBy(ctx context.Context, owners []sport.ID) error {
	if err := ids(ctx, f, &f.world.owned, owners, store.OwnedCompetitions); err != nil {
		return err
	}
	return ids(ctx, f, &f.world.ownedTeams, owners, store.OwnedTeams)
}

// tagged gives the lists of the seasons that are stored; of others there are
// none. Their competitions must have been fetched.
func (f *fetcher) tagged(seasons []season) []season {
	return slices.DeleteFunc(slices.Clone(seasons), func(s season) bool { return f.world.competitions.at(before, s) == nil })
}

func (f *fetcher) tag(s season) store.Tag { return f.world.competitions.at(before, s).tag() }

// enteredIn reads which teams are entered in seasons, hidden ones among them.
func (f *fetcher) enteredIn(ctx context.Context, seasons []season) error {
	return members(ctx, f, &f.world.entered, f.tagged(seasons), kinds.Teams(nil),
		func(s season) string { return store.TournamentTeams(s.ID, f.tag(s)) },
		func(s season, e store.TeamEntry) { f.world.entered.put(s, e.ID) })
}

// playedIn reads the matches of seasons, as far as tables need them.
func (f *fetcher) playedIn(ctx context.Context, seasons []season) error {
	return members(ctx, f, &f.world.played, f.tagged(seasons), kinds.Matches(),
		func(s season) string { return store.TournamentMatches(s.ID, f.tag(s), store.All) },
		func(s season, e store.MatchEntry) {
			f.world.played.put(s, e.ID)
			f.world.outcomes[e.ID] = decodeOutcome(s, e)
			if f.world.entries[e.ID] == nil { // one that was read with its competition stays
				f.world.entries[e.ID] = &e
			}
		})
}

func (f *fetcher) squadsOf(ctx context.Context, teams []sport.ID) error {
	return members(ctx, f, &f.world.squads, teams, kinds.Squads(), store.Squad,
		func(t sport.ID, e store.PlayerEntry) { f.world.squads.put(t, e.ID) })
}

func (f *fetcher) fixturesOf(ctx context.Context, teams []sport.ID) error {
	return members(ctx, f, &f.world.fixtures, teams, kinds.Matches(),
		func(t sport.ID) string { return store.TeamMatches(t, store.All) },
		func(t sport.ID, e store.MatchEntry) {
			f.world.fixtures.put(t, e.ID)
			f.world.entries[e.ID] = &e
		})
}

// tablesNaming reads which given tables have rows of teams, and the tables.
func (f *fetcher) tablesNaming(ctx context.Context, teams []sport.ID) error {
	var competitions []sport.ID
	err := members(ctx, f, &f.world.named, teams, kinds.Tables(), store.TablesNaming, func(t sport.ID, e store.TableEntry) {
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
	return members(ctx, f, &f.world.lineups, seasons, kinds.Lineups(), store.LineupPlayers,
		func(s season, e store.LineupEntry) {
			f.world.appearances.put(e.Player, appearance{s, e.Match})
		})
}

// details reads the line-ups, events and figures of stored matches.
func (f *fetcher) details(ctx context.Context, matches []sport.ID) error {
	var keys []store.Key
	var wanted []*match
	for _, id := range matches {
		if m := f.world.matches.at(before, id); m != nil && len(m.detailHash) > 0 && m.detail == nil {
			keys, wanted = append(keys, store.MatchDetailKey(id)), append(wanted, m)
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
		r, err := unmarshal[store.DetailRecord](item)
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

// contributionsIn reads what the matches of seasons add to their sums.
func (f *fetcher) contributionsIn(ctx context.Context, seasons []season) error {
	return contributions(ctx, f, &f.world.contributedIn, seasons, store.Contributions, f.world.contributed)
}

// friendliesOf reads what the friendlies of teams add to theirs.
func (f *fetcher) friendliesOf(ctx context.Context, teams []sport.ID) error {
	return contributions(ctx, f, &f.world.friendliesOf, teams, store.FriendlyContributions, f.world.friendlies)
}

func contributions[K comparable](ctx context.Context, f *fetcher, x *index[K, sport.ID], keys []K, name func(K) string, into map[K]map[sport.ID]statistics.Contribution) error {
	var damaged error
	err := members(ctx, f, x, keys, kinds.Contributions(), name, func(k K, e store.ContributionEntry) {
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
	return members(ctx, f, &f.world.playedOf, players, kinds.Performances(), store.PlayerMatches,
		func(x sport.ID, e store.PerformanceEntry) {
			if f.world.performed[x] == nil {
				f.world.performed[x] = map[sport.ID]store.PerformanceEntry{}
			}
			f.world.performed[x][e.Match] = e
		})
}

// playersIn reads the players of seasons, as far as rankings need them.
func (f *fetcher) playersIn(ctx context.Context, seasons []season) error {
	return members(ctx, f, &f.world.namesIn, f.tagged(seasons), kinds.Players(nil),
		func(s season) string { return store.TournamentPlayers(s.ID, f.tag(s)) },
		func(_ season, e store.PlayerEntry) { f.world.names[e.ID] = e })
}

// contextOfPlayers reads players and their teams.
func (f *fetcher) contextOfPlayers(ctx context.Context, players []sport.ID) error {
	if err := f.players(ctx, players); err != nil {
		return err
	}
	var teams []sport.ID
	for _, id := range players {
		for _, v := range []view{before, after} {
			if x := f.world.players.at(v, id); x != nil {
				teams = append(teams, x.TeamID)
			}
		}
	}
	return f.teams(ctx, teams)
}

// withAncestors reads organizations and everything above them, as it was and
// as it will be.
func (f *fetcher) withAncestors(ctx context.Context, organizations []sport.ID) error {
	seen := set[sport.ID]{}
	for len(organizations) > 0 {
		if err := f.organizations(ctx, organizations); err != nil {
			return err
		}
		above := set[sport.ID]{}
		for _, id := range organizations {
			for _, v := range []view{before, after} {
				o := f.world.organizations.at(v, id)
				if o == nil {
					continue
				}
				for _, p := range o.Parents() {
					if _, twice := seen[p]; !twice {
						seen.add(p)
						above.add(p)
					}
				}
			}
		}
		organizations = above.keys()
	}
	return nil
}

// contextOfTeams reads teams, their owners and their competitions.
func (f *fetcher) contextOfTeams(ctx context.Context, teams []sport.ID) error {
	if err := f.teams(ctx, teams); err != nil {
		return err
	}
	var owners, competitions []sport.ID
	for _, id := range teams {
		for _, v := range []view{before, after} {
			if t := f.world.teams.at(v, id); t != nil {
				owners = append(owners, t.OrganizationID)
				competitions = append(competitions, t.CompetitionID)
			}
		}
	}
	if err := f.organizations(ctx, owners); err != nil {
		return err
	}
	return f.withOwners(ctx, competitions)
}

// withOwners reads competitions and the organizations that own them.
func (f *fetcher) withOwners(ctx context.Context, competitions []sport.ID) error {
	competitions = present(competitions)
	if err := f.competitions(ctx, competitions); err != nil {
		return err
	}
	var owners []sport.ID
	for _, id := range competitions {
		f.world.seasons.both(id, func(year int) {
			for _, v := range []view{before, after} {
				if c := f.world.competitions.at(v, season{ID: id, Season: year}); c != nil {
					owners = append(owners, c.OrganizationID)
				}
			}
		})
	}
	return f.organizations(ctx, owners)
}

// contextOfMatches reads the teams and competitions of matches.
func (f *fetcher) contextOfMatches(ctx context.Context, matches []sport.ID) error {
	var teams, competitions []sport.ID
	for _, id := range matches {
		for _, v := range []view{before, after} {
			if m := f.world.matches.at(v, id); m != nil {
				teams = append(teams, m.HomeTeamID, m.AwayTeamID)
				competitions = append(competitions, m.CompetitionID)
			}
		}
	}
	if err := f.withOwners(ctx, competitions); err != nil {
		return err
	}
	return f.contextOfTeams(ctx, teams)
}

// contextOfCompetitions reads what the lists of competitions depend on: their
// owners, and the owners of the teams entered in the current season, with the
// organizations above these, since it takes their types to tell the clubs.
func (f *fetcher) contextOfCompetitions(ctx context.Context, competitions []sport.ID) error {
	if err := f.withOwners(ctx, competitions); err != nil {
		return err
	}
	current := set[season]{}
	var owners []sport.ID
	for _, id := range competitions {
		f.world.seasons.both(id, func(year int) {
			for _, v := range []view{before, after} {
				c := f.world.competitions.at(v, season{ID: id, Season: year})
				if c != nil && c.current {
					current.add(c.identity())
					owners = append(owners, c.OrganizationID)
				}
			}
		})
	}
	if err := f.enteredIn(ctx, current.keys()); err != nil {
		return err
	}
	if err := f.teamsEntered(ctx, current.keys()); err != nil {
		return err
	}
	for s := range current {
		f.world.entered.both(s, func(id sport.ID) {
			for _, v := range []view{before, after} {
				if t := f.world.teams.at(v, id); t != nil {
					owners = append(owners, t.OrganizationID)
				}
			}
		})
	}
	return f.withAncestors(ctx, present(owners))
}

// teamsEntered reads the records of all teams of seasons.
func (f *fetcher) teamsEntered(ctx context.Context, seasons []season) error {
	var teams []sport.ID
	for _, s := range seasons {
		f.world.entered.both(s, func(id sport.ID) { teams = append(teams, id) })
	}
	return f.teams(ctx, teams)
}

// teamsOfTables reads the teams that tables and ties of seasons name: those
// entered, those of given rows, and those that play, entered or not.
func (f *fetcher) teamsOfTables(ctx context.Context, seasons []season) error {
	var named []sport.ID
	for _, s := range seasons {
		for _, table := range []sport.TableName{sport.TableRegular, sport.TablePlayoff, sport.TablePlayout} {
			for _, v := range []view{before, after} {
				if t := f.world.tables.at(v, tableID{s, table}); t != nil {
					for _, row := range t.Rows {
						named = append(named, row.TeamID)
					}
				}
			}
		}
	}
	for _, s := range seasons {
		f.world.played.both(s, func(id sport.ID) {
			for _, v := range []view{before, after} {
				if m := f.world.result(v, id); m != nil {
					named = append(named, m.HomeTeamID, m.AwayTeamID)
				}
			}
		})
	}
	if err := f.teams(ctx, named); err != nil {
		return err
	}
	return f.teamsEntered(ctx, seasons)
}
