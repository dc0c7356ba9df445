//go:build unix

package format

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"touchline/shared/dataset"
)

// careful is a folder in which a test may not open what would never end.
type careful struct {
	fs.StatFS
	t *testing.T
}

func (c careful) Open(name string) (fs.File, error) {
	if name != "." && name != "matches.ndjson" {
		c.t.Errorf("%s is opened", name)
		return nil, fs.ErrPermission
	}
	return c.StatFS.Open(name)
}

func TestWhatIsNoFileIsAFaultAndIsNotOpened(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir) // a socket's path is short
	elsewhere := filepath.Join(t.TempDir(), "pipe")
	listener, err := net.Listen("unix", "players.csv")
	must(t, err)
	defer listener.Close()
	err = errors.Join(syscall.Mkfifo("organizations.ndjson", 0o600), syscall.Mkfifo(elsewhere, 0o600),
		os.Symlink(elsewhere, "teams.ndjson.gz"), os.Symlink("/dev/null", "competitions.csv"), os.Symlink(t.TempDir(), "standings.ndjson"),
		os.WriteFile("text", []byte(`{"id":"m"}`), 0o600), os.Symlink("text", "matches.ndjson"))
	must(t, err)
	set, err := Read(t.Context(), careful{os.DirFS(dir).(fs.StatFS), t}, Options{}) //nolint:forcetypeassert // of the library
	faults, ok := err.(*dataset.Faults)                                             //nolint:errorlint // as it is returned
	if !ok || set == nil || !faults.OfFiles() {
		t.Fatalf("got %v, %v", set, err)
	}
	const pipe = ": is a pipe, a socket or a device, not a file\n"
	said, read, _ := strings.Cut(faults.Error(), "matches.ndjson:1: ")
	want := "organizations.ndjson" + pipe + "competitions.csv" + pipe + "teams.ndjson.gz" + pipe + "players.csv" + pipe
	if said != want || !strings.HasSuffix(read, "standings.ndjson: is a folder, not a file") {
		t.Errorf("got %v, want %s", faults, want)
	}
}
