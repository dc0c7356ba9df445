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

	"touchline/shared/sport"
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

// sportKinds are the kinds of the ids of records.
var sportKinds = [...]sport.Kind{
	organizations: sport.KindOrganization,
	competitions:  sport.KindCompetition,
	teams:         sport.KindTeam,
	players:       sport.KindPlayer,
	matches:       sport.KindMatch,
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
// missing. A name that seems meant for one of them is a fault, so that no file is
// left out unnoticed (D52); other files are no part of a dataset.
func find(fsys fs.FS, report func(unread kind, f Fault)) ([len(kinds)]string, error) {
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
		of, message := kind(max(i, 0)), "" //nolint:gosec // one of six
		switch {
		case i < 0 && !e.IsDir():
			of, message = mistaken(name)
		case i < 0:
		case e.IsDir():
			message = "is a folder, not a file"
		case found[i] != "":
			message = "is a second file of " + kinds[i] + " beside " + found[i] + ": remove one of them"
		default:
			found[i] = name
		}
		if message != "" {
			report(of, Fault{File: name, Message: message})
		}
		some = some || i >= 0 || message != ""
	}
	if !some {
		return found, fmt.Errorf("the folder holds no dataset; its files are %s, each also with .gz",
			strings.Join(FileNames(), ", "))
	}
	return found, nil
}

// usual are usual words for the kinds, as file names begin with them; none is
// the beginning of a kind's own name.
var usual = [...][]string{
	organizations: {"organisation", "organization", "org", "club", "association", "federation", "verein", "verband"},
	competitions:  {"competition", "tournament", "league", "cup", "division", "season", "liga", "bewerb"},
	teams:         {"team", "entries", "entry", "mannschaft"},
	players:       {"player", "squad", "roster", "person", "people", "member", "athlete", "spieler", "kader"},
	matches:       {"match", "fixture", "game", "result", "schedule", "spiel", "ergebnis"},
	standingsKind: {"standing", "table", "ranking", "tabelle"},
}

// publishedTables is the one name of this kind that is no mistake: final tables
// as they were published, to compare those of a dataset with.
const publishedTables = "tables.json"

// anyKind is the kind of a file whose name does not say what it holds.
const anyKind = kind(len(kinds))

// mistaken says what a name that is no file of a dataset seems meant for: one
// that begins with a kind or a usual word for one, and every file in a form that
// datasets have. Without a message it is no part of a dataset.
func mistaken(name string) (of kind, message string) {
	base := strings.ToLower(name)
	if strings.HasPrefix(base, ".") || base == publishedTables {
		return anyKind, ""
	}
	for k, stem := range kinds {
		if strings.HasPrefix(base, stem) {
			return kind(k), "is not read: the file of " + stem + " is " + stem + plainSuffix + ", also with .gz"
		}
		for _, word := range usual[k] {
			// A longer word may be one of another kind: "matches" begins with "match".
			if strings.HasPrefix(base, word) {
				return kind(k), "is not read: if it holds " + stem + ", name it " + stem + plainSuffix + " (or .ndjson.gz); else take it out of the folder"
			}
		}
	}
	switch ext := path.Ext(base); ext {
	case ".gz", ".bz2", ".xz", ".zst", ".zip":
		base = strings.TrimSuffix(base, ext)
	}
	switch path.Ext(base) {
	case ".ndjson", ".jsonl":
		return anyKind, "is not read: the files of a dataset are " + strings.Join(FileNames(), ", ") + ", each also with .gz"
	}
	return anyKind, ""
}

// maxLine bounds a line, in bytes (D47).
const maxLine = 1 << 20

// errLineTooLong is what lines.next answers once for a line above the bound;
// the line is skipped.
var errLineTooLong = errors.New("line too long")

// lines splits a file into its lines.
type lines struct {
	f      fs.File
	number int // of the line last read, from 1
	r      *bufio.Reader
	zipped bool
	buf    []byte
	limit  int // of a line, in bytes
}

// open opens a file, unpacking it where its name says so.
func open(fsys fs.FS, name string, limit int) (*lines, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be opened: %w", name, err)
	}
	l := &lines{f: f, limit: limit, zipped: strings.HasSuffix(name, gzipSuffix)}
	l.r = bufio.NewReaderSize(f, 1<<16)
	head, err := l.r.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, errors.Join(fmt.Errorf("%s cannot be read: %w", name, err), f.Close())
	}
	gzipped := string(head) == "\x1f\x8b"
	if gzipped != l.zipped && (gzipped || len(head) > 0) {
		return nil, errors.Join(misnamed(name, gzipped), f.Close())
	}
	if l.zipped {
		z, err := gzip.NewReader(l.r)
		if err != nil {
			return nil, errors.Join(l.failed(err), f.Close())
		}
		l.r = bufio.NewReaderSize(z, 1<<16)
	}
	if head, _ := l.r.Peek(3); string(head) == "\xef\xbb\xbf" {
		_, _ = l.r.Discard(3)
	}
	return l, nil
}

// unreadableError is what is wrong with a file as a whole: the other files can
// still be read.
type unreadableError struct{ message string }

func (e *unreadableError) Error() string { return e.message }

// misnamed is the error of a file whose name and content do not go together.
func misnamed(name string, gzipped bool) error {
	if gzipped {
		return &unreadableError{"is gzip-compressed: rename it to " + name + ".gz"}
	}
	return &unreadableError{"is not gzip-compressed: rename it to " + strings.TrimSuffix(name, ".gz")}
}

// failed explains a failure to read on.
func (l *lines) failed(err error) error {
	var corrupt flate.CorruptInputError
	if l.zipped && (errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &corrupt)) {
		return &unreadableError{fmt.Sprintf("is a damaged gzip file after line %d (%v): check it with gzip -t and copy or compress it again", l.number, err)}
	}
	return fmt.Errorf("cannot be read after line %d: %w", l.number, err)
}

// next gives the next line without its line end, valid until the next call.
// At the end it is io.EOF. For a line above the bound it is errLineTooLong,
// once, with the beginning of the line; the rest is skipped.
func (l *lines) next() ([]byte, error) {
	l.buf = l.buf[:0]
	long, started := false, false
	for {
		part, err := l.r.ReadSlice('\n')
		started = started || len(part) > 0
		if len(l.buf)+len(part) > l.limit {
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
			return l.buf, errLineTooLong
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
func (l *lines) Close() error { return l.f.Close() }
