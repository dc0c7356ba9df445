package affected

import (
	"touchline/shared/loader/world"
)

// What breaks this file: a projection that looks up a record which no edge leads to. In
// package world what was not fetched counts as not existing, so that the record is projected
// as if it were alone, and nothing says so. Whoever has a projection show, or depend on, one
// more record adds its edge here, or, where it is only looked up, to lookedUp.
//
// What holds it: TestAnyHistoryEndsInTheTableOfOneLoad (package loader) compares random
// histories with one load; TestAFieldGoesAllTheWay (package endpoints) changes each field
// alone. TestWhatShowsAChange has a row for what is easily forgotten.
//
// What would let it go: projections that fetch what they look up as they go. A load would then
// make a round trip for each record in place of one for each edge.

// edges say what shows something of a record: from the records of a set along a relation
// to others. The edges stand in the order in which they are walked: none leads to a set
// whose own edges have been walked, but for the teams and players whose sums matches change.
func (s *finder) edges() [][]edge {
	f, changed := s.fetch, &s.changed
	organization, season := &s.world.Organizations, &s.world.Competitions
	return [][]edge{{
		along(&changed.organizations, same, &s.Organizations),
		where(differs(organization, func(o world.Organization) any { return o.Name }), &changed.organizations, f.ChildrenOf, &s.retitled), // trees show three levels
		along(&s.retitled, same, &s.Organizations),
		along(&s.retitled, f.ChildrenOf, &s.Organizations),
		where(differs(organization, placeOf), &changed.organizations, same, &s.moved),
		closure(&s.moved, f.ChildrenOf),
		along(&s.moved, same, &s.Organizations, &s.owners),
		along(&changed.organizations, f.ParentsOf, &s.parents),
		along(&s.Organizations, same, &s.organizations),
		along(&s.parents, same, &s.organizations),
		along(&s.parents, f.ChildrenOf, &s.organizations),
		closure(&s.organizations, f.ParentsOf),
		s.hierarchy,
		where(differs(organization, func(o world.Organization) any { return o.Leaf }), &s.parents, same, &s.Organizations, &s.owners),
	}, {
		along(&changed.seasons, through(same, competition), &s.Competitions),
		along(&s.owners, f.CompetitionsOwnedBy, &s.Competitions),
		along(&s.Competitions, f.SeasonsIn, &s.reviewed),
	}, {
		s.unseenSeasons,
		where(differs(season, func(c world.Competition) any { return c }), &s.reviewed, same, &s.whole),
		where(either(season, func(c *world.Competition) bool { return s.owners.Has(c.OrganizationID) }), &s.reviewed, same, &s.whole),
		along(&s.whole, same, &s.Seasons),
	}, {
		along(&changed.teams, same, &s.Teams),
		where(differs(organization, func(o world.Organization) any { return [...]string{o.Name, o.Logo} }), &changed.organizations, f.TeamsOwnedBy, &s.Teams),
		along(&s.owners, f.TeamsOwnedBy, &s.Teams),
		along(&s.whole, f.EnteredIn, &s.Teams),
	}, {
		s.unseenTeams,
		along(&s.Teams, f.SeasonsOfTeams, &s.Seasons),
		along(&s.Teams, through(f.TablesNaming, seasonOf), &s.Seasons),
		along(&s.Teams, f.FixturesOf, &s.Matches),
		along(&s.Teams, f.PlayersOf, &s.Players),
		where(differs(&s.world.Teams, func(t world.Team) any { return [...]bool{t.Public(), t.HidesPlayers} }), &s.Teams, f.PlayersOf, &s.named),
		along(&changed.players, same, &s.Players),
		where(differs(&s.world.Players, shownInMatches), &changed.players, same, &s.named),
		along(&s.named, f.PerformancesOf, &s.Matches),
		along(&changed.matches, same, &s.Matches),
		along(&s.whole, f.PlayedIn, &s.Matches),
	}, {
		s.squads,
		s.results,
		along(&changed.tables, same, &s.GivenTables),
		along(&changed.tables, through(same, seasonOf), &s.Seasons),
	}, s.forTables(), {
		along(&s.Seasons, through(same, competition), &s.Competitions),
		s.sums,
	}}
}

// placeOf is what of an organization decides who sees what it owns, and it itself.
func placeOf(o world.Organization) any {
	o.Key, o.Name, o.Logo, o.Description, o.Season, o.Status, o.Plan = "", "", "", "", 0, "", ""
	return o
}

// shownInMatches is what matches, and so sums, show of a player.
func shownInMatches(x world.Player) any {
	x.Key, x.Status = "", ""
	return x
}

// forTables are what tables are computed from. A season shows its playoffs and playouts,
// and what their teams bring along is of its table.
func (s *finder) forTables() []edge {
	f := s.fetch
	return []edge{
		closure(&s.Seasons, s.related),
		along(&s.Seasons, f.EnteredIn, &s.teams),
		along(&s.Seasons, f.TeamsGivenIn, &s.teams),
		along(&s.Seasons, f.TeamsPlayingIn, &s.teams),
	}
}

// lookedUp are what projecting records looks up besides them, of each kind.
func (s *finder) lookedUp() []edge {
	f := s.fetch
	current := either(&s.world.Competitions, func(c *world.Competition) bool { return c.IsCurrent })
	return []edge{
		along(&s.Competitions, f.SeasonsIn, &s.reviewed, &s.seasons),
		along(&s.reviewed, f.StagesIn),
		where(current, &s.reviewed, f.EnteredIn, &s.teams), // the clubs by which lists of competitions are filtered
		along(&s.Teams, same, &s.teams),
		along(&s.Players, f.TeamsOfPlayers, &s.teams),
		along(&s.Players, f.SeasonsOfPlayers, &s.seasons),
		along(&s.Matches, f.TeamsOfMatches, &s.teams),
		along(&s.Matches, f.SeasonsOfMatches, &s.seasons),
		along(&s.teams, f.SeasonsOfTeams, &s.seasons),
		along(&s.teams, f.OwnersOfTeams, &s.organizations),
		along(&s.seasons, f.OwnersOf, &s.organizations),
		closure(&s.organizations, f.ParentsOf),
	}
}
