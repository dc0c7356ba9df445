package division

import (
	"context"
	"math"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/dataset/ids"
	"touchline/shared/loader/world"
	"touchline/shared/sport"
	"touchline/shared/store"
)

// Change says of which part the records are that a load changes. The parts share
// nothing, neither in the table as it is nor as it will be.
type Change struct {
	parts int
	of    map[ids.Packed]int32
}

// readAtOnce is how many matches are unpacked at once.
const readAtOnce = 1000

// OfChange divides the changes in a world, which make the table hold the set and nothing
// else. A part with changes has at least size records of the set.
//
// The set says how records are joined that stay as they are. For records that change or
// go, the table says what they referred to before.
func OfChange(ctx context.Context, set *dataset.Set, w *world.World, table *store.Table, size int) (*Change, error) {
	j := newJoints()
	if err := j.joinStored(ctx, w, table); err != nil {
		return nil, err
	}
	size = max(size, 1)
	changed := len(j.above) // nodes of what changes come first
	if len(w.Organizations.Changes()) > 0 {
		changed = math.MaxInt // what is below them changes as well
	}
	weights := map[int32]int{}
	nodes := j.join(set)
	j.joinAll(set, nodes)
	for _, of := range nodes.kinds() {
		for _, node := range *of {
			if node != none {
				weights[j.find(node)]++
			}
		}
	}
	c, parts, gathered := &Change{of: j.nodes}, map[int32]int32{}, size
	for node := range j.above {
		root := j.find(int32(node))
		if _, known := parts[root]; known {
			continue
		}
		if gathered >= size {
			c.parts++
			gathered = 0
		}
		parts[root] = int32(c.parts - 1) //nolint:gosec // fewer than records
		if node < changed {
			gathered += max(weights[root], 1)
		}
	}
	for id, node := range c.of {
		c.of[id] = parts[j.find(node)]
	}
	return c, nil
}

// joinStored joins what changes with what it refers to in the table.
func (j *joints) joinStored(ctx context.Context, w *world.World, table *store.Table) error {
	for _, id := range w.Competitions.Changes() {
		j.joined(id.ID)
		if was := w.Competitions.At(world.Before, id); was != nil {
			j.joined(id.ID, was.ParentID)
		}
	}
	for _, id := range w.Teams.Changes() {
		j.joined(id)
		if was := w.Teams.At(world.Before, id); was != nil {
			j.joined(id, was.CompetitionID)
		}
	}
	for _, id := range w.Players.Changes() {
		j.joined(id)
		if was := w.Players.At(world.Before, id); was != nil {
			j.joined(id, was.TeamID)
		}
	}
	for _, id := range w.Tables.Changes() {
		j.joined(id.ID)
		if was := w.Tables.At(world.Before, id); was != nil {
			for _, row := range was.Rows {
				j.joined(id.ID, row.TeamID)
			}
		}
	}
	for matches := range slices.Chunk(w.Matches.Changes(), readAtOnce) {
		some := &world.Fetcher{Table: table, World: world.NewWorld()}
		some.Matches(ctx, matches)
		some.Details(ctx, matches)
		if err := some.Err(); err != nil {
			return err
		}
		for _, id := range matches {
			j.joined(id)
			was := some.World.Matches.At(world.Before, id)
			if was == nil {
				continue
			}
			full, err := was.Full()
			if err != nil {
				return err
			}
			j.joined(append(full.Involved(), id, full.HomeTeamID, full.AwayTeamID, full.CompetitionID)...)
		}
	}
	return nil
}

// Parts is how many there are.
func (c *Change) Parts() int { return c.parts }

// Of is the part of a record; false: it is of none, and nothing of it changes.
func (c *Change) Of(id sport.ID) (part int, ok bool) {
	n, ok := c.of[ids.Pack(id)]
	return int(n), ok
}

// Divide divides the records of a part that a world changes by the parts that they
// are of. Organizations are of none.
func (c *Change) Divide(all *dataset.Part, w *world.World) []dataset.Part {
	parts := make([]dataset.Part, c.parts)
	competitions := world.Set[sport.ID]{}
	for _, id := range w.Competitions.Changes() {
		competitions.Add(id.ID)
	}
	for _, x := range all.Competitions {
		if p := c.in(parts, x.ID); p != nil && competitions.Has(x.ID) {
			p.Competitions = append(p.Competitions, x)
		}
	}
	for _, x := range all.Teams {
		if p := c.in(parts, x.ID); p != nil && w.Teams.WillChange(x.ID) {
			p.Teams = append(p.Teams, x)
		}
	}
	for _, x := range all.Players {
		if p := c.in(parts, x.ID); p != nil && w.Players.WillChange(x.ID) {
			p.Players = append(p.Players, x)
		}
	}
	for _, x := range all.Matches {
		if p := c.in(parts, x.ID); p != nil && w.Matches.WillChange(x.ID) {
			p.Matches = append(p.Matches, x)
		}
	}
	for _, x := range all.Standings {
		t := &x.Value
		id := world.TableID{SeasonID: world.SeasonID{ID: t.CompetitionID, Season: t.Season}, Table: t.Table}
		if p := c.in(parts, t.CompetitionID); p != nil && w.Tables.WillChange(id) {
			p.Standings = append(p.Standings, x)
		}
	}
	return parts
}

// in is the part of a record; nil: it is of none.
func (c *Change) in(parts []dataset.Part, id sport.ID) *dataset.Part {
	if n, ok := c.Of(id); ok {
		return &parts[n]
	}
	return nil
}
