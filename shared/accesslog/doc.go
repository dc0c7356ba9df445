// Package accesslog is the log of requests: one line of JSON each, written once
// at its end, with what answered it, why, what it cost, and its metrics.
//
// A line has these fields; those that say nothing (an empty text, a zero) are
// left out, but for status.
//
//	time             when the answer was ready
//	level            INFO; ERROR where the answer is a 5xx
//	msg              "request"
//	requestId        X-Request-Id of the answer
//	gatewayRequestId the gateway's id, which its own access log has
//	lambdaRequestId  Lambda's id, which its own lines about failures have
//	function         name of the Lambda function
//	stage            name of the stage; of the metrics, too
//	method           one of HTTP's own methods, else "other"
//	route            pattern such as /v1/teams/{id}; none for an unknown route
//	keyId            the key, once it is known to exist
//	organization     id of the organization it belongs to
//	status           HTTP status
//	code, reason     error.code and error.reason of the answer
//	check, refusedBy number and name of the check that did not let it pass
//	why              in which way it did not: a Word
//	details          more about that, by the Word (Why's fields)
//	durationMicros   from the arrival of the request to time, in microseconds
//	bytes            length of the answer's body as sent; of GET's where it is HEAD
//	keys, secrets, nonces, quotas, sports
//	                 what a store was asked for: calls (round trips), micros (their
//	                 durations summed), readUnits and writeUnits (as DynamoDB
//	                 reported them), hits (answers out of the worker's memory)
//	cold             true on a worker's first request
//	startMicros      how long its start took then, in microseconds: from the reading
//	                 of its environment to the moment it could take a request
//	cause, stack     of a 5xx: the error, and where it panicked
//	_aws             on AWS: the embedded metric format, which makes CloudWatch
//	                 count the fields named like a Metric, all of them 1
//
// Invariants
//
//   - A line holds nothing that only the caller knows or chose: no secret,
//     signature, nonce, header, path or query value, and no address, which is a
//     person's. Of a caller's choice are the method and the name of a parameter,
//     and both are one of a list or left out. A key's id is shown where the store
//     has the key: a secret that was sent in its place is in no store. Of one
//     that the store has not, its first characters are shown if it has the form
//     of our ids, so that an operator can tell a key of another stage.
//   - One line a request, whoever answered it; writing it neither fails a request
//     nor changes its answer.
//   - The meter of a request is added to while its line is written, by what runs
//     ahead: it is the one part of a request's record that goroutines share.
package accesslog
