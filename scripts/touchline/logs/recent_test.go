package logs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestRecentIsTheNewestFirst(t *testing.T) {
	path := filepath.Join(t.TempDir(), "requests.log")
	f := &File{Path: path}
	if _, err := f.Recent(t.Context(), time.Time{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without a log: %v", err)
	}
	line := func(n int) string {
		return fmt.Sprintf(`{"time":"2026-03-14T10:%02d:00Z","level":"INFO","msg":"request","requestId":"r%d","status":200}`+"\n", n, n)
	}
	write := func(name, text string) {
		t.Helper()
		file, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		must(t, err)
		if _, err := file.WriteString(text); err != nil {
			t.Fatal(err)
		}
		must(t, file.Close())
	}
	write(Former(path), line(1))
	write(path, line(2)+"no line\n"+line(3))
	f = &File{Path: path}
	ids := func(from time.Time) (ids string) {
		t.Helper()
		lines, err := f.Recent(t.Context(), from)
		must(t, err)
		for _, l := range lines {
			ids += l.RequestID + " "
		}
		return ids
	}
	if got := ids(time.Time{}); got != "r3 r2 r1 " {
		t.Error(got)
	}
	write(path, line(4))
	if got := ids(time.Date(2026, time.March, 14, 10, 3, 0, 0, time.UTC)); got != "r4 r3 " {
		t.Error(got)
	}
	if found, _, err := f.Find(t.Context(), "r2"); err != nil || found == nil {
		t.Errorf("%v, %v", found, err)
	}
}
