//go:build unix

package file

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestAFolderThatOthersMayEnterIsRefused(t *testing.T) {
	at := folder(t)
	f := openIn(t, at)
	for _, mode := range []fs.FileMode{0o710, 0o750, 0o701, 0o777, 0o704} {
		if err := os.Chmod(at, mode); err != nil {
			t.Fatal(err)
		}
		_, opening := Open(filepath.Join(at, "other.db"), Options{})
		_, serving := f.Serve()
		_, dialing := Dial(t.Context(), at)
		for _, err := range []error{opening, serving, dialing} {
			if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "chmod go= ") {
				t.Errorf("mode %o: %v, want ErrPermission and what to do", mode, err)
			}
		}
	}
}

func TestAFolderOfAnotherUserIsRefused(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give a folder away")
	}
	at := folder(t)
	if err := os.Chown(at, 65534, 65534); err != nil {
		t.Fatal(err)
	}
	_, opening := Open(filepath.Join(at, "data.db"), Options{})
	_, dialing := Dial(t.Context(), at)
	for _, err := range []error{opening, dialing} {
		if !errors.Is(err, fs.ErrPermission) {
			t.Errorf("%v, want ErrPermission", err)
		}
	}
}

func TestWhatIsMadeIsForThisUserAlone(t *testing.T) {
	at := filepath.Join(folder(t), "new", "data")
	f := openIn(t, at)
	dial(t, f)
	if err := f.Backup(t.Context(), filepath.Join(at, "backup.db")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{"": 0o700, "data.db": 0o600, "backup.db": 0o600, SocketName: 0o600} {
		info, err := os.Stat(filepath.Join(at, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", name, got, want)
		}
	}
}

// Another user runs this test's own program, which tries to open and to dial.
func TestAnotherUserReachesNothing(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can act as another user")
	}
	f := openIn(t, folder(t))
	dial(t, f)
	for _, command := range [][]string{
		{"ls", filepath.Dir(f.path)},
		{"cat", f.path},
		{"sh", "-c", "echo x >> " + f.path},
		{"sh", "-c", "echo x > " + filepath.Join(filepath.Dir(f.path), SocketName)},
		{"rm", "-f", f.path},
	} {
		if out, err := as(t, 65534, command); err == nil {
			t.Errorf("%q succeeds: %s", command, out)
		}
		if _, err := as(t, 0, []string{"ls", filepath.Dir(f.path)}); err != nil {
			t.Fatalf("so does not this user: %v", err)
		}
	}
}

func as(t *testing.T, user uint32, command []string) (string, error) {
	t.Helper()
	c := exec.CommandContext(t.Context(), command[0], command[1:]...)
	c.Dir = "/"
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: user, Gid: user}}
	out, err := c.CombinedOutput()
	return string(out), err
}
