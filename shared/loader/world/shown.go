package world

import (
	"context"
	"slices"

	"touchline/shared/sport"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// Shows reports whether a stored match that was read shows a player: then the
// player is stored.
func (w *World) Shows(id sport.ID) bool { return w.shown[id] != nil }

// ShownIn reads the events and the published line-ups of stored matches, for the
// players that they show: two items, and not forty players. The matches must have been
// fetched. What is read holds for a player who is not fetched otherwise: what shows of
// a player changes with the player or the team, and then the player is.
func (f *Fetcher) ShownIn(ctx context.Context, matches []sport.ID) {
	var squads, events []store.Key
	for _, id := range matches {
		if m := f.World.Matches.At(Before, id); m == nil || len(m.DetailHash) == 0 {
			continue
		}
		events, squads = append(events, records.EventsKey(id)), append(squads, records.LineupsKey(id))
	}
	readShown(ctx, f, squads, f.World.showSquads)
	readShown(ctx, f, events, f.World.showEvents)
}

// readShown reads records that show players, unless it has read them before.
func readShown[R any](ctx context.Context, f *Fetcher, keys []store.Key, show func(*R)) {
	keys = slices.DeleteFunc(keys, f.World.shownIn.Has)
	f.World.shownIn.Add(keys...)
	for _, r := range decoded[store.Key, R](ctx, f, keys, func(k store.Key) store.Key { return k }) {
		show(r)
	}
}

func (w *World) showSquads(r *records.LineupsRecord) {
	for _, players := range [][]records.LineupPlayer{r.Home.Starting, r.Home.Bench, r.Away.Starting, r.Away.Bench} {
		for i := range players {
			w.show(&players[i].PlayerRef)
		}
	}
}

func (w *World) showEvents(r *records.EventsRecord) {
	for _, e := range r.Events {
		for _, ref := range []*records.PlayerRef{e.Player, e.Assist, e.PlayerIn, e.PlayerOut} {
			if ref != nil {
				w.show(ref)
			}
		}
	}
}

// show notes a player by a copy, which keeps nothing else in memory.
func (w *World) show(ref *records.PlayerRef) {
	if ref.ID != "" && w.shown[ref.ID] == nil {
		assign(&w.shown, ref.ID, new(*ref))
	}
}
