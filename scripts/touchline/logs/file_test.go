package logs

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// logLine is a line of the request r with a number, so many minutes after ten.
func logLine(n int) string {
	return fmt.Sprintf(`{"time":"2026-03-14T1%d:%02d:00Z","level":"INFO","msg":"request","requestId":"r%d","method":"GET","status":200,"durationMicros":1}`+"\n", n/60, n%60, n)
}

// must ends a test that cannot go on.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// add adds text to a file.
func add(t *testing.T, path, text string) {
	t.Helper()
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	must(t, err)
	_, err = file.WriteString(text)
	must(t, errors.Join(err, file.Close()))
}

// writes has a log write texts.
func (l *logFile) writes(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		_, err := l.Write([]byte(text))
		must(t, err)
	}
}

// holds fails unless of some requests a log has exactly those with true.
func holds(t *testing.T, path string, want map[int]bool) {
	t.Helper()
	for n, want := range want {
		if found, _, err := Find(path, fmt.Sprintf("r%d", n)); err != nil || (found != nil) != want {
			t.Errorf("%s: request %d: %v, %v", path, n, found, err)
		}
	}
}

// opened is a log in a folder, within which it keeps most bytes.
func opened(t *testing.T, path string, most int64) *logFile {
	t.Helper()
	l, err := openLogFile(path, most)
	must(t, err)
	return l
}

// roomy is a size, in bytes, within which a log keeps whatever a test writes.
const roomy = 1 << 20

func TestALogIsBoundedAndKeepsTheNewest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data", FileName)
	most := int64(10 * len(logLine(100)))
	l := opened(t, path, most)
	for n := range 35 {
		l.writes(t, logLine(100+n))
	}
	must(t, l.Close())
	for _, name := range []string{path, Former(path)} {
		if info, err := os.Stat(name); err != nil || info.Size() > most || info.Size() == 0 || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != 2 {
		t.Errorf("%d files, %v", len(files), err)
	}
	holds(t, path, map[int]bool{100: false, 119: false, 120: true, 129: true, 130: true, 134: true})
}

// By a process that was killed, or on a disk that is full for a while.
func TestALineThatWasCutShortCostsNoOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	add(t, path, logLine(1)+strings.TrimSuffix(logLine(2), `0,"durationMicros":1}`+"\n"))
	holds(t, path, map[int]bool{1: true, 2: false})
	l := opened(t, path, roomy) // the next process
	l.writes(t, logLine(3), logLine(4)[:20], logLine(5), logLine(6))
	must(t, l.Close())
	holds(t, path, map[int]bool{1: true, 2: false, 3: true, 4: false, 5: true, 6: true})
}

func TestOneRequestIsNotTakenForAnother(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	add(t, path, strings.Replace(logLine(2), `"status"`, `"details":{"usedBy":"r1"},"status"`, 1))
	holds(t, path, map[int]bool{1: false, 2: true})
	if _, _, err := Find(path+".none", "r1"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

func TestLinesOfRequestsAtTheSameTimeStayWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	l := opened(t, path, roomy)
	var wait sync.WaitGroup
	all := map[int]bool{}
	for n := range 100 {
		all[n] = true
		wait.Go(func() { _, _ = l.Write([]byte(logLine(n))) })
	}
	wait.Wait()
	must(t, l.Close())
	holds(t, path, all)
}

// What is given with --log may be any file.
func TestAnyLogIsReadInBoundedMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	file, err := os.Create(path)
	must(t, err)
	const hole = 256 << 20 // bytes of a line without an end, of which the disk keeps nothing
	must(t, file.Truncate(hole))
	must(t, file.Close())
	add(t, path, "\n"+logLine(1)+strings.Repeat("x", 100))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	holds(t, path, map[int]bool{1: true})
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 8<<20 {
		t.Errorf("%d bytes were allocated", n)
	}
}

// The file of a log may be moved away while it is written.
func TestALogIsContinuedInANewFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	l := opened(t, path, roomy)
	l.writes(t, logLine(1))
	must(t, os.Rename(path, path+".moved"))
	must(t, l.Reopen())
	l.writes(t, logLine(2))
	must(t, errors.Join(l.Fault(), l.Close()))
	holds(t, path+".moved", map[int]bool{1: true, 2: false})
	holds(t, path, map[int]bool{1: false, 2: true})
	// What cannot be written is a fault, until something is.
	l = &logFile{path: filepath.Join(path, "below a file"), most: roomy}
	if _, err := l.Write([]byte(logLine(3))); err == nil || l.Fault() == nil {
		t.Errorf("%v, %v", err, l.Fault())
	}
	l.path = path + ".room"
	must(t, errors.Join(l.Fault(), l.Close()))
	holds(t, l.path, map[int]bool{3: true})
}
