// Package edits makes the records of a dataset that change what a table holds, as a
// data officer does in the console, or at the touchline: results of a round, a match
// with its line-ups and events, a team, a player.
//
// A [Book] reads what is stored, and a form shows it. The form that comes back becomes a
// patch of the fields that the person has changed. So two people who edit different
// fields of one record do not undo each other's work. The caller loads the patch: it is
// checked like any other dataset (package loader), and nothing is checked here that the
// loader checks.
//
// Records are named by the operator's own key where one is known.
package edits
