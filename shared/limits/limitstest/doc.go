// Package limitstest is the contract of the stores of package limits, as tests
// that every implementation runs, and stores that fail on demand for the tests
// of their callers.
package limitstest
