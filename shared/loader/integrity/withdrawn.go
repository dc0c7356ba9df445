package integrity

import (
	"context"
	"fmt"

	"touchline/shared/dataset"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// withdrawals checks that the teams that withdraw from a season are entered in it.
func (l *Checker) withdrawals(ctx context.Context, given []*dataset.Record[sport.Competition]) {
	for _, r := range given {
		id := world.SeasonID{ID: r.ID, Season: r.Value.Season}
		for i, x := range r.Value.Withdrawals {
			l.Fetch.Teams(ctx, []sport.ID{x.TeamID})
			if t := l.World.Teams.At(world.After, x.TeamID); t == nil || t.SeasonID() != id {
				l.fault(r.Origin, fmt.Sprintf("withdrawals[%d].teamId", i), "%s is not entered in season %d of the competition", l.called(sport.KindTeam, x.TeamID), id.Season)
			}
		}
	}
}

// entered checks that a team leaving a season has not withdrawn from it.
func (l *Checker) entered(ctx context.Context, given []*dataset.Record[sport.Team]) {
	w := l.World
	for _, r := range given {
		was, is := w.Teams.At(world.Before, r.ID), w.Teams.At(world.After, r.ID)
		if was == nil || was.CompetitionID == "" || is != nil && is.SeasonID() == was.SeasonID() {
			continue
		}
		l.Fetch.Competitions(ctx, []sport.ID{was.CompetitionID})
		if c := w.Competitions.At(world.After, was.SeasonID()); c != nil && c.Withdrew(r.ID) {
			l.fault(r.Origin, "id", "is in the withdrawals of season %d of %s, which stays", was.Season, l.called(sport.KindCompetition, c.ID))
		}
	}
}
