// Package cost says what requests cost on AWS. It has tests alone: they hold the numbers
// of infra/README.md to what is measured, and `make cost` prints the whole bill.
//
// A synthetic federation is loaded into a DynamoDB engine, and a mix of signed requests
// goes through the code of the functions, with one worker for each, its caches, and a clock
// that moves between requests. Read and write units are those that the engine reports as
// DynamoDB does, those for nonces, quotas and keys among them; the bytes of the log lines
// and of the responses are counted. What cannot be measured here is assumed: cost_test.go
// has it, and the prices.
package cost
