// Package upgrade makes the data of this build's layout from those of an earlier one, in
// the same table, while that one is served.
//
// Source records are what datasets have brought: records.Source, and the details of a
// match. Every later build can read them, for ever. Everything else follows from them,
// and is made again. Attributes of a record are only added, and so are the fields of what
// is packed, such as the details of a match, at the end of their struct: both read as
// before. Whoever changes more than that keeps what reads the former encoding (former, in
// side.go). A table of each released layout is kept in testdata; a layout without one
// fails a test.
//
// An upgrade holds the lease of the data that are open, so that loads wait, and
//
//	notes    that the new data are not whole                generation.Part
//	removes  what an upgrade that was killed has left       drop.go
//	reads    scans for the source records, and exports them  sources.go
//	loads    them as a first load                            upgrade.go
//	takes    the history of loads along
//	switches to the new data with one write                 generation.Switch
//
// Killed before the switch it begins anew. The former data stay, closed, until Drop; Back
// opens them again.
//
// # Invariants
//
//   - No build reads data that are not whole: the version item says so.
//   - No load is lost. None runs from the first reading to the switch, and after it the
//     builds of the former layout refuse loads, with an error for which a drop stays in
//     its queue.
//   - Whoever writes the version item, or data that are not open, holds the lease of
//     those that are, and has seen under it that they are.
//
// # Why
//
// By an export and a load, instead of code that turns the items of one layout into those
// of another: both exist, are tested to make the same table item by item, and need no
// new code for a layout. It writes the items of a first load, and the history of loads.
// A scan finds the records, not the lists of ids, because the encoding of lists belongs
// to the layout.
//
// Loads wait, instead of being taken over while the upgrade runs: an upgrade is rare, and
// a drop that waits is loaded after it.
package upgrade
