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

	"touchline/scripts/touchline/terminal"
	"touchline/shared/accesslog"
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

// opened is a log that is written.
func opened(t *testing.T, path string) *logFile {
	t.Helper()
	l, err := openLogFile(path)
	must(t, err)
	return l
}

// By a process that was killed, or on a disk that is full for a while.
func TestALineThatWasCutShortCostsNoOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	add(t, path, logLine(1)+strings.TrimSuffix(logLine(2), `0,"durationMicros":1}`+"\n"))
	holds(t, path, map[int]bool{1: true, 2: false})
	l := opened(t, path) // the next process
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
	l := opened(t, path)
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
	l := opened(t, path)
	l.writes(t, logLine(1))
	must(t, os.Rename(path, path+".1"))
	must(t, l.Reopen())
	l.writes(t, logLine(2))
	must(t, errors.Join(l.Fault(), l.Close()))
	holds(t, path+".1", map[int]bool{1: true, 2: false})
	holds(t, path, map[int]bool{1: true, 2: true}) // with the one that logrotate made of it last
	// What cannot be written is a fault, until something is.
	l = &logFile{path: filepath.Join(path, "below a file")}
	if _, err := l.Write([]byte(logLine(3))); err == nil || l.Fault() == nil {
		t.Errorf("%v, %v", err, l.Fault())
	}
	l.path = path + ".room"
	must(t, errors.Join(l.Fault(), l.Close()))
	holds(t, l.path, map[int]bool{3: true})
}

func TestFaultsAreShownAlsoWhereItIsQuiet(t *testing.T) {
	term := terminal.NewScreen(nil)
	w := &watcher{terminal: &term.Terminal, quiet: true}
	w.request(&accesslog.Line{Method: "GET", Status: 404, RequestID: "1"})
	w.request(&accesslog.Line{Method: "GET", Status: 503, RequestID: "2", Code: "serviceUnavailable", Cause: "table nonces: throttled",
		Check: 11, RefusedBy: "nonce", Why: accesslog.StoreFailed})
	got := term.Errors.String()
	if strings.Contains(got, "404") || !strings.Contains(got, "503 serviceUnavailable: nonce (storeFailed)") || !strings.Contains(got, "throttled") {
		t.Errorf("%s", got)
	}
}
