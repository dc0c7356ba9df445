//go:build !unix

package engine

// trusted: access lists, not modes, say here who may write.
func trusted(string, string) error { return nil }
