// Package division divides a dataset into parts that a load computes one after the
// other, so that its memory follows the largest part and not the dataset.
//
// A part of a first load (Divide) is some competitions, each with its parent, its
// teams, their players and its matches. A record and its lists show something of other
// records: those that it refers to, those that refer to it, and what these refer to. Where these are of other parts, since a team plays in a cup and a
// player for the second team, the part has them around it: nothing of them is
// computed with it. Organizations are of no part, since nearly everything is below
// one: they are few, and every part has all of them around it.
//
// A change (OfChange) is divided into parts that share nothing. Records that are
// joined by any reference are of one part, as the table has them and as it will.
//
// # Invariants
//
//   - Every record but organizations and deletions is of one part.
//   - A record refers only to what is of its part or around it, and so do the matches
//     around a part, except for the players whom they list and who are of another.
//   - No record of a part of a change refers to a record of another.
//
// # Why
//
// What is around parts costs time: a match is applied with its own part, and once more
// with each that a team or a player of it is of. That is one or two where players help
// out in other teams of their club. Joined, competitions that share one player would
// take the memory of one part, and so would nearly any federation.
//
// What is around a part of a change would have to be looked for in the table, where
// what does not change refers to what does. As parts share nothing, there is nothing
// to look for. What speaks against it is a federation in which one player is in the
// line-ups of two competitions, and one of each of these in a third: their changes
// are one part, and take the memory of one.
//
// Parts of changes are needed: a change of a hundredth of all players and matches took
// 171 MB at 2 S and 361 MB at 5 S when it was computed at once (S is 10,000 players
// with 2,500 matches), 63 MB for each S, so some 12 GB at 200 S. In parts it took
// 141 and 216 MB.
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
