// Package awsjson calls single operations of AWS services in the protocols AWS JSON
// 1.0 and 1.1, those of which a function needs one or two. The SDK's package of a
// service has all of its operations and the endpoints of all regions, which are
// made when a function starts: 0.15 ms and 200 to 300 KB.
//
// The SDK signs the request (aws/signer/v4) and decides what is repeated, when and
// how often (aws/retry). The errors are its errors, too: a refusal is a
// smithy.APIError with the service's code.
package awsjson
