// Package division divides the dataset of a first load into parts that are computed one
// after the other, so that its memory follows the largest part and not the dataset.
//
// A part is some competitions, each with its parent, its
// teams, their players and its matches. A record and its lists show something of other
// records: those that it refers to, those that refer to it, and what these refer to. Where these are of other parts, since a team plays in a cup and a
// player for the second team, the part has them around it: nothing of them is
// computed with it. Organizations are of no part, since nearly everything is below
// one: they are few, and every part has all of them around it.
//
// # Invariants
//
//   - Every record but organizations and deletions is of one part.
//   - A record refers only to what is of its part or around it, and so do the matches
//     around a part, except for the players whom they list and who are of another.
//
// # Why
//
// What is around parts costs time: a match is applied with its own part, and once more
// with each that a team or a player of it is of. That is one or two where players help
// out in other teams of their club. Joined, competitions that share one player would
// take the memory of one part, and so would nearly any federation.
//
// At once a first load would keep 32 MB for each S (10,000 players with 2,500 matches),
// so 6.5 GB for 2,000,000 players: 75 MB at S and 140 MB at 3 S are live on the heap.
//
// A change is not divided. What is around a part of it would have to be looked for in the
// table, where what does not change refers to what does. A change
// of nine of ten players and matches keeps 84 MB for each S, so 8.4 GB for 1,000,000
// players: 96 MB at S and 263 MB at 3 S.
package division

import (
	"iter"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/sport"
)

// Part is a part of a set.
type Part struct {
	Places        // of the records of the part
	Around Places // of those of other parts that these depend on
}

// Places are where records of a set are among those of their kind, in order. In the
// same form are the node, and the part, of every record.
type Places struct {
	Competitions, Teams, Players, Matches, Standings []int32
}

// Len is how many records there are.
func (p *Places) Len() int {
	return len(p.Competitions) + len(p.Teams) + len(p.Players) + len(p.Matches) + len(p.Standings)
}

// Divide divides a set into parts of at least so many records, except for the
// last. Deletions are left out.
func Divide(set *dataset.Set, size int) []Part {
	j := newJoints()
	groupOf := map[int32]int{} // by the node that stands for a group of records
	var groups []Places
	nodes := j.join(set)
	for kind, of := range nodes.kinds() {
		for place, node := range *of {
			if node == none {
				continue
			}
			root := j.find(node)
			at, known := groupOf[root]
			if !known {
				at = len(groups)
				groupOf[root] = at
				groups = append(groups, Places{})
			}
			places := groups[at].kinds()[kind]
			*places = append(*places, int32(place))
		}
	}
	parts := gather(groups, size)
	surround(set, parts)
	return parts
}

// gather puts small groups together.
func gather(groups []Places, size int) []Part {
	var parts []Part
	for _, g := range groups {
		if n := len(parts); n > 0 && parts[n-1].Len() < size {
			parts[n-1].add(&g)
			continue
		}
		parts = append(parts, Part{Places: g})
	}
	for i := range parts {
		parts[i].sort()
	}
	return parts
}

// kinds are the places of each kind.
func (p *Places) kinds() []*[]int32 {
	return []*[]int32{&p.Competitions, &p.Teams, &p.Players, &p.Matches, &p.Standings}
}

func (p *Places) add(o *Places) {
	for i, k := range p.kinds() {
		*k = append(*k, *o.kinds()[i]...)
	}
}

// sort puts the places of each kind in order, each once.
func (p *Places) sort() {
	for _, k := range p.kinds() {
		slices.Sort(*k)
		*k = slices.Compact(*k)
	}
}

// Of unpacks the records at the places.
func (p *Places) Of(set *dataset.Set) *dataset.Part {
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
		Competitions: deleted(slices.All(set.Competitions)), Teams: deleted(slices.All(set.Teams)),
		Players: deleted(set.Players.All()), Matches: deleted(set.Matches.All()), Standings: deleted(slices.All(set.Standings)),
	}
}

func deleted[T dataset.Entity](records iter.Seq2[int, *dataset.Record[T]]) []*dataset.Record[T] {
	var all []*dataset.Record[T]
	for _, x := range records {
		if x.Deleted {
			all = append(all, x)
		}
	}
	return all
}
