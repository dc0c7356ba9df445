//go:build !windows

package file

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// letGo closes a file that bbolt has given up, and whose pages are still in memory: they
// would hold the lock until the process ends.
func letGo(f *os.File) error {
	_ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) // of a closed one fails
	return f.Close()
}

// private makes sure that nobody but this user may enter or use what is at path.
func private(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if owner, ok := info.Sys().(*syscall.Stat_t); ok && int(owner.Uid) != os.Getuid() {
		return fmt.Errorf("%s belongs to another user: %w", path, fs.ErrPermission)
	}
	if mode := info.Mode().Perm(); mode&0o077 != 0 {
		return fmt.Errorf("%s is open to other users (chmod go= %s): %w", path, path, fs.ErrPermission)
	}
	return nil
}
