package logs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"touchline/scripts/requests"
)

// logSize is the size, in bytes, at which a log file becomes a former one: twenty
// thousand requests.
const logSize = 10 << 20

// kept is how much a log keeps.
type kept struct {
	one, all int64 // bytes of a file, and of all together
	days     int
}

// logFile is a log with its former files. It is safe for concurrent use.
type logFile struct {
	path string
	kept kept
	now  func() time.Time

	mu    sync.Mutex
	ended bool
	file  *os.File // nil: it could not be opened
	size  int64
	day   string // of its last line
	torn  bool   // the last line was not written whole
	fault error  // of the last line
}

// openLogFile continues the file at path. It ends a line that a killed process
// left unfinished.
func openLogFile(path string, keep kept, now func() time.Time) (*logFile, error) {
	l := &logFile{path: path, kept: keep, now: now}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	if err := l.open(); err != nil {
		return nil, err
	}
	return l, nil
}

func (l *logFile) open() error {
	file, err := os.OpenFile(l.path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	last := []byte("\n")
	if err == nil && info.Size() > 0 {
		_, err = file.ReadAt(last, info.Size()-1)
	}
	if err != nil {
		return errors.Join(err, file.Close())
	}
	l.file, l.size, l.torn = file, info.Size(), last[0] != '\n'
	l.day = dayOf(info.ModTime())
	return nil
}

// Write implements io.Writer for one line. What a full disk has kept of an earlier
// one becomes a line of its own, so that this one can be read.
func (l *logFile) Write(line []byte) (n int, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer func() { l.fault = err }()
	if l.ended {
		return 0, fs.ErrClosed
	}
	if l.file == nil {
		if err := l.open(); err != nil {
			return 0, err
		}
	}
	if l.torn {
		line = append([]byte("\n"), line...)
	}
	today := dayOf(l.now())
	if l.size > 0 && (l.day != today || l.size+int64(len(line)) > l.kept.one) {
		if err := l.turn(); err != nil {
			return 0, err
		}
	}
	l.day = today
	n, err = l.file.Write(line)
	l.size += int64(n)
	if n > 0 {
		l.torn = line[n-1] != '\n'
	}
	return n, err
}

// Reopen continues with the file that is at the path now, which it makes if it
// was moved away.
func (l *logFile) Reopen() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return fs.ErrClosed
	}
	var closed error
	if l.file != nil {
		closed = l.file.Close()
		l.file = nil
	}
	return errors.Join(closed, l.open())
}

// Fault is why the last line was lost; nil: it was written.
func (l *logFile) Fault() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fault
}

// turn makes the file the first of the former ones, and drops those that are too
// old or too much.
func (l *logFile) turn() error {
	closed := l.file.Close()
	l.file = nil
	if err := errors.Join(closed, l.shift()); err != nil {
		return errors.Join(err, l.open())
	}
	return l.open()
}

// shift renames each file to the next number, the oldest first.
func (l *logFile) shift() error {
	former := requests.FormerFiles(l.path)
	until, room := l.now().AddDate(0, 0, -l.kept.days), l.kept.all-l.kept.one-l.size
	stay := 0
	for _, name := range former {
		info, err := os.Stat(name)
		if err != nil {
			return err
		}
		if room -= info.Size(); room < 0 || info.ModTime().Before(until) {
			break
		}
		stay++
	}
	for _, name := range former[stay:] {
		if err := os.Remove(name); err != nil {
			return err
		}
	}
	for n := stay; n > 0; n-- {
		next := requests.Former(l.path, n+1)
		if strings.HasSuffix(former[n-1], requests.Compressed) {
			next += requests.Compressed
		}
		if err := os.Rename(former[n-1], next); err != nil {
			return err
		}
	}
	return os.Rename(l.path, requests.Former(l.path, 1))
}

// Close ends the log.
func (l *logFile) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	if l.file == nil {
		return nil
	}
	file := l.file
	l.file = nil
	return file.Close()
}

// dayOf is the UTC day of a time.
func dayOf(t time.Time) string { return t.UTC().Format(time.DateOnly) }
