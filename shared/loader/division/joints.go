package division

import (
	"cmp"
	"iter"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/dataset/ids"
	"touchline/shared/sport"
)

// none is the node of a deletion.
const none int32 = -1

// joints join the records that refer to each other: a forest, in which all that is
// joined has one root. Competitions and teams have a node; what belongs to one of them is
// known by it.
type joints struct {
	nodes map[ids.Packed]int32
	above []int32 // of each node; a root is above itself
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
	for i, id := range of {
		if id != "" {
			first := j.node(id)
			j.with(first, of[i+1:]...)
			return first
		}
	}
	return none
}

// join joins each competition with its parent, its teams, their players, and its
// matches. It returns the node of every record.
func (j *joints) join(set *dataset.Set) *Places {
	nodes := &Places{
		Competitions: nodesOf(slices.All(set.Competitions), func(x *sport.Competition) int32 { return j.joined(x.ID, x.ParentID) }),
		Teams:        nodesOf(slices.All(set.Teams), func(x *sport.Team) int32 { return j.joined(x.ID, x.CompetitionID) }),
		Standings:    nodesOf(slices.All(set.Standings), func(x *sport.GivenTable) int32 { return j.joined(x.CompetitionID) }),
	}
	nodes.Players = nodesOf(set.Players.All(), func(x *sport.Player) int32 { return j.joined(x.TeamID) })
	nodes.Matches = nodesOf(set.Matches.All(), func(x *dataset.Match) int32 {
		return j.joined(cmp.Or(x.Base.CompetitionID, x.Base.HomeTeamID))
	})
	return nodes
}

// with joins a node with what is not empty.
func (j *joints) with(node int32, of ...sport.ID) {
	for _, id := range of {
		if id != "" {
			j.unite(node, j.node(id))
		}
	}
}

// unite joins two nodes. The earlier root stays one.
func (j *joints) unite(a, b int32) {
	a, b = j.find(a), j.find(b)
	j.above[max(a, b)] = min(a, b)
}

func nodesOf[T dataset.Entity](records iter.Seq2[int, *dataset.Record[T]], node func(*T) int32) []int32 {
	var nodes []int32
	for _, x := range records {
		n := none
		if !x.Deleted {
			n = node(&x.Value)
		}
		nodes = append(nodes, n)
	}
	return nodes
}
