package world

import (
	"context"
	"slices"

	"touchline/shared/sport"
	"touchline/shared/standings"
)

// ContextOfPlayers reads players, their teams, and these teams' owners and
// competitions.
func (f *Fetcher) ContextOfPlayers(ctx context.Context, players []sport.ID) {
	f.ContextOfTeams(ctx, f.teamsOfPlayers(ctx, players))
}

// PlayersNamed reads players and their teams, which say whether they may be named.
func (f *Fetcher) PlayersNamed(ctx context.Context, players []sport.ID) {
	f.Teams(ctx, f.teamsOfPlayers(ctx, players))
}

// teamsOfPlayers reads players, and returns their teams in both views.
func (f *Fetcher) teamsOfPlayers(ctx context.Context, players []sport.ID) []sport.ID {
	f.Players(ctx, players)
	return IDs(f.World.Players.Both(players...), func(x *Player) sport.ID { return x.TeamID })
}

// WithAncestors reads organizations and everything above them, as it was and as it will
// be. It returns what is above.
func (f *Fetcher) WithAncestors(ctx context.Context, organizations []sport.ID) []sport.ID {
	seen := Set[sport.ID]{}
	for len(organizations) > 0 {
		f.Organizations(ctx, organizations)
		above := Set[sport.ID]{}
		for o := range f.World.Organizations.Both(organizations...) {
			for _, p := range o.Parents() {
				if !seen.Has(p) {
					seen.Add(p)
					above.Add(p)
				}
			}
		}
		organizations = above.Keys()
	}
	return seen.Keys()
}

// ContextOfTeams reads teams, their owners and their competitions.
func (f *Fetcher) ContextOfTeams(ctx context.Context, teams []sport.ID) {
	f.OwnersOfTeams(ctx, teams)
	f.WithOwners(ctx, IDs(f.World.Teams.Both(teams...), func(t *Team) sport.ID { return t.CompetitionID }))
}

// OwnersOfTeams reads teams and the organizations that own them, which it returns.
func (f *Fetcher) OwnersOfTeams(ctx context.Context, teams []sport.ID) []sport.ID {
	f.Teams(ctx, teams)
	owners := IDs(f.World.Teams.Both(teams...), (*Team).owner)
	f.Organizations(ctx, owners)
	return owners
}

// WithOwners reads competitions and the organizations that own them.
func (f *Fetcher) WithOwners(ctx context.Context, competitions []sport.ID) {
	f.Competitions(ctx, competitions)
	f.Organizations(ctx, IDs(f.World.AllSeasons(competitions...), func(c *Competition) sport.ID { return c.OrganizationID }))
}

// ContextOfMatches reads the teams and competitions of matches.
func (f *Fetcher) ContextOfMatches(ctx context.Context, matches []sport.ID) {
	var teams, competitions []sport.ID
	for m := range f.World.Matches.Both(matches...) {
		teams = append(teams, m.HomeTeamID, m.AwayTeamID)
		competitions = append(competitions, m.CompetitionID)
	}
	f.WithOwners(ctx, competitions)
	f.ContextOfTeams(ctx, teams)
}

// ContextOfCompetitions reads what the lists of competitions depend on: their
// owners, and the owners of the teams entered in the current season, with the
// organizations above these, since it takes their types to tell the clubs.
func (f *Fetcher) ContextOfCompetitions(ctx context.Context, competitions []sport.ID) {
	f.WithOwners(ctx, competitions)
	var current Set[SeasonID]
	var owners []sport.ID
	for c := range f.World.AllSeasons(competitions...) {
		if c.IsCurrent {
			current.Add(c.SeasonID())
			owners = append(owners, c.OrganizationID)
		}
	}
	f.EnteredIn(ctx, current.Keys())
	teams := slices.Collect(f.World.Entered.Both(current.Keys()...))
	f.Teams(ctx, teams)
	f.WithAncestors(ctx, append(owners, IDs(f.World.Teams.Both(teams...), (*Team).owner)...))
}

// WithParents adds to seasons those from whose tables their teams bring something along,
// and reads the competitions of these.
func (f *Fetcher) WithParents(ctx context.Context, seasons []SeasonID) []SeasonID {
	all := Set[SeasonID]{}
	all.Add(seasons...)
	for len(seasons) > 0 {
		above := Set[SeasonID]{}
		var ids []sport.ID
		for c := range f.World.Competitions.Both(seasons...) {
			parent := c.ParentSeason()
			if !all.Has(parent) && parent.ID != "" && standings.NeedsParent(c.Rules) {
				all.Add(parent)
				above.Add(parent)
				ids = append(ids, parent.ID)
			}
		}
		f.Competitions(ctx, ids)
		seasons = above.Keys()
	}
	return all.Keys()
}

// TeamsEntered reads the records of all teams of seasons.
func (f *Fetcher) TeamsEntered(ctx context.Context, seasons []SeasonID) {
	f.Teams(ctx, slices.Collect(f.World.Entered.Both(seasons...)))
}

// TeamsOfTables reads the teams that tables and ties of seasons name: those
// entered, those of given rows, and those that play, entered or not.
func (f *Fetcher) TeamsOfTables(ctx context.Context, seasons []SeasonID) {
	var named []sport.ID
	for _, s := range seasons {
		for _, table := range []sport.TableName{sport.TableRegular, sport.TablePlayoff, sport.TablePlayout} {
			for t := range f.World.Tables.Both(TableID{s, table}) {
				for _, row := range t.Rows {
					named = append(named, row.TeamID)
				}
			}
		}
	}
	for id := range f.World.Played.Both(seasons...) {
		for _, v := range []View{Before, After} {
			if m := f.World.Result(v, id); m != nil {
				named = append(named, m.HomeTeamID, m.AwayTeamID)
			}
		}
	}
	f.Teams(ctx, named)
	f.TeamsEntered(ctx, seasons)
}
