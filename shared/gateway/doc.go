// Package gateway is the front door on AWS: a handler for the events of an HTTP
// API, payload format 2.0, and of a Lambda function URL, which has the same.
//
// It takes the facts of a request from the event as it arrived: rawPath,
// rawQueryString, the headers (lower-case names, repeats joined by a comma), the
// source address of requestContext. The pipeline screens them (D1, steps 1 to
// 4). Then the adapter of aws-lambda-go-api-proxy carries the event to the
// pipeline, which is an http.Handler, with the exchange in the request's context.
//
// Invariants
//
//   - What is signed and checked comes from the event and never from the
//     http.Request: the adapter splits headers at commas, and decodes and escapes
//     the target again.
//   - An event that the adapter could not make an http.Request of goes to the
//     pipeline directly. The adapter would print the caller's URL into the log and
//     answer 504.
//   - The pipeline answers every event: the error is always nil, and every answer
//     has our headers and its line in the log, which is written before the answer
//     is returned.
package gateway
