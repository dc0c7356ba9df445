// Package service builds a worker that answers requests, an http.Handler: the
// endpoints, the pipeline, and the stores behind them. A Lambda function is a worker for one
// route group (Start), `touchline serve` is one for all of them; nothing else
// wires these parts together.
//
// A function is configured by the environment variables that
// stack.RequestVariables lists, and by those that Lambda sets: AWS_REGION and
// the credentials.
//
// # Invariants
//
//   - A worker is configured completely or not at all: one error names every variable
//     that is missing or wrong, and shows no value that is secret.
//   - Building a worker calls no other service and reads no file. The stores are
//     called only when a request needs them.
//   - A worker has no state that must be saved: it can end at any moment between two
//     requests.
package service
