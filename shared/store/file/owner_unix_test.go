//go:build unix

package file

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"touchline/shared/store/file/socket"
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
	copied, _, err := f.Backup(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{"": 0o700, "data.db": 0o600, copied: 0o600, socket.Name: 0o600} {
		info, err := os.Stat(filepath.Join(at, name))
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", name, got, want)
		}
	}
}

func TestAnEmptyFolderIsClosedToOthers(t *testing.T) {
	at := folder(t)
	if err := os.Chmod(at, 0o755); err != nil { //nolint:gosec // as a person may have made it
		t.Fatal(err)
	}
	openIn(t, at)
	if info, err := os.Stat(at); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("%v, %v; want mode 700", info.Mode(), err)
	}
}
