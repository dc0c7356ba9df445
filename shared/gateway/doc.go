// Package gateway is the front door on AWS: a handler for the events of an HTTP
// API, payload format 2.0, and of a Lambda function URL, which has the same.
//
// The facts of a request are taken from the event as it arrived: rawPath,
// rawQueryString, the headers (lower-case names, repeats joined by a comma), the
// source address of requestContext. D1's steps 1 to 4 are done on them; then the
// adapter of aws-lambda-go-api-proxy carries the request through net/http, with
// the exchange in the context.
//
// Invariants
//
//   - Nothing is read from the http.Request. The adapter splits headers at
//     commas, decodes and escapes anew, and answers 504 by itself where net/http
//     cannot parse a path; so it gets an event that says nothing, and cannot fail.
//   - Every event is answered by the pipeline: the error is always nil, and no
//     answer is without our headers, or without its line in the log, which is
//     written before the answer is given away.
package gateway
