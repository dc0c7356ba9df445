package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"touchline/scripts/touchline/database"
)

// filesOf are the files of a folder but for the lock, with what they hold.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	files := map[string]string{}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".lock") {
			files[e.Name()] = string(bytesOf(t, filepath.Join(dir, e.Name())))
		}
	}
	return files
}

// Of a damaged database doctor and serve say what to do, and restore does not take it for a backup. None of them changes a file.
func TestADamagedDatabaseIsLeftAsItIs(t *testing.T) {
	dir, path := restored(t)
	whole := bytesOf(t, path)
	cut := func(n int) func([]byte) []byte { return func(b []byte) []byte { return b[:n] } }
	for name, damage := range map[string]func([]byte) []byte{
		"cut in its header":  cut(50),
		"cut after a page":   cut(4096),
		"cut in a page":      cut(len(whole)/2 + 100),
		"cut by a byte":      cut(len(whole) - 1),
		"another file":       func([]byte) []byte { return bytes.Repeat([]byte("no database\n"), 1000) },
		"without its schema": func(b []byte) []byte { clear(b[100:4096]); return b },
		"without its data":   func(b []byte) []byte { clear(b[4096:]); return b },
	} {
		for _, log := range []string{"", "a log of which no frame is whole"} {
			if log != "" && name == "cut by a byte" {
				continue // beside a log its header need not say how long it is
			}
			t.Run(name+" "+log, func(t *testing.T) {
				must(t, os.WriteFile(path, damage(bytes.Clone(whole)), 0o600))
				if log != "" {
					must(t, os.WriteFile(path+"-wal", []byte(log), 0o600))
					defer os.Remove(path + "-wal") //nolint:errcheck // of a folder for tests
				}
				was := filesOf(t, dir)
				unchanged := func(who string) {
					t.Helper()
					if is := filesOf(t, dir); !maps.Equal(was, is) {
						t.Errorf("%s has changed a file", who)
					}
				}
				doctor := newTerminal(map[string]string{"AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:1"})
				doctor.run("doctor", "--json", "--data-dir="+dir)
				if found := examined(t, doctor.Output.String())["file"]; found.State != wrong || !strings.Contains(found.Message, "touchline restore") {
					t.Errorf("doctor: %+v", found)
				}
				unchanged("doctor")
				restore := newTerminal(nil)
				if code := restore.run("restore", path, "--data-dir="+t.TempDir()); code != exitFailed || !strings.Contains(restore.Errors.String(), path+" ") && !strings.Contains(restore.Errors.String(), path+":") {
					t.Errorf("restore of it: exit %d, %s", code, restore.Errors.String())
				}
				unchanged("restore")
				if log != "" {
					return // whoever starts an engine has it read the log
				}
				serve := newTerminal(nil)
				if code := serve.run("serve", "--addr=127.0.0.1:0", "--dynamodb-addr=127.0.0.1:0", "--data-dir="+dir); code != exitFailed || !strings.Contains(serve.Errors.String(), "touchline restore") {
					t.Errorf("serve: exit %d, %s", code, serve.Errors.String())
				}
				unchanged("serve")
			})
		}
	}
}

// A database whose log was taken away, and one that was cut to nothing, are said to be so.
func TestWhatIsMissingNextToADatabaseIsSaid(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, database.FileName)
	writeFile(t, path, "")
	writeFile(t, path+"-shm", "of a killed engine")
	looks := newTerminal(map[string]string{"AWS_ENDPOINT_URL_DYNAMODB": "http://127.0.0.1:1"})
	looks.run("doctor", "--data-dir="+dir)
	for _, want := range []string{"the last writes are lost", path + " is empty"} {
		if said := looks.Output.String(); !strings.Contains(said, want) {
			t.Errorf("doctor does not say %q: %s", want, said)
		}
	}
	if len(filesOf(t, dir)) != 2 || len(bytesOf(t, path)) > 0 {
		t.Errorf("doctor has changed %v", filesOf(t, dir))
	}
}
