// Package division divides a dataset into parts that a load computes one after the
// other, so that its memory follows the largest part and not the dataset.
//
// What a record looks like and which lists it is in depends on the records that it
// refers to, on those that refer to it, and on what those refer to. So records that
// are joined by references are of one part: a competition with its parent, its
// teams, their players, the matches, and whoever a match lists or names. Only
// organizations join nothing, since nearly everything is below one: they are few,
// and every part has all of them around it.
//
// # Invariants
//
//   - No record of a part refers to a record of another part, organizations
//     excepted.
//   - Every record but organizations and deletions is of one part.
//
// # Why
//
// Parts that depend on each other could be of any size, but would have to be
// computed one after the other, each on top of what those before it have made of
// the table. That needs a table in the table's place, on disk, that can be asked
// for any record and any list. Parts that do not depend on each other need nothing,
// in any order. What speaks against them is a federation in which one player is in
// the line-ups of two competitions, and one of each of these in a third: such
// competitions are one part, and take the memory of one.
package division

import (
	"iter"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/dataset/ids"
	"touchline/shared/sport"
)

// Part says which records of a set are of a part, by their places among those of
// their kind, in order.
type Part struct {
	Competitions, Teams, Players, Matches, Standings []int32
}

// Len is how many records there are.
func (p *Part) Len() int {
	return len(p.Competitions) + len(p.Teams) + len(p.Players) + len(p.Matches) + len(p.Standings)
}

// Divide divides a set into parts of at least so many records, except for the
// last. Deletions are left out.
func Divide(set *dataset.Set, size int) []Part {
	j := newJoints()
	places := map[int32]int{} // in parts, by the node that stands for a group of records
	var groups []Part
	for _, k := range j.join(set) {
		for place, node := range k.nodes {
			if node == none {
				continue
			}
			root := j.find(node)
			at, known := places[root]
			if !known {
				at = len(groups)
				places[root] = at
				groups = append(groups, Part{})
			}
			of := k.of(&groups[at])
			*of = append(*of, int32(place))
		}
	}
	return gather(groups, size)
}

// gather puts small groups together.
func gather(groups []Part, size int) []Part {
	var parts []Part
	for _, g := range groups {
		if n := len(parts); n > 0 && parts[n-1].Len() < size {
			parts[n-1].add(&g)
			continue
		}
		parts = append(parts, g)
	}
	for i := range parts {
		for _, k := range parts[i].kinds() {
			slices.Sort(*k)
		}
	}
	return parts
}

func (p *Part) kinds() []*[]int32 {
	return []*[]int32{&p.Competitions, &p.Teams, &p.Players, &p.Matches, &p.Standings}
}

func (p *Part) add(o *Part) {
	for i, k := range p.kinds() {
		*k = append(*k, *o.kinds()[i]...)
	}
}

// none is the node of a deletion.
const none int32 = -1

// joints join the records that refer to each other: a forest, in which all that is
// joined has one root. Competitions, teams, and what of the table was joined have a
// node; what belongs to one of them is known by it.
type joints struct {
	nodes map[ids.Packed]int32
	above []int32 // of each node; a root is above itself
}

// kind is the node of every record of a kind.
type kind struct {
	nodes []int32
	of    func(*Part) *[]int32
}

func newJoints() *joints { return &joints{nodes: map[ids.Packed]int32{}} }

func (j *joints) node(id sport.ID) int32 {
	p := ids.Pack(id)
	n, known := j.nodes[p]
	if !known {
		n = int32(len(j.above)) //nolint:gosec // records are counted in millions
		j.nodes[p] = n
		j.above = append(j.above, n)
	}
	return n
}

func (j *joints) find(n int32) int32 {
	for j.above[n] != n {
		j.above[n] = j.above[j.above[n]]
		n = j.above[n]
	}
	return n
}

// joined joins what is not empty, and returns the node of the first of them.
func (j *joints) joined(of ...sport.ID) int32 {
	first := none
	for _, id := range of {
		switch {
		case id == "":
		case first == none:
			first = j.node(id)
		default:
			j.unite(first, j.node(id))
		}
	}
	return first
}

// known joins a node with that of a record, if the record has one.
func (j *joints) known(node int32, id ids.Packed) {
	if n, known := j.nodes[id]; known {
		j.unite(n, node)
	}
}

