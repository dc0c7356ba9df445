package dataset

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// kind is one of the six kinds of records, numbered in the order of reading.
type kind uint8

const (
	organizations kind = iota
	competitions
	teams
	players
	matches
	standingsKind
)

// kinds names the files, in the order in which they are read and in which
// faults are listed: what is referred to comes before what refers to it.
var kinds = [...]string{
	organizations: "organizations",
	competitions:  "competitions",
	teams:         "teams",
	players:       "players",
	matches:       "matches",
	standingsKind: "standings",
}

const (
	plainSuffix = ".ndjson"
	gzipSuffix  = ".ndjson.gz"
)

// FileNames lists the files of a dataset in the order of reading. Each may be
// compressed and then ends in .ndjson.gz.
func FileNames() []string {
	names := make([]string, len(kinds))
	for i, stem := range kinds {
		names[i] = stem + plainSuffix
	}
	return names
}

// find gives the name of each kind's file in the folder, empty where it is
// missing. A name that looks like a slip of the pen is an error, so that no
// file is left out unnoticed; other files are none of a dataset's business.
func find(fsys fs.FS) ([len(kinds)]string, error) {
	var found [len(kinds)]string
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return found, fmt.Errorf("the dataset folder cannot be read: %w", err)
	}
	some := false
	for _, e := range entries {
		name := e.Name()
		i := slices.IndexFunc(kinds[:], func(stem string) bool {
			return name == stem+plainSuffix || name == stem+gzipSuffix
		})
		switch {
		case i < 0 && mistaken(name):
			return found, fmt.Errorf("%s is not a file of a dataset; the files are %s, each also with .gz",
				name, strings.Join(FileNames(), ", "))
		case i < 0:
			continue
		case e.IsDir():
			return found, fmt.Errorf("%s is a folder, not a file", name)
		case found[i] != "":
			return found, fmt.Errorf("both %s and %s are there; remove one of them", found[i], name)
		}
		found[i], some = name, true
	}
	if !some {
		return found, fmt.Errorf("the folder holds no dataset; its files are %s, each also with .gz",
			strings.Join(FileNames(), ", "))
	}
	return found, nil
}

// mistaken reports whether a name that is no file of a dataset seems meant as
// one: a line-delimited file of another name, or a kind's name with another
// letter case or extension.
func mistaken(name string) bool {
	if strings.HasPrefix(name, ".") {
		return false
	}
	base := strings.ToLower(name)
	switch ext := path.Ext(base); ext {
	case ".gz", ".bz2", ".xz", ".zst", ".zip":
		base = strings.TrimSuffix(base, ext)
	}
	switch ext := path.Ext(base); ext {
	case ".ndjson", ".jsonl":
		return true
	case ".json", ".csv":
		stem := strings.TrimSuffix(base, ext)
		return slices.Contains(kinds[:], stem) || slices.Contains(kinds[:], stem+"s")
	}
	return false
}

// maxLine bounds a line: a record of that size is a mistake, and a line is held
// in memory.
const maxLine = 16 << 20

// errLineTooLong is what lines.next answers once for a line above the bound;
// the line is skipped.
var errLineTooLong = errors.New("line too long")

// lines splits a file into its lines.
type lines struct {
	file   string
	number int // of the line last read, from 1
	close  []func() error
	r      *bufio.Reader
	zipped bool
	buf    []byte
}

// open opens a file, unpacking it where its name says so.
func open(fsys fs.FS, name string) (*lines, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be opened: %w", name, err)
	}
	l := &lines{file: name, zipped: strings.HasSuffix(name, gzipSuffix), close: []func() error{f.Close}}
	l.r = bufio.NewReaderSize(f, 1<<16)
	head, err := l.r.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.Join(fmt.Errorf("%s cannot be read: %w", name, err), l.Close())
	}
	gzipped := string(head) == "\x1f\x8b"
	if gzipped != l.zipped && (gzipped || len(head) > 0) {
		return nil, errors.Join(misnamed(name, gzipped), l.Close())
	}
	if l.zipped {
		z, err := gzip.NewReader(l.r)
		if err != nil {
			return nil, errors.Join(l.failed(err), l.Close())
		}
		l.close = append(l.close, z.Close)
		l.r = bufio.NewReaderSize(z, 1<<16)
	}
	if head, _ := l.r.Peek(3); string(head) == "\xef\xbb\xbf" {
		_, _ = l.r.Discard(3)
	}
	return l, nil
}

// misnamed tells a file's name and content apart.
func misnamed(name string, gzipped bool) error {
	if gzipped {
		return fmt.Errorf("%s is gzip-compressed; rename it to %s.gz", name, name)
	}
	return fmt.Errorf("%s is not gzip-compressed; rename it to %s", name, strings.TrimSuffix(name, ".gz"))
}

// failed explains a failure to read on.
func (l *lines) failed(err error) error {
	var corrupt flate.CorruptInputError
	if l.zipped && (errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &corrupt)) {
		return fmt.Errorf("%s is a damaged gzip file after line %d (%w); check it with gzip -t and copy or compress it again",
			l.file, l.number, err)
	}
	return fmt.Errorf("%s cannot be read after line %d: %w", l.file, l.number, err)
}

// next gives the next line without its line end, valid until the next call.
// At the end it is io.EOF. For a line above the bound it is errLineTooLong,
// once, with the line skipped.
func (l *lines) next() ([]byte, error) {
	l.buf = l.buf[:0]
	long, started := false, false
	for {
		part, err := l.r.ReadSlice('\n')
		started = started || len(part) > 0
		if len(l.buf)+len(part) > maxLine {
			long = true
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			if !long {
				l.buf = append(l.buf, part...)
			}
			continue
		case errors.Is(err, io.EOF) && !started:
			return nil, io.EOF
		case err != nil && !errors.Is(err, io.EOF):
			return nil, l.failed(err)
		}
		l.number++
		if long {
			l.buf = nil
			return nil, errLineTooLong
		}
		if len(l.buf) > 0 {
			l.buf = append(l.buf, part...)
			part = l.buf
		}
		return trimLineEnd(part), nil
	}
}

func trimLineEnd(b []byte) []byte {
	if n := len(b); n > 0 && b[n-1] == '\n' {
		b = b[:n-1]
	}
	if n := len(b); n > 0 && b[n-1] == '\r' {
		b = b[:n-1]
	}
	return b
}

// Close closes the file.
func (l *lines) Close() error {
	var errs []error
	for i := len(l.close) - 1; i >= 0; i-- {
		errs = append(errs, l.close[i]())
	}
	return errors.Join(errs...)
}
