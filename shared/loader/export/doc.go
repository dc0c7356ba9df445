// Package export writes the dataset that a Sports table holds. Loaded into an
// empty table, that dataset makes the same table, item by item.
//
// A record and every reference to it have the operator's own key if the record
// was ever loaded by it, else its id. Fields that have their default are left
// out, as is a winner that follows from the score. Times are UTC. An event
// keeps its id; an id that is derived from the match's key is left out.
//
// Lines are in an order that depends on the records alone, so that two exports
// can be compared line by line: by id, and those of up to [sortedLines] records
// of a kind as a person would look for them.
package export
