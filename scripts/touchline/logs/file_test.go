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

func logLine(id string) string {
	return fmt.Sprintf(`{"time":"2026-03-14T15:09:26Z","level":"INFO","msg":"request","requestId":"%s","method":"GET","status":200,"durationMicros":1}`+"\n", id)
}

// must ends a test that cannot go on.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// roomy is a size, in bytes, within which a log keeps whatever a test writes.
const roomy = 1 << 20

func TestALogIsBoundedAndKeepsTheNewest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data", FileName)
	one := int64(len(logLine("request-1000")))
	l, err := openLogFile(path, 10*one)
	must(t, err)
	for i := range 35 {
		if _, err := l.Write([]byte(logLine(fmt.Sprint("request-", 1000+i)))); err != nil {
			t.Fatal(err)
		}
	}
	must(t, l.Close())
	for name, most := range map[string]int64{path: 10 * one, Former(path): 10 * one} {
		info, err := os.Stat(name)
		if err != nil || info.Size() > most || info.Size() == 0 || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	files, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(files) != 2 {
		t.Errorf("%d files, %v", len(files), err)
	}
	for i, want := range map[int]bool{0: false, 19: false, 20: true, 29: true, 30: true, 34: true} {
		found, _, err := Find(path, fmt.Sprint("request-", 1000+i))
		if err != nil || (found != nil) != want {
			t.Errorf("request %d: %v, %v", i, found, err)
		}
	}
}

func TestALineThatWasCutShortIsNoFault(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	cut := strings.TrimSuffix(logLine("request-2"), `0,"durationMicros":1}`+"\n")
	must(t, os.WriteFile(path, []byte(logLine("request-1")+cut), 0o600))
	find := func(id string, want bool) {
		t.Helper()
		if found, _, err := Find(path, id); err != nil || (found != nil) != want {
			t.Errorf("%s: %v, %v", id, found, err)
		}
	}
	find("request-1", true)
	find("request-2", false)
	l, err := openLogFile(path, roomy) // the next process
	must(t, err)
	if _, err := l.Write([]byte(logLine("request-3"))); err != nil {
		t.Fatal(err)
	}
	must(t, l.Close())
	find("request-1", true)
	find("request-2", false)
	find("request-3", true)
}

// As on a disk that is full for a while.
func TestALineThatCouldNotBeWrittenWholeCostsNoOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	l, err := openLogFile(path, roomy)
	must(t, err)
	for _, line := range []string{logLine("request-1"), logLine("request-2")[:20], logLine("request-3"), logLine("request-4")} {
		if _, err := l.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	must(t, l.Close())
	for id, want := range map[string]bool{"request-1": true, "request-2": false, "request-3": true, "request-4": true} {
		if found, _, err := Find(path, id); err != nil || (found != nil) != want {
			t.Errorf("%s: %v, %v", id, found, err)
		}
	}
}

func TestOneRequestIsNotTakenForAnother(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	replay := strings.Replace(logLine("request-2"), `"status"`, `"details":{"usedBy":"request-1"},"status"`, 1)
	must(t, os.WriteFile(path, []byte(replay), 0o600))
	if found, _, err := Find(path, "request-1"); err != nil || found != nil {
		t.Errorf("%v, %v", found, err)
	}
	if _, _, err := Find(path+".none", "request-1"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

func TestLinesOfRequestsAtTheSameTimeStayWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	l, err := openLogFile(path, roomy)
	must(t, err)
	var wait sync.WaitGroup
	for i := range 100 {
		wait.Go(func() { _, _ = l.Write([]byte(logLine(fmt.Sprint("request-", i)))) })
	}
	wait.Wait()
	must(t, l.Close())
	for i := range 100 {
		if found, _, err := Find(path, fmt.Sprint("request-", i)); err != nil || found == nil {
			t.Errorf("request %d: %v", i, err)
		}
	}
}

// What is given with --log may be any file.
func TestAnyLogIsReadInBoundedMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	file, err := os.Create(path)
	must(t, err)
	const hole = 256 << 20 // bytes of a line without an end, of which the disk keeps nothing
	must(t, file.Truncate(hole))
	if _, err := file.WriteAt([]byte("\n"+logLine("request-1")+strings.Repeat("x", 100)), hole); err != nil {
		t.Fatal(err)
	}
	must(t, file.Close())
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	found, text, err := Find(path, "request-1")
	runtime.ReadMemStats(&after)
	if err != nil || found == nil || string(text) != strings.TrimSpace(logLine("request-1")) {
		t.Errorf("%v, %s, %v", found, text, err)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 8<<20 {
		t.Errorf("%d bytes were allocated", n)
	}
}

// The file of a log may be moved away while it is written.
func TestALogIsContinuedInANewFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	l, err := openLogFile(path, roomy)
	must(t, err)
	for i, move := range []string{path + ".moved", "", path + ".again"} {
		if _, err := l.Write([]byte(logLine(fmt.Sprint("request-", i)))); err != nil {
			t.Fatal(err)
		}
		if move == "" {
			continue
		}
		must(t, os.Rename(path, move))
		if err := l.Reopen(); err != nil {
			t.Fatal(err)
		}
	}
	must(t, errors.Join(l.Fault(), l.Close()))
	for name, want := range map[string]string{path + ".moved": "0", path + ".again": "1 2"} {
		var got []string
		for _, id := range strings.Fields(want) {
			if found, _, err := Find(name, "request-"+id); err == nil && found != nil {
				got = append(got, id)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s holds %v, want %s", name, got, want)
		}
	}
	// What cannot be written is a fault, until something is.
	l = &logFile{path: filepath.Join(path, "below a file"), most: roomy}
	if _, err := l.Write([]byte(logLine("request-3"))); err == nil || l.Fault() == nil {
		t.Errorf("%v, %v", err, l.Fault())
	}
	l.path = path + ".room"
	if err := l.Fault(); err != nil {
		t.Errorf("where there is room: %v", err)
	}
	if found, _, err := Find(l.path, "request-3"); err != nil || found == nil {
		t.Errorf("the line is lost: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}
