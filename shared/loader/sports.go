package loader

import (
	"context"

	"touchline/shared/dataset"
	"touchline/shared/dataset/relations"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// ofOtherSports are the records of a set that have what the sport of their competition
// does not (D61).
func (r *run) ofOtherSports(ctx context.Context, set *dataset.Set) ([]dataset.Fault, error) {
	w := r.world
	stored := relations.Stored{
		Current: w.CurrentSeason,
		Season: func(id sport.ID, season int) *sport.Competition {
			if c := w.Competitions.At(world.Before, world.SeasonID{ID: id, Season: season}); c != nil {
				return &c.Competition
			}
			return nil
		},
		Team: func(id sport.ID) *sport.Team {
			if t := w.Teams.At(world.Before, id); t != nil {
				return &t.Team
			}
			return nil
		},
	}
	if !r.empty {
		competitions, teams := relations.Needs(set)
		r.fetch.Teams(ctx, teams)
		for _, id := range teams {
			if t := stored.Team(id); t != nil && t.CompetitionID != "" {
				competitions = append(competitions, t.CompetitionID)
			}
		}
		r.fetch.Competitions(ctx, competitions)
	}
	return relations.Faults(set, stored), r.fetch.Err()
}
