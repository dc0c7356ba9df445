// Package loader brings a dataset into the Sports table: an upsert of the
// records given, in any order, idempotent, and at a cost that follows the size
// of the change (dataset.md).
//
// A load is a function of two views of the same world: what the table holds
// (Before) and what it will hold (After). It goes in steps, a file each:
//
//	read      what the dataset names and refers to, from the table   fetch.go
//	resolve   defaults that need the competition                     run.go
//	check     references, both ways                                  reference.go
//	journal   write down what is about to be done                    journal.go
//	spread    from the records that change to those that show them   spread.go
//	project   each of these: its record, and the lists it is in      project_*.go
//	write     what differs between the two views, and nothing else   write.go
//
// Projections are pure functions of a view, so that any order and any
// partition of a dataset into loads ends in the same lists and records.
//
// A load that is killed before its journal is complete has changed nothing; one
// that is killed later is finished by the next load, whatever that one brings.
// Every write is idempotent, and their order is such that what is not done yet
// is found again: lists and items that nothing is found by, the lists by which
// others are found (what leaves them, last), the records that follow others, and
// the records themselves, those that refer before those referred to. Of a long
// load a mark says how far it came, and it goes on from there (mark.go): killed
// again and again it writes some hundredths more than in one run. A lease keeps
// two loads from running at once.
package loader
