//go:build unix

package spreadsheet

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"touchline/shared/dataset/format"
)

// A link to a pipe is not opened, which would wait for a writer.
func TestAPipeIsNoWorkbook(t *testing.T) {
	dir, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(elsewhere, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(dir, "liga.xlsx")); err != nil {
		t.Fatal(err)
	}
	if _, err := format.Read(t.Context(), os.DirFS(dir), format.Options{Workbooks: Workbooks}); err == nil || !strings.Contains(err.Error(), "liga.xlsx: is a pipe, a socket or a device, not a file") {
		t.Error(err)
	}
}
