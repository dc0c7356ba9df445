package diff

import "touchline/shared/loader/spool"

// Phase says when something is written. Phases follow one another, so that a
// record whose source changes is written last: once it is in the table, so is
// all that follows from it, and until then a load that is repeated finds the
// same change.
type Phase byte

const (
	Parts          Phase = iota // parts of records, which their heads name
	DerivedLists                // lists that only requests read
	DerivedItems                // tables, line-ups: no change is recognised by them
	IndexLists                  // lists that the loader reads
	FollowingItems              // other records that show something of what changed
	Removals                    // from lists by which other records are found
	Details                     // of matches that changed: the records hold their hash
	SourcePlayers               // changed players: see below
	RemovedItems                // other changed records: those removed, also from an old key
	SourceItems                 // other changed records: those written
	OldParts                    // parts of the records before
	Phases                      // how many there are
)

// A player's record holds what matches make of it, such as in whose line-ups the
// player is. Where both change, the player is written first: once the match is in
// the table, nothing says any more that the player follows from it.

// OfLists reports whether lists are edited in the phase, or items written.
func (p Phase) OfLists() bool { return p == DerivedLists || p == IndexLists || p == Removals }

// Sink takes what is to be written, in any order.
type Sink interface {
	Put(spool.Record) error
}
