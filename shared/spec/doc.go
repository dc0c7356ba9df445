// Package spec holds the documents that the service is built from, next to the
// code that cites them:
//
//	read-api.md    the contract of the HTTP interface
//	decisions.md   what the contract leaves open, by numbers such as D12
//	dataset.md     the files that operators load
//	design.md      what several packages share, with the bounds that tests hold
//
// It has no code. Its test follows every citation in the repository: a decision
// or a section that is cited exists.
package spec
