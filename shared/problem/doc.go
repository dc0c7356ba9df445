// Package problem is every refusal of the service: a typed error inside, a wire
// document outside, and one table between the two.
//
// A package that refuses a request returns an *Error. Whatever else it returns
// is a fault of ours: From makes it internalError, whose text is fixed, so that
// nothing of a cause reaches a caller (read-api, Errors).
//
// Invariants
//
//   - The table is the only place that knows a status or a message (D7).
//   - An Error's document holds its code, its fixed message, reason, details and
//     retryAfter, and never its Cause: that one is for the log.
package problem
