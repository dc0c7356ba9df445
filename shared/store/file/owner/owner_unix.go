//go:build !windows

package owner

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// LetGo closes a file that bbolt has given up, and whose pages are still in memory: they
// would hold the lock until the process ends.
func LetGo(f *os.File) error {
	_ = syscall.Flock(int(f.Fd()), syscall.LOCK_UN) // of a closed one fails
	return f.Close()
}

// Lock takes the lock of a file for one process, or for those that read it, and does not
// wait: the error is ErrInUse or ErrNoLocks.
func Lock(f *os.File, alone bool) error {
	how := syscall.LOCK_SH
	if alone {
		how = syscall.LOCK_EX
	}
	return lockError(syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB))
}

func lockError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.EWOULDBLOCK):
		return ErrInUse
	case errors.Is(err, syscall.ENOLCK), errors.Is(err, syscall.ENOSYS), errors.Is(err, errors.ErrUnsupported):
		return fmt.Errorf("%w: keep the data on a disk of this machine: %w", ErrNoLocks, err)
	}
	return fmt.Errorf("take the lock: %w", err)
}

// Private makes sure that nobody but this user may enter or use what is at path.
func Private(path string) error {
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
