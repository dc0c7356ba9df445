package engine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// numbers is a database with the numbers up to the last, written by an engine that is
// asked to stop, or killed: then the numbers are in its log.
func numbers(t *testing.T, path string, last int, killed bool) {
	t.Helper()
	e := begin(t, Options{DBPath: path})
	if _, err := call(e.Endpoint, "CreateTable", createTable); err != nil {
		t.Fatal(err)
	}
	for n := range last + 1 {
		if _, err := call(e.Endpoint, "PutItem", fmt.Sprintf(putNumber, n)); err != nil {
			t.Fatal(err)
		}
	}
	if killed {
		if err := e.process.Kill(); err != nil {
			t.Fatal(err)
		}
		<-e.Done()
		if _, err := os.Stat(path + "-wal"); err != nil {
			t.Fatal("the killed engine has left no log")
		}
	} else if err := e.Stop(); err != nil {
		t.Fatal(err)
	}
}

// lastNumber is the largest number in a database, as the next start finds it.
func lastNumber(t *testing.T, path string) int {
	t.Helper()
	e := begin(t, Options{DBPath: path})
	n := 0
	for {
		got, err := call(e.Endpoint, "GetItem", fmt.Sprintf(getNumber, n))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(got, fmt.Sprintf(`"S":"%d"`, n)) {
			break
		}
		n++
	}
	if err := e.Stop(); err != nil {
		t.Fatal(err)
	}
	return n - 1
}

// A restore that is killed between any two of its steps leaves the former database
// whole, with what a killed engine had left in its log, or the new one.
func TestAKilledRestoreLeavesOneDatabaseWhole(t *testing.T) {
	const former, restored = 3, 5
	killed := len(exchange("", "", "kept"))
	for n := range killed + 1 {
		path := filepath.Join(t.TempDir(), "[1]", "db") // a pattern of file names, too
		numbers(t, path, former, true)
		numbers(t, path+".saved", restored, false)
		lock, err := prepareDatabase(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".saved", path+".new"); err != nil {
			t.Fatal(err)
		}
		kept := unused(path)
		for _, step := range exchange(path, path+".new", kept)[:n] {
			if err := step(); err != nil {
				t.Fatal(err)
			}
		}
		if err := lock.Close(); err != nil {
			t.Fatal(err)
		}
		want := former
		if n == killed {
			want = restored
		}
		if said := Remains(path); (said != "") != (n < killed) {
			t.Errorf("killed after step %d: it says %q", n, said)
		}
		if got := lastNumber(t, path); got != want {
			t.Errorf("killed after step %d: %d, want %d", n, got, want)
		}
		if Remains(path) != "" {
			t.Errorf("killed after step %d: the next start leaves %s.new", n, path)
		}
		names := keptFiles(path)
		if n < killed && len(names) > 0 {
			t.Errorf("killed after step %d: the next start leaves %v", n, names)
		}
		if n == killed && lastNumber(t, kept) != former {
			t.Errorf("what is kept is not the former one: %v", names)
		}
	}
}

// What is kept has the name and the log of the former database, also where no engine can
// read either of them, and no other file changes.
func TestWhatARestoreKeeps(t *testing.T) {
	killed := len(exchange("", "", "kept"))
	for n := range killed + 1 {
		path := filepath.Join(t.TempDir(), "db")
		for _, suffix := range []string{"", "-wal", ".new", ".before-1", ".before-3"} {
			if err := os.WriteFile(path+suffix, []byte("db"+suffix), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		kept := unused(path)
		for _, step := range exchange(path, path+".new", kept)[:n] {
			if err := step(); err != nil {
				t.Fatal(err)
			}
		}
		want := map[string]string{"": "db", "-wal": "db-wal"}
		if n == killed {
			want = map[string]string{"": "db.new", ".before-2": "db", ".before-2-wal": "db-wal"}
		}
		want[".before-1"], want[".before-3"] = "db.before-1", "db.before-3"
		if err := settled(path); err != nil {
			t.Fatal(err)
		}
		for _, suffix := range []string{"", "-wal", ".new", ".before-1", ".before-2", ".before-2-wal", ".before-3"} {
			got, err := os.ReadFile(path + suffix)
			if string(got) != want[suffix] || err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Errorf("killed after step %d: %s holds %q, want %q: %v", n, suffix, got, want[suffix], err)
			}
		}
	}
}
