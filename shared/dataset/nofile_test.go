//go:build unix

package dataset

import (
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
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
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	for what, err := range map[string]error{
		"pipe":   syscall.Mkfifo("organizations.ndjson", 0o600),
		"other":  syscall.Mkfifo(elsewhere, 0o600),
		"link":   os.Symlink(elsewhere, "teams.ndjson.gz"),
		"device": os.Symlink("/dev/null", "competitions.csv"),
		"folder": os.Symlink(t.TempDir(), "standings.ndjson"),
		"text":   os.WriteFile("text", []byte(`{"id":"m"}`), 0o600),
		"file":   os.Symlink("text", "matches.ndjson"),
	} {
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	set, err := Read(t.Context(), careful{os.DirFS(dir).(fs.StatFS), t}, Options{}) //nolint:forcetypeassert // of the library
	faults, ok := err.(*Faults)                                                     //nolint:errorlint // as it is returned
	if !ok || set == nil || !faults.OfFiles() {
		t.Fatalf("got %v, %v", set, err)
	}
	want := map[string]string{
		"organizations.ndjson": "is a pipe, a socket or a device, not a file", "teams.ndjson.gz": "is a pipe, a socket or a device, not a file", "players.csv": "is a pipe, a socket or a device, not a file",
		"competitions.csv": "is a pipe, a socket or a device, not a file", "standings.ndjson": "is a folder, not a file",
	}
	got, read := map[string]string{}, false
	for _, f := range faults.List {
		if f.File == "matches.ndjson" {
			read = true
			continue
		}
		got[f.File] = f.Message
	}
	if diff := cmp.Diff(want, got); diff != "" || !read {
		t.Errorf("the link to a file is read: %t; faults (-want +got):\n%s", read, diff)
	}
}
