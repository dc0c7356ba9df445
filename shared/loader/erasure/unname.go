// Package erasure removes what is kept beside records that are erased (D64): a player from
// the line-ups and events of matches, and from what the table keeps of loads all that says
// something of such a record. Of loads nothing is rewritten: reports hold no text, and a way
// back loses the record, or goes whole.
package erasure

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/loader/change"
	"touchline/shared/loader/integrity"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
)

// unnamed takes the players that a dataset erases out of the stored matches that name
// them, and returns these matches. A player of a line-up keeps number and position.
func unnamed(ctx context.Context, l *integrity.Checker, c *change.Changes, erased []dataset.Target) ([]sport.ID, error) {
	w := l.World
	naming := map[sport.ID][]*world.Player{}
	for _, t := range erased {
		was := w.Players.At(world.Before, t.ID)
		if t.Kind != sport.KindPlayer || was == nil {
			continue
		}
		matches, err := l.Naming(ctx, was)
		if err != nil {
			return nil, err
		}
		for _, id := range matches {
			naming[id] = append(naming[id], was)
		}
	}
	ids := slices.Sorted(maps.Keys(naming))
	for _, id := range ids {
		was := w.Matches.At(world.Before, id)
		full, err := was.Full()
		if err != nil {
			return nil, err
		}
		for _, x := range naming[id] {
			unname(&full, x)
		}
		is := world.NewMatch(full, nil)
		is.Key = was.Key
		c.SetMatch(&dataset.Record[dataset.Match]{ID: id, Key: string(id), Value: dataset.Match{Base: full}}, is)
	}
	return ids, nil
}

// unname takes a player out of a match, whose details nobody else has.
func unname(m *sport.Match, x *world.Player) {
	if l := m.Lineups; l != nil {
		for _, entries := range l.Lists() {
			for i := range entries {
				if e := &entries[i]; e.PlayerID == x.ID {
					e.PlayerID, e.Number, e.Position = "", cmp.Or(e.Number, x.NumberAt(m.Kickoff)), cmp.Or(e.Position, x.Position)
				}
			}
		}
	}
	for i := range m.Events {
		for _, id := range []*sport.ID{&m.Events[i].PlayerID, &m.Events[i].AssistID, &m.Events[i].PlayerInID, &m.Events[i].PlayerOutID} {
			if *id == x.ID {
				*id = ""
			}
		}
	}
}
