// Package reader reads the Sports table for requests. Reader has one method for
// each access pattern of the endpoints: what a request asks for goes in, records
// that its key may see come out.
//
// A method opens a snapshot and reads in stages: first everything whose key
// follows from the request itself (records, heads of lists), then the chunks
// of lists that hold the page. A stage is one round trip, or none where the worker's
// cache holds all of it. The first error of a snapshot stays, so that the steps of a
// method are not interrupted by looking for one; each method returns it at its end.
//
// Ids are passed as the caller sent them. What is not in the scope of the
// Viewer, what does not exist and what is no id fail alike, with notFound (D13,
// D19, D24); the error says for the log what was missing.
//
// Lists by name are ordered by the collation of names, which only the loader
// links in; pages are found by position, so that reading them takes no order.
//
// Invariants
//
//   - An item is read at most once in a snapshot, so that a response shows one
//     version of each. The exception is a list that was edited between the reads
//     of its head and of its chunks: it is read again, past the cache.
//   - Nothing is returned that is older than D10 allows: see life.
//   - Which record a viewer may see is decided here, by the record itself
//     (records.Scope); how it is shown is for the endpoints.
package reader
