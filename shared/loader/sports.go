package loader

import (
	"context"

	"touchline/shared/dataset"
	"touchline/shared/dataset/relations"
	"touchline/shared/loader/integrity"
	"touchline/shared/loader/world"
)

// ofOtherSports are the records of a set that have what the sport of their competition
// does not (D61).
func (r *run) ofOtherSports(ctx context.Context, set *dataset.Set) ([]dataset.Fault, error) {
	stored := integrity.Stored(r.world, world.Before)
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
