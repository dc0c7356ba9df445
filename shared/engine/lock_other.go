//go:build !unix

package engine

import "os"

// exclusive does nothing: without flock only the port keeps two engines apart.
func exclusive(*os.File) error { return nil }
