// Package dataset holds a dataset that has been read: the records of its files, and what is
// known of where they are, what they refer to and what the dataset deletes.
//
// Package format reads a folder into a [Set], through a [Builder], and writes records.
// References may point to records that an earlier load has stored, of which a set knows
// nothing. [Set.Resolve] checks them, and asks its caller about those that the set does not
// hold. The set of a faulty dataset holds the records without a fault, so that their
// references can still be checked and all faults be reported at once.
//
// What depends on a competition that may be stored stays open: a season left out is 0, and a
// kick-off without an offset stays text ([Match.KickoffLocal]). So does who sees a record that
// does not say it: its visibility is empty, and a season is [Record.Silent] (D74). The caller
// fills these in; then package relations finds the warnings that take more than one record.
//
// Players and matches, which are most of a large set, are kept packed, and [Records] unpacks
// one each time it is asked for; its line-ups, events and statistics stay packed, as a table
// stores them, until [Match.Full]. With its id a player takes some 230 bytes, a match without
// line-ups as much, one with line-ups and events 1,300, which the load of it shares.
package dataset
