// Package upgrade makes the data of this build's layout from those of an earlier one, in
// the same table, while the build of that layout goes on serving and loading.
//
// Source records are what datasets have brought: records.Source, and the details of a
// match. Every later build can read them, those of layouts 7 and 8 too, and from layout 9
// on for ever. Everything else follows from them, and is made again. Attributes of a record are only added, and so are the fields of what is packed,
// such as the details of a match, at the end of their struct: both read as before.
// Whoever changes more than that keeps what reads the former encoding, for the sides of
// the layouts that have it (side.go). A table of each layout is kept in testdata; a
// layout without one fails a test.
//
// An upgrade goes in steps, each of which may be killed and repeated:
//
//	read      scan the open generation for its source records      sources.go
//	load      export them, and load them as a first load           upgrade.go
//	catch up  scan again, and load what is different now
//	switch    under both leases: catch up once more, copy the history of loads,
//	          and open the new generation with one write           generation.Finish
//
// The former generation stays, closed, until Drop; Back opens it again.
//
// Drop holds the leases of the open generation and of the one that it removes, so that
// nobody loads into either. Of what an upgrade is making it notes first that it is being
// removed: an upgrade begins once that has ended. One that is between two of its loads
// finds that its data are gone, and makes all of them again.
//
// # Invariants
//
//   - No build reads a generation before it is complete: the version item does not name
//     it (generation/move.go).
//   - No load is lost. The last catching up is done while the lease of the former
//     generation is held, and its builds refuse loads from the switch on, with an error
//     for which a drop stays in its queue.
//   - Nothing is loaded from the former generation after the switch: each load of an
//     upgrade looks at the version item under the lease of the new generation, under
//     which it was written.
//
// # Why
//
// By an export and a load, instead of code that turns the items of one layout into those
// of another: both exist, are tested to make the same table item by item, and need no
// new code for a layout. It writes the items of a first load, and the history of loads: of
// 100,000 players 739,602 write units, where a first load takes 729,741 and the removal of
// the former data 701,494 (upgrade_test.go). It reads the table once for each time that it
// scans it.
// A scan finds the records, not the lists of ids, because the encoding of lists belongs
// to the layout.
//
// Catching up compares hashes of the stored records, which it keeps in memory, so
// that what is loaded again follows what has changed. Without them, after a kill, it
// exports everything and loads it in the place of all (loader.Options.Replace), which
// writes no more than the difference either. While the last one runs, under the lease,
// loads wait: for a scan and the load of what came in during the one before.
package upgrade
