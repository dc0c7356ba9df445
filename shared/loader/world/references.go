package world

import (
	"context"
	"iter"
	"slices"

	"touchline/shared/sport"
)

// What records name. Each function reads the records it is given and yields what these
// name in either view, some more than once.

// Named yields what records name, without what is empty.
func Named[T any, K comparable](all iter.Seq[*T], named func(*T) []K) iter.Seq[K] {
	return func(yield func(K) bool) {
		var none K
		for x := range all {
			for _, k := range named(x) {
				if k != none && !yield(k) {
					return
				}
			}
		}
	}
}

// inCompetition are a season, or none where it is of no competition.
func inCompetition(s SeasonID) []SeasonID {
	if s.ID == "" {
		return nil
	}
	return []SeasonID{s}
}

// ParentsOf are the organizations directly above some.
func (f *Fetcher) ParentsOf(ctx context.Context, organizations []sport.ID) iter.Seq[sport.ID] {
	return Named(f.Organizations(ctx, organizations), func(o *Organization) []sport.ID { return o.Parents() })
}

// WithAncestors reads organizations and everything above them. It returns what is above.
func (f *Fetcher) WithAncestors(ctx context.Context, organizations []sport.ID) []sport.ID {
	var above Set[sport.ID]
	for len(organizations) > 0 {
		organizations = above.New(f.ParentsOf(ctx, organizations))
	}
	return above.Keys()
}

// SeasonsIn are all seasons of competitions.
func (f *Fetcher) SeasonsIn(ctx context.Context, competitions []sport.ID) iter.Seq[SeasonID] {
	f.Competitions(ctx, competitions)
	return slices.Values(f.World.yearsOf(competitions...))
}

// Seasons reads seasons, and yields them as they are in each view.
func (f *Fetcher) Seasons(ctx context.Context, seasons []SeasonID) iter.Seq[*Competition] {
	f.Competitions(ctx, CompetitionsIn(seasons).Keys())
	return f.World.Competitions.Both(seasons...)
}

// OwnersOf are the organizations that own seasons.
func (f *Fetcher) OwnersOf(ctx context.Context, seasons []SeasonID) iter.Seq[sport.ID] {
	return Named(f.Seasons(ctx, seasons), func(c *Competition) []sport.ID { return []sport.ID{c.OrganizationID} })
}

// ParentSeasonsOf are the seasons whose playoffs or playouts some are.
func (f *Fetcher) ParentSeasonsOf(ctx context.Context, seasons []SeasonID) iter.Seq[SeasonID] {
	return Named(f.Seasons(ctx, seasons), func(c *Competition) []SeasonID { return inCompetition(c.ParentSeason()) })
}

// StagesIn are the playoffs and playouts of seasons.
func (f *Fetcher) StagesIn(ctx context.Context, seasons []SeasonID) iter.Seq[SeasonID] {
	f.Competitions(ctx, slices.Collect(f.StagesOf(ctx, CompetitionsIn(seasons).Keys())))
	var stages []SeasonID
	for _, s := range seasons {
		for child := range f.World.Stages.Both(s.ID) {
			stages = append(stages, SeasonID{ID: child, Season: s.Season})
		}
	}
	return slices.Values(stages)
}

// OwnersOfTeams are the organizations that own teams.
func (f *Fetcher) OwnersOfTeams(ctx context.Context, teams []sport.ID) iter.Seq[sport.ID] {
	return Named(f.Teams(ctx, teams), func(t *Team) []sport.ID { return []sport.ID{t.OrganizationID} })
}

// SeasonsOfTeams are those that teams are entered in.
func (f *Fetcher) SeasonsOfTeams(ctx context.Context, teams []sport.ID) iter.Seq[SeasonID] {
	return Named(f.Teams(ctx, teams), func(t *Team) []SeasonID { return inCompetition(t.SeasonID()) })
}

// TeamsOfPlayers are those that players belong to.
func (f *Fetcher) TeamsOfPlayers(ctx context.Context, players []sport.ID) iter.Seq[sport.ID] {
	return Named(f.Players(ctx, players), func(x *Player) []sport.ID { return []sport.ID{x.TeamID} })
}

// SeasonsOfPlayers are those in whose matches players appear.
func (f *Fetcher) SeasonsOfPlayers(ctx context.Context, players []sport.ID) iter.Seq[SeasonID] {
	return Named(f.Players(ctx, players), func(x *Player) []SeasonID { return x.Lineups })
}

// TeamsOfMatches are those that play matches.
func (f *Fetcher) TeamsOfMatches(ctx context.Context, matches []sport.ID) iter.Seq[sport.ID] {
	return Named(f.Matches(ctx, matches), func(m *Match) []sport.ID { return []sport.ID{m.HomeTeamID, m.AwayTeamID} })
}

// SeasonsOfMatches are those that matches are played in.
func (f *Fetcher) SeasonsOfMatches(ctx context.Context, matches []sport.ID) iter.Seq[SeasonID] {
	return Named(f.Matches(ctx, matches), func(m *Match) []SeasonID { return inCompetition(m.SeasonID()) })
}

// TeamsPlayingIn are those that play in seasons, entered or not.
func (f *Fetcher) TeamsPlayingIn(ctx context.Context, seasons []SeasonID) iter.Seq[sport.ID] {
	var teams []sport.ID
	for id := range f.PlayedIn(ctx, seasons) {
		for _, v := range []View{Before, After} {
			if m := f.World.Result(v, id); m != nil {
				teams = append(teams, m.HomeTeamID, m.AwayTeamID)
			}
		}
	}
	return slices.Values(teams)
}

// TeamsGivenIn are those that the given tables of seasons name.
func (f *Fetcher) TeamsGivenIn(ctx context.Context, seasons []SeasonID) iter.Seq[sport.ID] {
	f.Competitions(ctx, CompetitionsIn(seasons).Keys())
	var ids []TableID
	for _, s := range seasons {
		for _, table := range sport.TableNames() {
			ids = append(ids, TableID{s, table})
		}
	}
	return Named(f.World.Tables.Both(ids...), func(t *sport.GivenTable) []sport.ID {
		var teams []sport.ID
		for _, row := range t.Rows {
			teams = append(teams, row.TeamID)
		}
		return teams
	})
}

// Present are those of the ids that are not empty.
func Present(ids []sport.ID) []sport.ID {
	return slices.DeleteFunc(slices.Clone(ids), func(id sport.ID) bool { return id == "" })
}
