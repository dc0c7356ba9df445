// Package gateway is the front door on AWS: a handler for the events of an HTTP
// API, payload format 2.0, and of a Lambda function URL, whose events are the
// same.
//
// It takes the facts of a request from the event as it arrived: rawPath,
// rawQueryString, the headers (lower-case names, repeats joined by a comma), the
// source address of requestContext. They are never made into an http.Request, which
// would decode the target and split headers at commas: what is signed and checked is
// what arrived.
//
// Every event gets a response from the pipeline: the error is always nil, and every
// response has our headers and its line in the log.
package gateway
