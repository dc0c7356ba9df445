package loader

import (
	"context"
	"slices"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// Warnings that need the table: what is odd in a dataset but possible (D51).
// The others are found where the dataset is read.

// warn adds a warning; a load that is finished from its journal has none.
func (r *run) warn(warnings ...dataset.Fault) {
	if r.warnings == nil {
		return
	}
	for _, w := range warnings {
		r.warnings.Add(w)
	}
}

// warnOfMissing warns of deletions of what is not stored.
func (r *run) warnOfMissing(set *dataset.Set) {
	w := r.world
	missing := func(deleted, stored bool, at dataset.Origin, field string) {
		if deleted && !stored {
			r.warn(dataset.Fault{File: at.File, Line: at.Line, Field: field, Message: "deletes what is not stored"})
		}
	}
	for _, x := range set.Organizations {
		missing(x.Deleted, w.Organizations.At(world.Before, x.ID) != nil, x.Origin, "id")
	}
	for _, x := range set.Competitions {
		missing(x.Deleted, anySeason(w, x.ID, x.Value.Season, func(*world.Competition) bool { return true }), x.Origin, "id")
	}
	for _, x := range set.Teams {
		missing(x.Deleted, w.Teams.At(world.Before, x.ID) != nil, x.Origin, "id")
	}
	for _, x := range set.Players {
		missing(x.Deleted, w.Players.At(world.Before, x.ID) != nil, x.Origin, "id")
	}
	for _, x := range set.Matches {
		missing(x.Deleted, w.Matches.At(world.Before, x.ID) != nil, x.Origin, "id")
	}
	for _, x := range set.Standings {
		v := &x.Value
		missing(x.Deleted, w.Tables.At(world.Before, world.TableID{SeasonID: world.SeasonID{ID: v.CompetitionID, Season: v.Season}, Table: v.Table}) != nil, x.Origin, "table")
	}
}

// warnOfOdd adds the warnings that take more than one record, the time of day or
// the table.
func (r *run) warnOfOdd(ctx context.Context, set *dataset.Set, opts Options) error {
	now := r.loader.Now
	if now == nil {
		now = time.Now
	}
	w := r.world
	stored := dataset.Stored{Team: func(id sport.ID) *sport.Team {
		if t := w.Teams.At(world.After, id); t != nil {
			return &t.Team
		}
		return nil
	}}
	if !r.empty && !opts.Replace { // else nothing is stored that the set does not hold
		var err error
		if stored.Players, err = r.storedPlayers(ctx, set); err != nil {
			return err
		}
		if stored.Matches, err = r.storedMatches(ctx, set); err != nil {
			return err
		}
	}
	r.warn(set.Odd(now(), stored)...)
	return nil
}

// storedPlayers are the stored players of the teams whose players, or their
// numbers, change.
func (r *run) storedPlayers(ctx context.Context, records *dataset.Set) ([]sport.Player, error) {
	w := r.world
	given, teams := world.Set[sport.ID]{}, world.Set[sport.ID]{}
	for _, x := range records.Players {
		given.Add(x.ID)
		was := w.Players.At(world.Before, x.ID)
		if !x.Deleted && x.Value.Number > 0 && (was == nil || was.Number != x.Value.Number || was.TeamID != x.Value.TeamID) {
			teams.Add(x.Value.TeamID)
		}
	}
	if err := r.fetch.SquadsOf(ctx, teams.Keys()); err != nil {
		return nil, err
	}
	var ids []sport.ID
	for team := range teams {
		w.Squads.Each(world.Before, team, func(id sport.ID) {
			if _, ok := given[id]; !ok {
				ids = append(ids, id)
			}
		})
	}
	slices.Sort(ids)
	if err := r.fetch.Players(ctx, ids); err != nil {
		return nil, err
	}
	var players []sport.Player
	for _, id := range ids {
		if x := w.Players.At(world.Before, id); x != nil {
			players = append(players, x.Player)
		}
	}
	return players, nil
}

// storedMatches are the stored home matches of the teams that get another.
func (r *run) storedMatches(ctx context.Context, records *dataset.Set) ([]sport.Match, error) {
	w := r.world
	given, homes := world.Set[sport.ID]{}, world.Set[sport.ID]{}
	for _, x := range records.Matches {
		given.Add(x.ID)
		if !x.Deleted && w.Matches.At(world.Before, x.ID) == nil {
			homes.Add(x.Value.Base.HomeTeamID)
		}
	}
	teams := homes.Keys()
	slices.Sort(teams)
	if err := r.fetch.FixturesOf(ctx, teams); err != nil {
		return nil, err
	}
	var matches []sport.Match
	for _, team := range teams {
		var ids []sport.ID
		w.Fixtures.Each(world.Before, team, func(id sport.ID) {
			if _, ok := given[id]; !ok {
				ids = append(ids, id)
			}
		})
		for _, id := range sorted(ids) {
			if e := w.Listed(world.Before, id); e != nil && e.Home.ID == team {
				matches = append(matches, sport.Match{ID: id, HomeTeamID: team, AwayTeamID: e.Away.ID, Kickoff: time.UnixMilli(e.Kickoff).UTC()})
			}
		}
	}
	return matches, nil
}
