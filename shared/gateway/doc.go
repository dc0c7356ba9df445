// Package gateway is the front door on AWS: it serves an http.Handler to the events
// of an HTTP API, payload format 2.0, and of a Lambda function URL, whose events are
// the same.
//
// The request of an event, and the event's response, are made by AWS's adapter
// (aws-lambda-go-api-proxy). This package gives it events that it can read, and its
// requests what the adapter changes or would fail at:
//
//   - The path is what the gateway sent, in URL.RawPath: decoded by an HTTP API, so that
//     it may hold a question mark or a line feed, and escaped by a function URL.
//   - The method is as sent, not in capitals.
//   - A body is only known to be there: it may be base64 or not.
//
// The query is as sent. A header with a comma arrives as a repeated one.
//
// The adapter takes 15 µs of processor time a request.
//
// Every event gets a response from the service, never one of the adapter's own: the
// error is always nil.
package gateway
