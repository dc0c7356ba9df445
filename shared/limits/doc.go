// Package limits decides whether a request may be served: once per nonce, so
// often a minute and so often a month (read-api, Limits; D1 steps 6, 11, 15, 16;
// D2, D9, D31).
//
// The arithmetic is one function over plain values, decide; what differs is who
// counts:
//
//   - Windows counts in the worker's memory: the rate per key, and through
//     Failures the failed authentications per caller address. Nothing is shared
//     between workers, so a limit holds per worker, as the contract has it.
//   - A NonceStore and a QuotaStore remember for all workers. The stores on
//     DynamoDB are in limits/dynamo.
//
// What the package keeps true:
//
//   - Time is an argument.
//   - A refused request is not counted, by no counter (D9).
//   - Nothing fails open: a store that does not know returns an error, and nothing
//     in memory is forgotten while it still refuses, except a window under a
//     flood (see Windows.Entries).
//   - Memory is bounded whatever keys and addresses callers come with.
package limits
