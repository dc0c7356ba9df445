//go:build !unix

package engine

// trusted checks nothing: here access lists, not modes, decide who may write.
func trusted(string, string) error { return nil }
