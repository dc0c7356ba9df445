package file

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"touchline/shared/store/file/socket"
)

func TestAnotherUserReachesNothing(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can act as another user")
	}
	f := openIn(t, folder(t))
	dial(t, f)
	at := filepath.Dir(f.path)
	tries := map[string]func() error{
		"dial": func() error {
			fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
			if err != nil {
				return err
			}
			defer func() { _ = syscall.Close(fd) }()
			return syscall.Connect(fd, &syscall.SockaddrUnix{Name: filepath.Join(at, socket.Name)})
		},
		"read":  func() error { return opened(f.path, syscall.O_RDONLY) },
		"write": func() error { return opened(f.path, syscall.O_RDWR) },
	}
	for _, mode := range []os.FileMode{0o700, 0o755} { // what is in the folder does not rely on it
		if err := os.Chmod(at, mode); err != nil {
			t.Fatal(err)
		}
		for name, try := range tries {
			if err := try(); err != nil {
				t.Errorf("%s by its user: %v", name, err)
			}
			if err := as(65534, try); !errors.Is(err, syscall.EACCES) {
				t.Errorf("%s by another user, folder %o: %v, want EACCES", name, mode, err)
			}
		}
	}
}

func opened(path string, flags int) error {
	file, err := syscall.Open(path, flags, 0)
	if err == nil {
		_ = syscall.Close(file)
	}
	return err
}

// as runs do as another user. Linux has users by thread; the thread ends with it.
func as(user uintptr, do func() error) error {
	result := make(chan error)
	go func() {
		runtime.LockOSThread() // for good
		const unchanged = ^uintptr(0)
		if _, _, failed := syscall.RawSyscall(syscall.SYS_SETRESUID, unchanged, user, unchanged); failed != 0 {
			result <- failed
			return
		}
		result <- do()
	}()
	return <-result
}
