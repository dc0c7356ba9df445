// Package service builds a worker that answers requests: the endpoints, the
// pipeline, and the stores behind them. A Lambda function is a worker of one
// route group (Start), `touchline serve` is one of all groups; there is no other
// wiring.
//
// A function is configured by the environment variables that
// stack.RequestVariables lists, and by what Lambda sets: AWS_REGION and the
// credentials.
//
// Invariants
//
//   - A worker is configured in full or not at all: one error names every
//     variable that is missing or wrong, and shows no value of a secret one.
//   - Building a worker calls no other service and reads no file. The stores are
//     first asked when a request needs them.
//   - A worker holds nothing that would have to be saved: it can end at any moment
//     between two requests.
package service
