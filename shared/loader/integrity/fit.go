package integrity

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// groupsFit checks the groups of teams and matches whose season was left out. Which season
// it is, is known only now.
func (l *Checker) groupsFit(set *dataset.Set) {
	fits := func(at dataset.Origin, in world.SeasonID, group sport.ID) {
		if world.GroupName(l.World.Competitions.At(world.After, in), group) == "" {
			l.fault(at, "group", "is not a group of season %d of %s", in.Season, l.called(sport.KindCompetition, in.ID))
		}
	}
	for _, t := range set.Teams {
		if v := &t.Value; !t.Deleted && v.GroupID != "" {
			fits(t.Origin, world.SeasonID{ID: v.CompetitionID, Season: v.Season}, v.GroupID)
		}
	}
	for _, m := range set.Matches.All() {
		if v := &m.Value.Base; !m.Deleted && v.GroupID != "" {
			l.Resolve(m)
			fits(m.Origin, world.SeasonID{ID: v.CompetitionID, Season: v.Season}, v.GroupID)
		}
	}
}

// entriesFit bounds the teams of a competition's season (D47), those that are
// stored included. Only seasons that a team enters can grow beyond it.
func (l *Checker) entriesFit(ctx context.Context, teams []*dataset.Record[sport.Team]) {
	w := l.World
	entering := map[world.SeasonID]dataset.Origin{} // the last that enters
	for _, t := range teams {
		is, was := w.Teams.At(world.After, t.ID), w.Teams.At(world.Before, t.ID)
		if is != nil && is.CompetitionID != "" && (was == nil || was.SeasonID() != is.SeasonID()) {
			entering[is.SeasonID()] = t.Origin
		}
	}
	seasons := slices.SortedFunc(maps.Keys(entering), world.SeasonID.Compare)
	l.Fetch.EnteredIn(ctx, seasons)
	for _, s := range seasons {
		n := 0
		for range w.Entered.In(world.After, s) {
			n++
		}
		if n > dataset.MaxTeams {
			l.fault(entering[s], "competitionId", "has %d teams in season %d with this dataset, more than %d", n, s.Season, dataset.MaxTeams)
		}
	}
}

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