// join joins all records of a set.
func (j *joints) join(set *dataset.Set) []kind {
	competitions := nodesOf(set.Competitions, func(x *sport.Competition) int32 { return j.joined(x.ID, x.ParentID) })
	teams := nodesOf(set.Teams, func(x *sport.Team) int32 { return j.joined(x.ID, x.CompetitionID) })
	matches := make([]int32, 0, set.Matches.Len())
	listed := map[ids.Packed]int32{} // players that matches list or name: a node of the match
	for _, x := range set.Matches.All() {
		if x.Deleted {
			matches = append(matches, none)
			continue
		}
		m := x.Value.Full()
		node := j.joined(m.HomeTeamID, m.AwayTeamID, m.CompetitionID)
		j.known(node, ids.Pack(x.ID))
		for _, player := range m.Involved() {
			of := ids.Pack(player)
			j.known(node, of)
			other, known := listed[of]
			if !known {
				listed[of] = node
				continue
			}
			j.unite(other, node)
		}
		matches = append(matches, node)
	}
	players := make([]int32, 0, set.Players.Len())
	for _, x := range set.Players.All() {
		if x.Deleted {
			players = append(players, none)
			continue
		}
		node := j.joined(x.Value.TeamID)
		j.known(node, ids.Pack(x.ID))
		if other, known := listed[ids.Pack(x.ID)]; known {
			j.unite(other, node)
		}
		players = append(players, node)
	}
	standings := nodesOf(set.Standings, func(x *sport.GivenTable) int32 {
		of := []sport.ID{x.CompetitionID}
		for _, row := range x.Rows {
			of = append(of, row.TeamID)
		}
		return j.joined(of...)
	})
	return []kind{
		{competitions, func(p *Part) *[]int32 { return &p.Competitions }},
		{teams, func(p *Part) *[]int32 { return &p.Teams }},
		{players, func(p *Part) *[]int32 { return &p.Players }},
		{matches, func(p *Part) *[]int32 { return &p.Matches }},
		{standings, func(p *Part) *[]int32 { return &p.Standings }},
	}
}

// unite joins two nodes. The earlier root stays one.
func (j *joints) unite(a, b int32) {
	a, b = j.find(a), j.find(b)
	j.above[max(a, b)] = min(a, b)
}

func nodesOf[T dataset.Entity](records []*dataset.Record[T], node func(*T) int32) []int32 {
	nodes := make([]int32, len(records))
	for i, x := range records {
		nodes[i] = none
		if !x.Deleted {
			nodes[i] = node(&x.Value)
		}
	}
	return nodes
}

// Of unpacks the records of a part.
func (p *Part) Of(set *dataset.Set) *dataset.Part {
	return &dataset.Part{
		Competitions: chosen(p.Competitions, func(i int) *dataset.Record[sport.Competition] { return set.Competitions[i] }),
		Teams:        chosen(p.Teams, func(i int) *dataset.Record[sport.Team] { return set.Teams[i] }),
		Players:      chosen(p.Players, set.Players.At),
		Matches:      chosen(p.Matches, set.Matches.At),
		Standings:    chosen(p.Standings, func(i int) *dataset.Record[sport.GivenTable] { return set.Standings[i] }),
	}
}

func chosen[T dataset.Entity](places []int32, at func(int) *dataset.Record[T]) []*dataset.Record[T] {
	records := make([]*dataset.Record[T], len(places))
	for i, place := range places {
		records[i] = at(int(place))
	}
	return records
}

// Deletions are those of all records but organizations.
func Deletions(set *dataset.Set) *dataset.Part {
	return &dataset.Part{
		Competitions: deleted(slices.Values(set.Competitions)), Teams: deleted(slices.Values(set.Teams)),
		Players: deleted(values(&set.Players)), Matches: deleted(values(&set.Matches)), Standings: deleted(slices.Values(set.Standings)),
	}
}

func values[T dataset.Entity](records *dataset.Records[T]) iter.Seq[*dataset.Record[T]] {
	return func(yield func(*dataset.Record[T]) bool) {
		for _, x := range records.All() {
			if !yield(x) {
				return
			}
		}
	}
}

func deleted[T dataset.Entity](records iter.Seq[*dataset.Record[T]]) []*dataset.Record[T] {
	var all []*dataset.Record[T]
	for x := range records {
		if x.Deleted {
			all = append(all, x)
		}
	}
	return all
}
