// Package history says what a load changed: each record with the fields that
// differ, as a person reads it.
//
// It compares records as lines of the dataset format (package encode), in which
// what has its default is left out.
package history
