// Package dynamo keeps nonces and quotas in two DynamoDB tables.
//
// Access patterns, each one conditional write of one unit and nothing else:
//
//	Nonces  pk = <key id>#<nonce>              consume: put if absent
//	Quotas  pk = <organization id>#<YYYY-MM>   take: add one while below the limit
//
// and, only after an increment whose answer was lost, one more write that finds
// out whether it was made.
//
// Invariants:
//
//   - A write whose answer is lost is never applied twice (D3). A nonce's record
//     names the request that wrote it, so that a repeated write recognizes its own
//     record. An increment is sent again only after a failure which proves that it
//     was not applied; after any other, the request is served if it is named in its
//     slot, and else answered 503: it was not counted, or a later request of the
//     same slot has taken its place.
//   - The condition decides, never an earlier read; the tables' time to live only
//     saves space. An item that should have been dropped and is still there counts.
//   - Items stay far below 1 KB, one write unit.
package dynamo
