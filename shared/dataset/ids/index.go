package ids

import (
	"touchline/shared/dataset/blocks"
	"touchline/shared/dataset/files"
)

// Identity is what no two records of a dataset may share. Season and table are
// zero where a kind does not have them; a competition's season 0 means all of
// them.
type Identity struct {
	Season int32
	Kind   files.Kind
	Table  uint8
	ID     Packed
}

// Presence is the line of a record and what became of it.
type Presence struct {
	Line  int32
	State State
}

// State of a record within the set.
type State uint8

// What becomes of a record.
const (
	LeftOut State = iota // faulty, or dropped
	Held
	Deleted
)

// Index is the presence of records. Most are identified by their ids alone, and
// these have numbers.
type Index struct {
	table *Table
	// byNumber has, for the number of an id, the record that was first set with it;
	// of the few ids that two kinds of records have, the other is among the others.
	byNumber blocks.List[entry]
	others   map[Identity]Presence
}

// entry is a presence and the kind of its record; the zero value is no record.
type entry struct {
	line  int32
	kind  files.Kind
	state State
	taken bool
}

// NewIndex gives the index of a dataset with these
func NewIndex(table *Table) *Index { return &Index{table: table, others: map[Identity]Presence{}} }

// At is the presence of a record; false if it was never set.
func (x *Index) At(who Identity) (Presence, bool) {
	if e := x.entry(who); e != nil && e.taken {
		return Presence{e.line, e.state}, true
	}
	p, ok := x.others[who]
	return p, ok
}

// Set sets the presence of a record.
func (x *Index) Set(who Identity, p Presence) {
	for x.byNumber.Len() < x.table.Len() {
		x.byNumber.Append(entry{})
	}
	if e := x.entry(who); e != nil {
		*e = entry{line: p.Line, kind: who.Kind, state: p.State, taken: true}
		return
	}
	x.others[who] = p
}

// entry is the entry of a record that has one or can have it, else nil.
func (x *Index) entry(who Identity) *entry {
	if who.Kind == files.Competitions || who.Kind == files.Standings {
		return nil
	}
	number, known := x.table.Number(who.ID)
	if !known || number >= x.byNumber.Len() {
		return nil
	}
	if e := x.byNumber.At(number); !e.taken || e.kind == who.Kind {
		return e
	}
	return nil
}
