// Package upgrade makes the data of this build's layout from those of an earlier one, in
// the same table, while that one is served.
//
// Source records are what datasets have brought: records.Source, and the details of a
// match. Every later build can read them, for ever. Everything else follows from them,
// and is made again. Attributes of a record are only added, and so are the fields of what
// is packed, such as the details of a match, at the end of their struct: both read as
// before. Whoever changes more than that keeps what reads the former encoding (here, in
// upgrade.go). A table of each layout is kept in testdata; a layout without one fails a test.
//
// An upgrade holds the lease of the data that are open, so that loads wait, and
//
//	notes    that the new data are not whole             generation.Suspend
//	makes    them of the source records of the former    loader.Rebuild
//	takes    along what the former keep of loads
//	switches to the new data with one write              generation.Switch
//
// It is a mend to another layout, and what a mend does is what it does: it computes every
// item from the records, and writes those that are not there. So one that was killed
// before the switch goes on when it is run again. The former data stay, closed, until
// Drop; Back opens them again.
//
// # Invariants
//
//   - No build reads data that are not whole: the version item says so.
//   - No load is lost. None runs from the first reading to the switch, and after it the
//     builds of the former layout refuse loads (*generation.MovedError).
//   - Whoever writes the version item, or data that are not open, holds the lease of
//     those that are, and has seen under it that they are.
//
// It works from the records since the code for that exists, and no layout needs new code.
// Loads wait since an upgrade is rare.
package upgrade
