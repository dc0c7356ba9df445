package integrity

import (
	"context"
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
