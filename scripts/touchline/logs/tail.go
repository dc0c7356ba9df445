package logs

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"touchline/shared/accesslog"
)

// longestLine bounds a line of a log, in bytes. A request takes some KB, with
// the stack of a fault some ten; longer lines are not ours.
const longestLine = 1 << 20

// Former is the name of a log's former file.
func Former(path string) string { return path + ".1" }

// Tail reads a log: first all of its former file and of the file itself, then what
// was added since, even if a new file has been started meanwhile.
type Tail struct {
	Path string // of the log
	at   int64
	file fs.FileInfo // the file that at refers to; nil: nothing was read yet
}

// Read passes on each complete line that was added, the oldest first; a line is valid
// until use returns. The error is fs.ErrNotExist if there is no log.
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
	if t.file == nil || !os.SameFile(t.file, info) {
		t.former(use)
		t.at = 0
	}
	t.file = info
	n, err := linesFrom(file, t.at, use)
	t.at += n
	return err
}

// former passes on what was added to the file that is now the former one.
func (t *Tail) former(use func(line []byte)) {
	file, err := os.Open(filepath.Clean(Former(t.Path)))
	if err != nil {
		return
	}
	defer file.Close() //nolint:errcheck // only read
	if info, err := file.Stat(); err == nil && (t.file == nil || os.SameFile(t.file, info)) {
		_, _ = linesFrom(file, t.at, use) // shown as far as it can be read
	}
}

// linesFrom passes on the complete lines of a file from an offset, without those that
// are too long, and returns how many bytes all of them have.
func linesFrom(file *os.File, at int64, use func(line []byte)) (read int64, err error) {
	if _, err := file.Seek(at, io.SeekStart); err != nil {
		return 0, err
	}
	in := bufio.NewReaderSize(file, longestLine)
	for size := 0; ; {
		line, err := in.ReadSlice('\n')
		size += len(line)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF): // the last line may not be complete yet
			return read, nil
		case err != nil:
			return read, err
		case len(line) == size:
			use(bytes.TrimSpace(line))
		}
		read += int64(size)
		size = 0
	}
}

// Find looks for a request in a log and its former file, and returns its line;
// nil if there isn't one. The error is fs.ErrNotExist if there is no log.
func Find(path, requestID string) (found *accesslog.Line, text []byte, err error) {
	err = (&Tail{Path: path}).Read(func(line []byte) {
		if !bytes.Contains(line, []byte(requestID)) {
			return
		}
		if l, err := accesslog.Parse(line); err == nil && l.RequestID == requestID {
			found, text = &l, bytes.Clone(line)
		}
	})
	return found, text, err
}
