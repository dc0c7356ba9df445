package export

import (
	"context"
	"fmt"
	"slices"
	"time"

	"touchline/shared/dataset"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

func (r *run) matches(ctx context.Context) error {
	of := func(w *world.World) *world.Entities[sport.ID, world.Match] { return &w.Matches }
	return inChunks(ctx, r, sport.KindMatch, "matches", &r.report.Matches, of, func(m *world.Match) error {
		rec, err := m.Given()
		if err != nil {
			return err
		}
		r.rename(&rec.Value)
		v := &rec.Value.Base
		return put(r, rec, string(v.CompetitionID), fmt.Sprint(v.Season), v.Kickoff.Format(time.RFC3339))
	})
}

// rename puts keys in the place of the ids that a match refers to, and leaves
// out a winner that follows from the rest: it would outlive a corrected score.
func (r *run) rename(match *dataset.Match) {
	m := &match.Base
	m.CompetitionID, m.GroupID = r.called(m.CompetitionID), r.called(m.GroupID)
	m.HomeTeamID, m.AwayTeamID = r.called(m.HomeTeamID), r.called(m.AwayTeamID)
	world.LeaveOutWinner(m)
	if l := m.Lineups; l != nil {
		for _, entries := range l.Lists() {
			for i := range entries {
				entries[i].PlayerID = r.called(entries[i].PlayerID)
			}
		}
	}
	m.Events = slices.Clone(m.Events)
	for i := range m.Events {
		e := &m.Events[i]
		e.PlayerID, e.AssistID = r.called(e.PlayerID), r.called(e.AssistID)
		e.PlayerInID, e.PlayerOutID = r.called(e.PlayerInID), r.called(e.PlayerOutID)
	}
}
