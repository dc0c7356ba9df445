package requests

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Tail reads a log from where it stopped the last time, even if a new file has
// been started since.
type Tail struct {
	Path string // of the log
	at   int64
	file fs.FileInfo // the file that at refers to
}

// Read passes on each complete line that was added. The error is fs.ErrNotExist
// if there is no log.
func (t *Tail) Read(use func(line []byte)) error {
	file, err := os.Open(filepath.Clean(t.Path))
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // only read
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if t.file != nil && !os.SameFile(t.file, info) {
		t.rest(use)
		t.at = 0
	}
	t.file = info
	n, err := linesFrom(file, t.at, use)
	t.at += n
	return err
}

// rest passes on what was added to the file that is now the former one.
func (t *Tail) rest(use func(line []byte)) {
	file, err := os.Open(filepath.Clean(Former(t.Path, 1)))
	if err != nil {
		return
	}
	defer file.Close() //nolint:errcheck // only read
	if info, err := file.Stat(); err == nil && os.SameFile(t.file, info) {
		_, _ = linesFrom(file, t.at, use) // shown as far as it can be read
	}
}

// linesFrom passes on the complete lines of a file from an offset, and returns
// how many bytes they have.
func linesFrom(file *os.File, at int64, use func(line []byte)) (read int64, err error) {
	if _, err := file.Seek(at, io.SeekStart); err != nil {
		return 0, err
	}
	err = readLines(file, func(line []byte, size int, complete bool) bool {
		if !complete {
			return true
		}
		read += int64(size)
		if line = bytes.TrimSpace(line); json.Valid(line) {
			use(line)
		}
		return false
	})
	return read, err
}
