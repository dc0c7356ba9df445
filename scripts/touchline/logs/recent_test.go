package logs

import (
	"errors"
	"io/fs"
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
	add(t, Former(path), logLine(1))
	add(t, path, logLine(2)+"no line\n"+logLine(3))
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
	add(t, path, logLine(4))
	if got := ids(time.Date(2026, time.March, 14, 10, 3, 0, 0, time.UTC)); got != "r4 r3 " {
		t.Error(got)
	}
	if found, _, err := f.Find(t.Context(), "r2"); err != nil || found == nil {
		t.Errorf("%v, %v", found, err)
	}
}
