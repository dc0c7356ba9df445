package affected

import (
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// edges say what shows something of a record: from the records of a set along a relation
// to others. Where names what has to change of a record for that, by its fields. The edges
// stand in the order in which they are walked: nothing leads to a set that has been left.
func (s *finder) edges() [][]edge {
	f, changed := s.fetch, &s.changed
	organization, season, team, player, match := &s.world.Organizations, &s.world.Competitions, &s.world.Teams, &s.world.Players, &s.world.Matches
	return [][]edge{{
		along(&changed.organizations, same, &s.Organizations),
		where(change(organization, "Name"), &changed.organizations, f.ChildrenOf, &s.retitled), // trees show three levels
		along(&s.retitled, same, &s.Organizations),
		along(&s.retitled, f.ChildrenOf, &s.Organizations),
		where(change(organization, "Name", "Logo"), &changed.organizations, same, &s.badged),
		where(change(organization, "Type", "ParentID", "AdditionalParentIDs", "Visibility"), &changed.organizations, same, &s.moved),
		closure(&s.moved, f.ChildrenOf),
		along(&s.moved, same, &s.Organizations, &s.owners, &s.above),
		along(&changed.organizations, f.ParentsOf, &s.parents),
		along(&s.parents, same, &s.above),
		closure(&s.above, f.ParentsOf),
		along(&s.parents, f.ChildrenOf, &s.organizations),
		along(&s.organizations, f.Organizations),
		then(s.hierarchy),
		where(change(organization, "Leaf"), &s.parents, same, &s.Organizations, &s.owners),
	}, {
		along(&changed.seasons, through(same, competition), &s.reviewed),
		along(&s.owners, f.CompetitionsOwnedBy, &s.reviewed),
		along(&s.reviewed, same, &s.Competitions),
		along(&s.reviewed, f.SeasonsIn, &s.seasons),
	}, {
		then(s.unseenSeasons),
		along(&s.seasons, same, &s.tabled, &s.retabled),
		along(&s.seasons, through(f.ParentSeasonsOf, competition), &s.Competitions), // they show that there is a playoff
		where(change(season, "OrganizationID", "IsCurrent", "Public", "Rules.HidePlayers"), &s.seasons, same, &s.opened),
		where(either(season, func(c *world.Competition) bool { return s.owners.Has(c.OrganizationID) }), &s.seasons, same, &s.opened),
		where(change(season, "Name", "Logo", "Type", "Stage", "Timezone", "Groups", "Rules.Periods"), &s.seasons, same, &s.renamed),
		along(&s.opened, same, &s.renamed),
		where(change(season, "Rules"), &s.seasons, same, &s.ruled),
		where(change(season, "Withdrawals"), &s.seasons, s.withdrawn, &s.matchesOf),
		where(when(s.awards), &s.seasons, f.PlayedIn, &s.ranking),
		along(&s.renamed, same, &s.CompetitionSums),
		along(&s.ruled, same, &s.CompetitionSums),
		along(&s.ruled, f.TeamsPlayingIn, &s.TeamSums),
	}, {
		along(&changed.teams, same, &s.Teams),
		along(&s.badged, f.TeamsOwnedBy, &s.Teams),
		along(&s.owners, f.TeamsOwnedBy, &s.Teams, &s.playersOf, &s.matchesOf),
		along(&s.renamed, f.EnteredIn, &s.Teams),
	}, {
		then(s.unseenTeams),
		along(&s.opened, f.EnteredIn, &s.playersOf),
		where(change(team, "Name", "ShortName", "Logo", "OrganizationID", "CompetitionID", "Season", "Public"), &s.Teams, same, &s.playersOf, &s.matchesOf),
		along(&s.playersOf, same, &s.TeamSums),
		along(&s.Teams, f.SeasonsOfTeams, &s.tabled, &s.retabled, &s.CompetitionSums),
		along(&s.Teams, through(f.SeasonsOfTeams, competition), &s.Competitions),
		along(&s.matchesOf, through(f.TablesNaming, seasonOf), &s.tabled),
	}, {
		where(change(player, "Name", "TeamID", "Number", "FormerNumbers", "Position", "Photo", "Visibility"), &changed.players, same, &s.named),
		where(change(team, "Season", "Public", "HidesPlayers"), &s.playersOf, f.PlayersOf, &s.named),
		along(&s.named, same, &s.PlayerSums),
		along(&s.named, f.PerformancesOf, &s.Matches),
		along(&changed.matches, same, &s.Matches),
		along(&s.matchesOf, f.FixturesOf, &s.ranking),
		along(&s.renamed, f.PlayedIn, &s.ranking),
		where(either(match, func(m *world.Match) bool { return m.Status == sport.Finished }), &changed.matches, same, &s.ranking),
		where(change(match, "CompetitionID", "Season", "GroupID", "Round", "Leg", "TwoLegs", "Status", "Kickoff", "HomeTeamID", "AwayTeamID",
			"Points", "SetPoints", "TieWinner", "Visibility"), &changed.matches, same, &s.ranking), // a score in play changes none
		along(&s.ranking, same, &s.Matches),
		along(&s.ranking, f.SeasonsOfMatches, &s.tabled),
	}, {
		where(when(s.decides), &s.ranking, f.SeasonsOfMatches, &s.retabled),
		along(&changed.players, same, &s.Players),
		along(&s.playersOf, f.PlayersOf, &s.Players),
		then(s.squads),
		then(s.results),
		where(when(s.hosted), &s.playersOf, f.PlayersOf, &s.PlayerSums),
	}, {
		along(&changed.tables, same, &s.GivenTables),
		along(&changed.tables, through(same, seasonOf), &s.tabled, &s.retabled),
		along(&changed.tables, s.knockouts, &s.Competitions),
		closure(&s.retabled, s.dependent),
		along(&s.retabled, same, &s.tabled),
		along(&s.tabled, same, &s.Tables),
		along(&s.tabled, f.ParentSeasonsOf, &s.Tables), // they show the tables of their playoffs
		along(&s.Tables, same, &s.computed),
		along(&s.Tables, f.StagesIn, &s.computed),
	}, s.forTables(), {
		then(s.forTeamSums),
		then(s.forPlayerSums),
		along(&s.away, f.TeamsOfMatches, &s.opponents),
		along(&s.opponents, f.OwnersOfTeams, &s.organizations),
		along(&s.CompetitionSums, same, &s.summed),
		along(&s.summed, same, &s.namedIn),
		along(&s.namedIn, f.Seasons),
		read(&s.summed, f.ContributionsIn),
		read(&s.CompetitionSums, f.PlayersIn),
		along(&s.CompetitionSums, s.notListed, &s.unlisted),
		along(&s.unlisted, f.TeamsOfPlayers, &s.namedTeams),
		along(&s.namedTeams, f.Teams),
	}}
}

// forTables are what tables are computed from.
func (s *finder) forTables() []edge {
	f := s.fetch
	return []edge{
		closure(&s.computed, s.needed),
		along(&s.CompetitionSums, same, &s.computed),
		along(&s.computed, f.Seasons),
		along(&s.computed, f.EnteredIn, &s.namedTeams),
		along(&s.computed, f.TeamsGivenIn, &s.namedTeams),
		along(&s.computed, f.TeamsPlayingIn, &s.namedTeams),
		along(&s.namedTeams, f.Teams),
	}
}

// lookedUp are what projecting records looks up besides them, of each kind.
func (s *finder) lookedUp() []edge {
	f := s.fetch
	current := either(&s.world.Competitions, func(c *world.Competition) bool { return c.IsCurrent })
	return []edge{
		along(&s.Organizations, same, &s.above),
		along(&s.Competitions, f.SeasonsIn, &s.projected, &s.in),
		along(&s.projected, f.StagesIn),
		where(current, &s.projected, f.OwnersOf, &s.above), // the clubs by which it is filtered
		where(current, &s.projected, f.EnteredIn, &s.entered),
		along(&s.entered, f.OwnersOfTeams, &s.above),
		along(&s.Teams, same, &s.teams),
		along(&s.TeamSums, same, &s.teams),
		along(&s.Players, f.TeamsOfPlayers, &s.teams),
		along(&s.PlayerSums, f.TeamsOfPlayers, &s.teams),
		along(&s.Matches, f.TeamsOfMatches, &s.teams),
		along(&s.Matches, f.SeasonsOfMatches, &s.in),
		along(&s.teams, f.SeasonsOfTeams, &s.in),
		along(&s.teams, f.OwnersOfTeams, &s.organizations),
		along(&s.in, f.OwnersOf, &s.organizations),
		along(&s.organizations, f.Organizations),
		closure(&s.above, f.ParentsOf),
	}
}
