package loader

import (
	"fmt"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
	"touchline/shared/loader/affected"
	"touchline/shared/loader/history"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// shown says which of the affected records nobody sees in the view before, and somebody in
// the view after (D74). Who is hidden is decided by package world, so that it does not matter
// which record of the dataset shows them: it may be a team that moves to an open league.
func (b *base) shown(a *affected.Records, called func(sport.ID) string) (all []history.Shown) {
	if b.empty {
		return nil
	}
	w := b.world
	var seasons []world.SeasonID
	for id := range a.Competitions {
		for year := range w.Seasons.Both(id) {
			seasons = append(seasons, world.SeasonID{ID: id, Season: year})
		}
	}
	season := func(s world.SeasonID) string { return fmt.Sprint(called(s.ID), " ", s.Season) }
	for i, keys := range [][]string{
		files.Organizations: nowSeen(&w.Organizations, a.Organizations.Keys(), called, func(_ world.View, o *world.Organization) bool { return o.Unseen }),
		files.Competitions:  nowSeen(&w.Competitions, seasons, season, func(_ world.View, c *world.Competition) bool { return !c.Public() }),
		files.Teams:         nowSeen(&w.Teams, a.Teams.Keys(), called, func(_ world.View, t *world.Team) bool { return !t.Public() }),
		files.Players:       nowSeen(&w.Players, a.Players.Keys(), called, func(v world.View, x *world.Player) bool { return !w.Visible(v, x) }),
		files.Matches:       nowSeen(&w.Matches, a.Matches.Keys(), called, w.NamesNobody),
	} {
		if n := len(keys); n > 0 {
			slices.Sort(keys)
			all = append(all, history.Shown{Kind: files.Kind(i).String(), Records: n, Keys: keys[:min(n, history.MaxShown)]})
		}
	}
	return all
}

// nowSeen are the keys of those records that are hidden in the view before and not after.
func nowSeen[K comparable, E any](e *world.Entities[K, E], ids []K, called func(K) string, hidden func(world.View, *E) bool) (keys []string) {
	for _, id := range ids {
		was, is := e.At(world.Before, id), e.At(world.After, id)
		if was != nil && is != nil && hidden(world.Before, was) && !hidden(world.After, is) {
			keys = append(keys, called(id))
		}
	}
	return keys
}

// strictly are the faults of a load that must show nobody, and expose nobody.
func (f *found) strictly() *dataset.Faults {
	faults := &dataset.Faults{}
	faults.Merge(f.exposed.Faults())
	for _, s := range f.shown {
		faults.Add(dataset.Fault{Message: fmt.Sprintf("shows hidden %s: %s", s.Kind, s.Named())})
	}
	return faults
}
