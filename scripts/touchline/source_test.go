package main

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// zipped is an archive of files by name.
func zipped(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range files {
		f, err := w.Create(name)
		must(t, err)
		_, err = f.Write([]byte(text))
		must(t, err)
	}
	must(t, w.Close())
	return b.Bytes()
}

func TestADatasetComesFromAnArchiveToo(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	term, dir := importer(t)
	line := `{"id":"o","type":"club","name":"FC"}` + "\n"
	must(t, os.MkdirAll(dir, 0o700))
	archives := map[string][]byte{
		"set.zip":  zipped(t, map[string]string{"set/organizations.ndjson": line, "__MACOSX/x": ""}),
		"flat.ZIP": zipped(t, map[string]string{"organizations.csv": "id,type,name\no,club,FC\n"}),
	}
	for name, data := range archives {
		file := filepath.Join(dir, name)
		must(t, os.WriteFile(file, data, 0o600))
		if r := report(t, term.succeed(t, "import", "--json", file)); r.Organizations.Created+r.Organizations.Unchanged != 1 {
			t.Errorf("%s: %+v", name, r)
		}
	}
	for name, says := range map[string]string{"cut.zip": "not a complete zip", "no.tar.gz": "is no dataset that can be read"} {
		file := filepath.Join(dir, name)
		must(t, os.WriteFile(file, archives["set.zip"][:40], 0o600))
		term.fails(t, exitFailed, says, "import", file)
	}
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "touchline-import-*")); err != nil || len(left) > 0 {
		t.Errorf("left over: %v %v", left, err)
	}
	term.In = strings.NewReader(line)
	term.fails(t, exitUsage, "--as", "import", "-")
}

// interrupting is standard input on which nothing comes before Ctrl-C, and then until the
// temporary folder is gone.
type interrupting struct {
	interrupt func()
	left      bool // the folder is still there after a while
}

func (r *interrupting) Read([]byte) (int, error) {
	r.interrupt()
	for range 1 << 16 {
		if left, err := filepath.Glob(filepath.Join(os.TempDir(), "touchline-import-*")); err != nil || len(left) == 0 {
			return 0, io.EOF
		}
		runtime.Gosched()
	}
	r.left = true
	return 0, io.EOF
}

// Standard input may go on blocking when a person interrupts the command: a second Ctrl-C
// ends it, and nothing is left then.
func TestAnInterruptedImportLeavesNoFolder(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	term, _ := importer(t)
	ctx, cancel := context.WithCancel(t.Context())
	in := &interrupting{interrupt: cancel}
	term.In = in
	if code := run(ctx, term.onData([]string{"import", "-", "--as", "teams"}), &term.Terminal); code != exitFailed || in.left {
		t.Errorf("exit %d, left %v: %s", code, in.left, term.Errors.String())
	}
}
