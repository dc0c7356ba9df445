// Package direct makes the calls of a request without the SDK's middleware,
// which takes three quarters of the processor time of a call:
//
//	processor time of a call      direct   SDK (dynamodb 1.68)   SDK (dynamodb 1.74)
//	GetItem of 2,000 bytes         19 µs                136 µs                 98 µs
//	BatchGetItem of 2,000 bytes    23 µs                147 µs                 88 µs
//	PutItem                        18 µs                 87 µs                 98 µs
//	UpdateItem                     17 µs                104 µs                 96 µs
//
// A request makes four calls and more. On a function of 256 MB, which has a seventh
// of a processor, the 0.3 ms that the newest SDK takes more for them are two of
// waiting. The package goes when the difference is less than 50 µs a call
// (BenchmarkCall: go test -run '^$' -bench Call ./shared/store/direct).
//
// A Client is the SDK's client. Of four calls it makes the first attempt by
// itself: it encodes and signs the request, and decodes the response.
//
// Invariants
//
//   - Only a response that says success and that is understood in full is
//     returned. Whatever else came of the attempt (a refusal, a failed connection,
//     a body that broke off) is handed to the SDK as the outcome of its first
//     attempt. The SDK makes errors of it, decides whether to repeat the call, and
//     makes the other attempts. So a call is sent as often, and repeated for the
//     same reasons, as if the SDK had made it alone.
//   - A call with a parameter that is not encoded here is the SDK's from the start.
//   - Requests are those of the SDK, byte for byte, but for the headers that count
//     its attempts and name its version.
//   - The functions that change the options of a call hold for the SDK's part of
//     it, as a Retryer does.
package direct
