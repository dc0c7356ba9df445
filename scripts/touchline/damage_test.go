package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"touchline/scripts/touchline/database"
)

// Of damaged data doctor and serve say what to do, and restore does not take them for a
// backup. None of them changes the file.
func TestDamagedDataAreLeftAsTheyAre(t *testing.T) {
	dir, path := restored(t)
	whole := bytesOf(t, path)
	cut := func(n int) func([]byte) []byte { return func(b []byte) []byte { return b[:n] } }
	for name, damage := range map[string]func([]byte) []byte{
		"cut in its head":    cut(50),
		"cut after its head": cut(4096),
		"cut in a page":      cut(len(whole)/2 + 100),
		"another file":       func([]byte) []byte { return bytes.Repeat([]byte("no database\n"), 1000) },
		"without its heads":  func(b []byte) []byte { clear(b[:8192]); return b },
		"without its data":   func(b []byte) []byte { clear(b[8192:]); return b },
	} {
		t.Run(name, func(t *testing.T) {
			damaged := damage(bytes.Clone(whole))
			must(t, os.WriteFile(path, damaged, 0o600))
			unchanged := func(who string) {
				t.Helper()
				if is := bytesOf(t, path); !bytes.Equal(damaged, is) {
					t.Errorf("%s has changed the file", who)
				}
			}
			looks := newTerminal(nil)
			looks.run("doctor", "--json", "--data-dir="+dir)
			found := examined(t, looks.Output.String())
			if !strings.Contains(found["database"].Message+found["file"].Message, "touchline restore") {
				t.Errorf("doctor: %+v", found)
			}
			unchanged("doctor")
			restore := newTerminal(nil)
			restore.fails(t, exitFailed, path, "restore", path, "--data-dir="+t.TempDir())
			unchanged("restore")
			serve := newTerminal(nil)
			serve.fails(t, exitFailed, "touchline restore", "serve", "--addr=127.0.0.1:0", "--data-dir="+dir)
			unchanged("serve")
		})
	}
}

// Where records are missing, whatever reads the rest says so, and of a large file that all is
// read first.
func TestWhatIsMissingIsSaid(t *testing.T) {
	dir, path := restored(t)
	damaged := bytesOf(t, path)
	for page := len(damaged) / 8192; ; page++ {
		if at := damaged[page*4096:]; at[8] == 2 && at[10] > 1 { // a leaf, and of how many records
			at[10]--
			break
		}
	}
	must(t, os.WriteFile(path, damaged, 0o600))
	must(t, os.Truncate(path, 2<<30))
	for _, line := range []string{"keys list", "usage", "loads", "export " + filepath.Join(t.TempDir(), "out")} {
		term := newTerminal(nil)
		term.run(append(strings.Fields(line), "--data-dir="+dir)...)
		if said := term.Errors.String(); !strings.Contains(said, "reading "+path+" first, 2048 MB\nwarning: the data in "+dir+" cannot be read in full") || !strings.Contains(said, "touchline restore") {
			t.Errorf("%s: %s", line, said)
		}
	}
}

// A folder without data is said to be so, and stays without.
func TestAFolderWithoutDataIsSaid(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	dir := t.TempDir()
	for _, line := range []string{"keys list", "export " + filepath.Join(dir, "out"), "score M 1:0", "undo", "usage", "check", "doctor", "backup " + filepath.Join(dir, "copy.db"), "loads", "explain-table liga"} {
		term := newTerminal(nil)
		code := term.run(append(strings.Fields(line), "--data-dir="+filepath.Join(dir, "data"))...)
		if said := term.Errors.String() + term.Output.String(); code != exitFailed || !strings.Contains(said, "there are no data in "+filepath.Join(dir, "data")+": load a dataset with `touchline import`") {
			t.Errorf("%s: exit %d, %s", line, code, said)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "data", database.FileName)); err == nil {
		t.Error("there is a file now")
	}
}
