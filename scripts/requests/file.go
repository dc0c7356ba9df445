package requests

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"touchline/shared/accesslog"
)

// longestLine bounds a line of a log, in bytes. A request takes some KB, with
// the stack of a fault some ten; longer lines are not ours.
const longestLine = 1 << 20

// Former is the name of a log's n-th former file, of which the first is the newest.
func Former(path string, n int) string { return path + "." + strconv.Itoa(n) }

// Compressed is what the name of a file ends in that an operator compressed with
// gzip. Its lines are read like any others.
const Compressed = ".gz"

// FormerFiles are the former files of a log, the newest first.
func FormerFiles(path string) (names []string) {
	for n := 1; ; n++ {
		name := Former(path, n)
		if !isFile(name) {
			name += Compressed
		}
		if !isFile(name) {
			return names
		}
		names = append(names, name)
	}
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// Read reads the lines of a log, then those of its former files, the newest first,
// until use returns true. A line is valid until use returns. The error is
// fs.ErrNotExist if there is none.
func Read(path string, use func(line []byte) (done bool)) error {
	former := FormerFiles(path)
	done, err := ReadFile(path, use)
	if errors.Is(err, fs.ErrNotExist) && len(former) > 0 { // it was moved just now
		err = nil
	}
	for i := 0; i < len(former) && err == nil && !done; i++ {
		if done, err = ReadFile(former[i], use); errors.Is(err, fs.ErrNotExist) {
			err = nil // it was dropped meanwhile
		}
	}
	return err
}

// ReadFile is Read of one file, and reports whether use returned true.
func ReadFile(name string, use func([]byte) bool) (done bool, err error) {
	file, err := os.Open(filepath.Clean(name))
	if err != nil {
		return false, err
	}
	defer file.Close() //nolint:errcheck // only read
	r := bufio.NewReaderSize(file, longestLine)
	if strings.HasSuffix(name, Compressed) {
		unpacked, err := gzip.NewReader(r)
		if err != nil {
			return false, fmt.Errorf("read log %s: %w", name, err)
		}
		r = bufio.NewReaderSize(unpacked, longestLine)
	}
	for long := false; ; {
		line, err := r.ReadSlice('\n')
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			long = true
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return false, fmt.Errorf("read log %s: %w", name, err)
		}
		if !long && use(line) {
			return true, nil
		}
		if err != nil {
			return false, nil
		}
		long = false
	}
}

// Find looks for a request in a log and its former files, and returns its line;
// nil if there isn't one. The error is fs.ErrNotExist if there is no log.
func Find(path, requestID string) (found *accesslog.Line, text []byte, err error) {
	err = Read(path, func(line []byte) bool {
		if !bytes.Contains(line, []byte(requestID)) {
			return false
		}
		l, err := accesslog.Parse(line)
		if err != nil || l.RequestID != requestID {
			return false
		}
		found, text = &l, bytes.Clone(bytes.TrimSpace(line))
		return true
	})
	return found, text, err
}

// lineReader reads a log line by line.
type lineReader struct{ r *bufio.Reader }

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{bufio.NewReaderSize(r, longestLine)}
}

// next returns a complete line without its end, valid until the next call, and
// the number of bytes read; nil for a line that is too long. io.EOF means that
// there are no more complete lines.
func (l *lineReader) next() (line []byte, read int64, err error) {
	for {
		part, err := l.r.ReadSlice('\n')
		read += int64(len(part))
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil:
			return nil, 0, err
		case int64(len(part)) < read:
			return nil, read, nil
		}
		return bytes.TrimSpace(part), read, nil
	}
}
