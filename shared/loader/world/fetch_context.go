package world

import (
	"context"

	"touchline/shared/sport"
	"touchline/shared/standings"
)

// ContextOfPlayers reads players, their teams, and these teams' owners and
// competitions.
func (f *Fetcher) ContextOfPlayers(ctx context.Context, players []sport.ID) error {
	teams, err := f.teamsOfPlayers(ctx, players)
	if err != nil {
		return err
	}
	return f.ContextOfTeams(ctx, teams)
}

// PlayersNamed reads players and their teams, which say whether they may be named.
func (f *Fetcher) PlayersNamed(ctx context.Context, players []sport.ID) error {
	teams, err := f.teamsOfPlayers(ctx, players)
	if err != nil {
		return err
	}
	return f.Teams(ctx, teams)
}

// teamsOfPlayers reads players, and returns their teams in both views.
func (f *Fetcher) teamsOfPlayers(ctx context.Context, players []sport.ID) ([]sport.ID, error) {
	if err := f.Players(ctx, players); err != nil {
		return nil, err
	}
	var teams []sport.ID
	for x := range f.World.Players.Both(players...) {
		teams = append(teams, x.TeamID)
	}
	return teams, nil
}

// WithAncestors reads organizations and everything above them, as it was and
// as it will be.
func (f *Fetcher) WithAncestors(ctx context.Context, organizations []sport.ID) error {
	seen := Set[sport.ID]{}
	for len(organizations) > 0 {
		if err := f.Organizations(ctx, organizations); err != nil {
			return err
		}
		above := Set[sport.ID]{}
		for o := range f.World.Organizations.Both(organizations...) {
			for _, p := range o.Parents() {
				if _, twice := seen[p]; !twice {
					seen.Add(p)
					above.Add(p)
				}
			}
		}
		organizations = above.Keys()
	}
	return nil
}

// ContextOfTeams reads teams, their owners and their competitions.
func (f *Fetcher) ContextOfTeams(ctx context.Context, teams []sport.ID) error {
	if err := f.Teams(ctx, teams); err != nil {
		return err
	}
	var owners, competitions []sport.ID
	for t := range f.World.Teams.Both(teams...) {
		owners = append(owners, t.OrganizationID)
		competitions = append(competitions, t.CompetitionID)
	}
	if err := f.Organizations(ctx, owners); err != nil {
		return err
	}
	return f.WithOwners(ctx, competitions)
}

// WithOwners reads competitions and the organizations that own them.
func (f *Fetcher) WithOwners(ctx context.Context, competitions []sport.ID) error {
	competitions = Present(competitions)
	if err := f.Competitions(ctx, competitions); err != nil {
		return err
	}
	var owners []sport.ID
	for c := range f.World.AllSeasons(competitions...) {
		owners = append(owners, c.OrganizationID)
	}
	return f.Organizations(ctx, owners)
}

// ContextOfMatches reads the teams and competitions of matches.
func (f *Fetcher) ContextOfMatches(ctx context.Context, matches []sport.ID) error {
	var teams, competitions []sport.ID
	for m := range f.World.Matches.Both(matches...) {
		teams = append(teams, m.HomeTeamID, m.AwayTeamID)
		competitions = append(competitions, m.CompetitionID)
	}
	if err := f.WithOwners(ctx, competitions); err != nil {
		return err
	}
	return f.ContextOfTeams(ctx, teams)
}

// ContextOfCompetitions reads what the lists of competitions depend on: their
// owners, and the owners of the teams entered in the current season, with the
// organizations above these, since it takes their types to tell the clubs.
func (f *Fetcher) ContextOfCompetitions(ctx context.Context, competitions []sport.ID) error {
	if err := f.WithOwners(ctx, competitions); err != nil {
		return err
	}
	current := Set[SeasonID]{}
	var owners []sport.ID
	for c := range f.World.AllSeasons(competitions...) {
		if c.IsCurrent {
			current.Add(c.SeasonID())
			owners = append(owners, c.OrganizationID)
		}
	}
	if err := f.EnteredIn(ctx, current.Keys()); err != nil {
		return err
	}
	if err := f.TeamsEntered(ctx, current.Keys()); err != nil {
		return err
	}
	for s := range current {
		f.World.Entered.Both(s, func(id sport.ID) {
			for t := range f.World.Teams.Both(id) {
				owners = append(owners, t.OrganizationID)
			}
		})
	}
	return f.WithAncestors(ctx, Present(owners))
}

// WithParents adds to seasons those from whose tables their teams bring something along,
// and reads the competitions of these.
func (f *Fetcher) WithParents(ctx context.Context, seasons []SeasonID) ([]SeasonID, error) {
	all := Set[SeasonID]{}
	all.Add(seasons...)
	for len(seasons) > 0 {
		above := Set[SeasonID]{}
		var ids []sport.ID
		for c := range f.World.Competitions.Both(seasons...) {
			parent := c.ParentSeason()
			if _, twice := all[parent]; !twice && parent.ID != "" && standings.NeedsParent(c.Rules) {
				all.Add(parent)
				above.Add(parent)
				ids = append(ids, parent.ID)
			}
		}
		if err := f.Competitions(ctx, ids); err != nil {
			return nil, err
		}
		seasons = above.Keys()
	}
	return all.Keys(), nil
}

// TeamsEntered reads the records of all teams of seasons.
func (f *Fetcher) TeamsEntered(ctx context.Context, seasons []SeasonID) error {
	var teams []sport.ID
	for _, s := range seasons {
		f.World.Entered.Both(s, func(id sport.ID) { teams = append(teams, id) })
	}
	return f.Teams(ctx, teams)
}

// TeamsOfTables reads the teams that tables and ties of seasons name: those
// entered, those of given rows, and those that play, entered or not.
func (f *Fetcher) TeamsOfTables(ctx context.Context, seasons []SeasonID) error {
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
	for _, s := range seasons {
		f.World.Played.Both(s, func(id sport.ID) {
			for _, v := range []View{Before, After} {
				if m := f.World.Result(v, id); m != nil {
					named = append(named, m.HomeTeamID, m.AwayTeamID)
				}
			}
		})
	}
	if err := f.Teams(ctx, named); err != nil {
		return err
	}
	return f.TeamsEntered(ctx, seasons)
}
