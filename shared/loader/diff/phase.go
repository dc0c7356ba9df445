package diff

import "touchline/shared/loader/spool"

// Phase says when something is written. Phases follow one another, so that whoever
// reads meanwhile finds the parts that a record names.
type Phase byte

const (
	Parts    Phase = iota // parts of records, and the details that a match has the hash of
	InLists               // edits of lists
	InItems               // all other items
	OldParts              // parts that no record names any more
)

// OfLists reports whether lists are edited in the phase, or items written.
func (p Phase) OfLists() bool { return p == InLists }

// Sink takes what is to be written, in any order.
type Sink interface {
	Put(spool.Record) error
}
