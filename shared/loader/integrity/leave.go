package integrity

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/loader/history"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// counts reports whether a match of a status is a result, or becomes one.
func counts(s sport.MatchStatus) bool { return s == sport.Finished || s == sport.Live }

// leaving finds the entries that leave a season in which they have matches that are finished
// or live, whatever becomes of these (D83). It returns the seasons that they leave.
func (l *Checker) leaving(ctx context.Context, given []*dataset.Record[sport.Team]) map[sport.ID]world.SeasonID {
	w, left, keys := l.World, map[sport.ID]world.SeasonID{}, map[world.SeasonID][]string{}
	for _, r := range given {
		t, is := w.Teams.At(world.Before, r.ID), w.Teams.At(world.After, r.ID)
		if t == nil || is == nil || t.CompetitionID == "" || is.SeasonID() == t.SeasonID() {
			continue
		}
		n := 0
		l.Fetch.FixturesOf(ctx, []sport.ID{t.ID})
		for id := range w.Fixtures.In(world.Before, t.ID) {
			if m := w.Listed(world.Before, id); m != nil && counts(m.Status) && m.Competition != nil && m.Competition.ID == t.CompetitionID && m.Season == t.Season {
				n++
			}
		}
		if from := t.SeasonID(); n > 0 {
			left[t.ID], keys[from] = from, append(keys[from], fmt.Sprintf("%s (%d)", l.called(sport.KindTeam, t.ID), n))
		}
	}
	for from, keys := range keys {
		l.take("teams", "out of "+l.seasonOf(ctx, from), keys)
	}
	return left
}

// take notes what leaves its table.
func (l *Checker) take(kind, what string, keys []string) {
	slices.Sort(keys)
	l.Moved = append(l.Moved, history.Taken{Kind: kind, What: what, Records: len(keys), First: keys[:min(len(keys), history.MaxShown)]})
}

// seasonOf says which season of which competition, without its name: the history keeps it.
func (l *Checker) seasonOf(ctx context.Context, id world.SeasonID) string {
	l.Fetch.Competitions(ctx, []sport.ID{id.ID})
	return fmt.Sprintf("season %d of competition %q", id.Season, l.Given(id.ID))
}

// moved finds the stored matches, finished or live, that leave their competition and season or
// get other teams (D88). Left are entries that leave: those count for their matches.
func (l *Checker) moved(ctx context.Context, left map[sport.ID]world.SeasonID) {
	w := l.World
	type move struct {
		from  world.SeasonID
		teams bool
	}
	keys := map[move][]string{}
	for _, id := range w.Matches.Changes() {
		was, is := w.Matches.At(world.Before, id), w.Matches.At(world.After, id)
		if was == nil || is == nil || !counts(was.Status) {
			continue
		}
		from := was.SeasonID()
		leaves := from.ID != "" && is.SeasonID() != from
		if !leaves && is.HomeTeamID == was.HomeTeamID && is.AwayTeamID == was.AwayTeamID || from.ID != "" && (left[was.HomeTeamID] == from || left[was.AwayTeamID] == from) {
			continue
		}
		to := move{from, !leaves}
		keys[to] = append(keys[to], l.Given(id))
	}
	for to, keys := range keys {
		what := "out of "
		if to.teams {
			what = "to other teams in "
		}
		if to.from.ID == "" {
			what += "friendlies"
		} else {
			what += l.seasonOf(ctx, to.from)
		}
		l.take("matches", what, keys)
	}
	slices.SortFunc(l.Moved, func(a, b history.Taken) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.What, b.What)) })
}
