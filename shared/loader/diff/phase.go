package diff

import "touchline/shared/loader/spool"

// Phase says when something is written. One phase ends before the next begins. So the
// pieces that a record names are in the table whenever the record is read.
type Phase byte

const (
	Pieces    Phase = iota // pieces of records, and the details that a match has the hash of
	InLists                // edits of lists
	InItems                // all other items
	OldPieces              // pieces that no record names any more
)

// OfLists reports whether lists are edited in the phase, or items written.
func (p Phase) OfLists() bool { return p == InLists }

// Sink takes what is to be written, in any order.
type Sink interface {
	Put(spool.Record) error
}
