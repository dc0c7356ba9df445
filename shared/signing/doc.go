// Package signing makes and checks the signature of a request: read-api.md,
// Authentication, in the order written there.
//
// A signature is HMAC-SHA256 over six fields joined by line feeds:
//
//	METHOD, PATH, SORTED_ENCODED_QUERY, TIMESTAMP, NONCE, BODY_HASH
//
// Each field has its own function; Message.Canonical joins them. The client and
// the service use the same code; the vectors in testdata, which another program
// made, check it against the contract.
//
// What the package keeps true:
//
//   - It works on what was sent. Path and query come raw; what is decoded is
//     encoded again, and invalid UTF-8 is treated like any other bytes.
//   - The canonical string names one message only. A path that a front door has
//     decoded may hold a line feed; the fields after it cannot (the query is
//     encoded, ParseHeaders bounds timestamp and nonce, the hash is hex), so the
//     string still splits, from its end, in one way.
//   - Checking costs the same whichever secret matches, if any: Verify always
//     computes as many codes and compares each in constant time (D1 step 10).
//   - So does finding out how a wrong signature was made: FindMistake always tries
//     the same ways for a request, whichever matches, if any.
//   - Nothing here logs, stores or returns a secret, and no error quotes what a
//     caller sent.
package signing
