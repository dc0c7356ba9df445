//go:build !windows

package file

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

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
