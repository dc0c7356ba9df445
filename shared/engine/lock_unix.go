//go:build unix

package engine

import (
	"os"
	"syscall"
)

// exclusive locks f until every copy of it is closed, including that of a child.
// It fails at once if another process has the lock.
func exclusive(f *os.File) error {
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}
