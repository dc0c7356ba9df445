package loader

import (
	"context"

	"touchline/shared/sport"
)

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
