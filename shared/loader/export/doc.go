// Package export writes the dataset that a Sports table holds: what a load into
// an empty table makes the same table of, item by item.
//
// A record is called by the operator's own key where it was ever loaded by it,
// else by its id; so is every reference to it. What has its default is left out,
// as is a winner that follows from the score. Times are UTC. An event keeps its
// id; one that is derived from the match's key is left out.
//
// Lines are in an order that depends on the records alone, so that two exports
// can be compared line by line: by id, and those of up to [sortedLines] records
// of a kind as a person would look for them.
package export
