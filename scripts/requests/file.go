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
// fs.ErrNotExist if there isn't one.
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
	var r io.Reader = file
	if strings.HasSuffix(name, Compressed) {
		if r, err = gzip.NewReader(bufio.NewReader(file)); err != nil {
			return false, fmt.Errorf("read log %s: %w", name, err)
		}
	}
	err = readLines(r, func(line []byte, _ int, _ bool) bool {
		done = line != nil && use(line)
		return done
	})
	if err != nil {
		err = fmt.Errorf("read log %s: %w", name, err)
	}
	return done, err
}

// readLines reads lines until use returns true. A line is valid until use returns, and
// nil where it is too long. Size is its length in bytes. The last one may not be complete
// yet.
func readLines(r io.Reader, use func(line []byte, size int, complete bool) bool) error {
	in := bufio.NewReaderSize(r, longestLine)
	for size := 0; ; {
		line, err := in.ReadSlice('\n')
		size += len(line)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return err
		case len(line) < size:
			line = nil
		}
		if size > 0 && use(line, size, err == nil) || err != nil {
			return nil
		}
		size = 0
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
