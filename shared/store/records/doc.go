// Package records is the Sports table: where its items are (keys.go), what they
// hold (records.go, fixtures.go, statistics.go), which lists there are
// (lists.go) and how they are ordered and filtered (kinds.go), and the reader
// that requests use (reader.go).
//
// A request opens a Snapshot and fetches what it needs in stages: first
// everything whose key the request itself names (records, heads of lists), then
// the parts of lists that hold the page. Each Fetch is one round trip, or none
// where a worker's cache holds all of it.
//
// Lists by name are ordered by the collation of names, which only the loader
// links in; a reader passes no order for them, since it finds pages by position.
//
// Invariants
//
//   - An item is read at most once in a Snapshot, so that a response is made of
//     one state of each. The exception is a list that was edited between the
//     reads of its head and of its parts: it is read again, past the cache.
//   - Nothing is returned that is older than D10 allows: see life.go.
//   - Records are returned as stored. Who may see them is for the endpoints to
//     decide.
package records
