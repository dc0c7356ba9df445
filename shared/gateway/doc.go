// Package gateway is the front door on AWS: a handler for the events of an HTTP
// API, payload format 2.0, and of a Lambda function URL, whose events are the
// same.
//
// It takes the facts of a request from the event as it arrived: rawPath,
// rawQueryString, the headers (lower-case names, repeats joined by a comma), the
// source address of requestContext. The pipeline screens them (D1, steps 1 to
// 4). Then the adapter of aws-lambda-go-api-proxy turns the event into an
// http.Request for the pipeline, which is an http.Handler; the exchange is in
// the request's context.
//
// # Invariants
//
//   - What is signed and checked comes from the event, never from the http.Request:
//     the adapter splits headers at commas, and decodes and re-escapes the target.
//   - An event that the adapter could not turn into an http.Request goes to the
//     pipeline directly. The adapter would write the caller's URL to the log and
//     respond with 504.
//   - Every event gets a response from the pipeline: the error is always nil, and
//     every response has our headers and its line in the log, which is written before
//     the response is returned.
package gateway
