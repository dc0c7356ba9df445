// Package dynamo keeps nonces and quotas in two DynamoDB tables.
//
// Access patterns, each one conditional write of one unit and nothing else:
//
//	Nonces  pk = <key id>#<nonce>              consume: put if absent
//	Quotas  pk = <organization id>#<YYYY-MM>   take: add one while below the limit
//
// Invariants:
//
//   - A write whose answer is lost is either repeatable or sent once (D3). The
//     nonce's record names the request that wrote it, so a repeated write knows
//     itself. The increment has no such name: it is sent again only where the
//     failure proves that it was not applied.
//   - The condition decides, never an earlier read; the tables' time to live only
//     saves space. An item that should have been dropped and is still there counts.
//   - Items stay far below 1 KB, one write unit.
package dynamo
