// Package loader brings a dataset into the Sports table: an upsert of the
// records given, in any order, idempotent, and at a cost that follows the size
// of the change (dataset.md).
//
// A load is a function of two views of the same world: what the table holds
// (Before) and what it will hold (After). It goes in steps, a file each:
//
//	read      what the dataset names and refers to, from the table   fetch.go
//	resolve   defaults that need the competition                     resolve.go
//	check     references, both ways                                  reference.go
//	journal   write down what is about to be done                    journal.go
//	spread    from the records that change to those that show them   spread.go
//	project   each of these: its record, and the lists it is in      project_*.go
//	write     what differs between the two views, and nothing else   write.go
//
// Projections are pure functions of a view, so that any order and any
// partition of a dataset into loads ends in the same lists and records.
//
// A load that is killed before its journal is complete has changed nothing;
// one that is killed later is finished by the next load, whatever that one
// brings: every write is idempotent, the records themselves are written last,
// so the finished parts are recognised and the others done again. A lease keeps
// two loads from running at once.
package loader
