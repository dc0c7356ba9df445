package logs

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"touchline/scripts/requests"
)

func logLine(id string) string {
	return fmt.Sprintf(`{"time":"2026-03-14T15:09:26Z","level":"INFO","msg":"request","requestId":"%s","method":"GET","status":200,"durationMicros":1}`+"\n", id)
}

// roomy is a log that keeps whatever a test writes.
var roomy = kept{one: 1 << 20, all: 2 << 20, days: 30}

func TestALogIsBoundedAndKeepsTheNewest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data", FileName)
	one := int64(len(logLine("request-1000")))
	l, err := openLogFile(path, kept{10 * one, 20 * one, 30}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 35 {
		if _, err := l.Write([]byte(logLine(fmt.Sprint("request-", 1000+i)))); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	for name, most := range map[string]int64{path: 10 * one, requests.Former(path, 1): 10 * one} {
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
		found, _, err := requests.Find(path, fmt.Sprint("request-", 1000+i))
		if err != nil || (found != nil) != want {
			t.Errorf("request %d: %v, %v", i, found, err)
		}
	}
}

// Each day has a file of its own, and goes when it is too old.
func TestALogKeepsSomeDays(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	now := time.Date(2026, time.March, 14, 15, 0, 0, 0, time.UTC)
	l, err := openLogFile(path, kept{1 << 20, 1 << 30, 3}, func() time.Time { return now })
	if err != nil {
		t.Fatal(err)
	}
	for day := range 8 {
		for hour := range 2 {
			if _, err := l.Write([]byte(logLine(fmt.Sprintf("request-%d-%d", day, hour)))); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chtimes(path, now, now); err != nil { // the clock of the disk is the machine's
			t.Fatal(err)
		}
		now = now.AddDate(0, 0, 1)
	}
	if err := errors.Join(l.Fault(), l.Close()); err != nil {
		t.Fatal(err)
	}
	var got []string
	if err := requests.Read(path, func(line []byte) bool {
		if _, id, ok := strings.Cut(string(line), `"requestId":"request-`); ok {
			got = append(got, id[:3])
		}
		return false
	}); err != nil {
		t.Fatal(err)
	}
	if want := "7-0 7-1 6-0 6-1 5-0 5-1 4-0 4-1"; strings.Join(got, " ") != want {
		t.Errorf("kept %s, want %s", strings.Join(got, " "), want)
	}
}

func TestALineThatWasCutShortIsNoFault(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	cut := strings.TrimSuffix(logLine("request-2"), `0,"durationMicros":1}`+"\n")
	if err := os.WriteFile(path, []byte(logLine("request-1")+cut), 0o600); err != nil {
		t.Fatal(err)
	}
	find := func(id string, want bool) {
		t.Helper()
		if found, _, err := requests.Find(path, id); err != nil || (found != nil) != want {
			t.Errorf("%s: %v, %v", id, found, err)
		}
	}
	find("request-1", true)
	find("request-2", false)
	l, err := openLogFile(path, roomy, time.Now) // the next process
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.Write([]byte(logLine("request-3"))); err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	find("request-1", true)
	find("request-2", false)
	find("request-3", true)
}

// As on a disk that is full for a while.
func TestALineThatCouldNotBeWrittenWholeCostsNoOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	l, err := openLogFile(path, roomy, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{logLine("request-1"), logLine("request-2")[:20], logLine("request-3"), logLine("request-4")} {
		if _, err := l.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]bool{"request-1": true, "request-2": false, "request-3": true, "request-4": true} {
		if found, _, err := requests.Find(path, id); err != nil || (found != nil) != want {
			t.Errorf("%s: %v, %v", id, found, err)
		}
	}
}

func TestOneRequestIsNotTakenForAnother(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	replay := strings.Replace(logLine("request-2"), `"status"`, `"details":{"usedBy":"request-1"},"status"`, 1)
	if err := os.WriteFile(path, []byte(replay), 0o600); err != nil {
		t.Fatal(err)
	}
	if found, _, err := requests.Find(path, "request-1"); err != nil || found != nil {
		t.Errorf("%v, %v", found, err)
	}
	if _, _, err := requests.Find(path+".none", "request-1"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

func TestLinesOfRequestsAtTheSameTimeStayWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	l, err := openLogFile(path, roomy, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	var wait sync.WaitGroup
	for i := range 100 {
		wait.Go(func() { _, _ = l.Write([]byte(logLine(fmt.Sprint("request-", i)))) })
	}
	wait.Wait()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		if found, _, err := requests.Find(path, fmt.Sprint("request-", i)); err != nil || found == nil {
			t.Errorf("request %d: %v", i, err)
		}
	}
	if _, err := l.Write([]byte("x\n")); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("%v", err)
	}
}

// Between two lines of serve there may be none but the former log; and what is
// given with --log may be any file.
func TestAnyLogIsReadInBoundedMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	file, err := os.Create(requests.Former(path, 1))
	if err != nil {
		t.Fatal(err)
	}
	const hole = 256 << 20 // bytes of a line without an end, of which the disk keeps nothing
	if err := file.Truncate(hole); err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteAt([]byte("\n"+logLine("request-1")+strings.Repeat("x", 100)), hole); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	found, text, err := requests.Find(path, "request-1")
	runtime.ReadMemStats(&after)
	if err != nil || found == nil || string(text) != strings.TrimSpace(logLine("request-1")) {
		t.Errorf("%v, %s, %v", found, text, err)
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 8<<20 {
		t.Errorf("%d bytes were allocated", n)
	}
}

// Operators compress what the log keeps, or move it away.
func TestCompressedFilesOfALogAreRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), FileName)
	compress(t, requests.Former(path, 1)+".gz", logLine("request-1")+logLine("request-2"))
	compress(t, requests.Former(path, 2)+".gz", logLine("request-0")+strings.Repeat("x", 64<<20)+"\n"+logLine("request-a"))
	one := int64(len(logLine("request-3")))
	l, err := openLogFile(path, kept{one, 1 << 20, 30}, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	for i := 3; i < 5; i++ { // the second is in a new file
		if _, err := l.Write([]byte(logLine(fmt.Sprint("request-", i)))); err != nil {
			t.Fatal(err)
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, log := range []struct{ path, ids string }{
		{path, "0 a 1 2 3 4"},
		{requests.Former(path, 3) + ".gz", "0 a"}, // which turning has made of the second
	} {
		var shown []string
		lines, err := (&Command{Limit: 20}).before(&requests.Tail{Path: log.path})
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range lines {
			_, id, _ := strings.Cut(string(text), `"requestId":"request-`)
			shown = append(shown, id[:1])
		}
		if got := strings.Join(shown, " "); got != log.ids {
			t.Errorf("%s: %s, want %s", log.path, got, log.ids)
		}
		if found, _, err := requests.Find(log.path, "request-a"); err != nil || found == nil {
			t.Errorf("%s: %v, %v", log.path, found, err)
		}
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 32<<20 {
		t.Errorf("%d bytes were allocated", n)
	}

	if err := os.WriteFile(path+".gz", []byte("no gzip"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := requests.Find(path+".gz", "request-1"); err == nil || !strings.Contains(err.Error(), path+".gz") {
		t.Errorf("a damaged file: %v", err)
	}
}

// compress writes a file as gzip does.
func compress(t *testing.T, name, text string) {
	t.Helper()
	file, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	w := gzip.NewWriter(file)
	_, err = w.Write([]byte(text))
	if err := errors.Join(err, w.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
}
