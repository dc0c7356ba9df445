//go:build !windows

package owner

import (
	"errors"
	"io/fs"
	"syscall"
	"testing"
)

func TestWhatALockIsRefusedFor(t *testing.T) {
	for err, want := range map[error]error{
		nil: nil, syscall.EWOULDBLOCK: ErrInUse, syscall.ENOLCK: ErrNoLocks, syscall.ENOSYS: ErrNoLocks, syscall.EOPNOTSUPP: ErrNoLocks, syscall.EIO: syscall.EIO,
	} {
		if got := lockError(err); !errors.Is(got, want) || errors.Is(got, fs.ErrExist) {
			t.Errorf("%v is %v, want %v", err, got, want)
		}
	}
}
