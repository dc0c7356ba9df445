package file

import (
	"os"
	"syscall"
)

// errNoFamily is WSAEAFNOSUPPORT: there are no sockets of the family asked for.
const errNoFamily = syscall.Errno(10047)

// private makes sure that path exists. Who may use it is said by the list of the
// folder of the user, which new files inherit, and not by a mode.
func private(path string) error {
	_, err := os.Stat(path)
	return err
}

// lockFile leaves the lock to bbolt: here nobody takes one twice.
func lockFile(*os.File, bool) error { return nil }

// letGo closes a file that bbolt has given up.
func letGo(f *os.File) error { return f.Close() }
