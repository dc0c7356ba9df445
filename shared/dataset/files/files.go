// Package files finds and opens the files of a dataset: which kinds there are,
// how their files are called, and the lines of one, compressed or not
// (dataset.md). It knows nothing of what a line says.
//
// [Find] lists a folder and refuses a name that looks like a mistyped one, so
// that no file is left out unnoticed (D52). [Open] gives the lines of a file,
// without their ends; a line above the bound is skipped, and reading continues
// after it.
package files

import (
	"bufio"
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"touchline/shared/sport"
)

// Kind is one of the kinds of records, each of which has a file. Their order is
// the one in which files are read and faults are listed: what is referred to
// comes before what refers to it.
type Kind uint8

// The kinds, and how many there are.
const (
	Organizations Kind = iota
	Competitions
	Teams
	Players
	Matches
	Standings
	Kinds
)

// Any is the kind of a file whose name does not say what it holds.
const Any = Kinds

// stems are the names of the files without what follows the first point.
var stems = [Kinds]string{
	Organizations: "organizations",
	Competitions:  "competitions",
	Teams:         "teams",
	Players:       "players",
	Matches:       "matches",
	Standings:     "standings",
}

// String gives the name of the kind's file without its ending.
func (k Kind) String() string {
	if k == Any {
		return "any"
	}
	return stems[k]
}

// Holding gives the kind of the file that holds records of a kind, or given tables.
func Holding(kind sport.Kind) Kind {
	return Kind(slices.IndexFunc(stems[:], func(stem string) bool { return strings.HasPrefix(stem, string(kind)) })) //nolint:gosec // one of six
}

// Sheet is a sheet of a workbook in the list of a folder. It knows its kind, which its
// name need not say.
type Sheet interface {
	fs.DirEntry
	Kind() Kind
}

// MaxRows bounds the rows of a sheet, as spreadsheet programs do.
const MaxRows = 1 << 20

// Of gives the kind of a file by its name, Any for one that is of no kind.
func Of(name string) Kind {
	if k := kindOf(name); k >= 0 {
		return Kind(k) //nolint:gosec // one of six
	}
	for k, stem := range stems {
		if strings.HasPrefix(name, stem+".") {
			return Kind(k)
		}
	}
	return Any
}

const (
	plainSuffix = ".ndjson"
	sheetSuffix = ".csv"
	bookSuffix  = ".xlsx"
	gzipSuffix  = ".gz"
)

// IsFile reports whether a name is one of a dataset's files, or of a workbook, which may
// hold several.
func IsFile(name string) bool { return kindOf(name) >= 0 || IsBook(name) }

// IsBook reports whether a file is a workbook, by its name. Programs that have one open
// keep a hidden file beside it, which begins with "~$".
func IsBook(name string) bool {
	return strings.EqualFold(path.Ext(name), bookSuffix) && !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "~$")
}

// inBook is between the name of a workbook and that of a sheet.
const inBook = ", sheet "

// InBook names a sheet of a workbook as a file of the dataset.
func InBook(book, sheet string) string { return book + inBook + sheet }

// sheetOf is the sheet that a file is, by the name that InBook gives.
func sheetOf(name string) (sheet string, ok bool) {
	book, sheet, ok := strings.Cut(name, inBook)
	return sheet, ok && IsBook(book)
}

// IsInBook reports whether a file of a dataset is a sheet of a workbook, by its name.
func IsInBook(name string) bool {
	_, ok := sheetOf(name)
	return ok
}

// kindOf is the kind of a file that has exactly the name of one, else -1. The case of a
// sheet's name does not count.
func kindOf(name string) int {
	if sheet, ok := sheetOf(name); ok {
		return slices.Index(stems[:], strings.ToLower(sheet))
	}
	name = strings.TrimSuffix(name, gzipSuffix)
	return slices.IndexFunc(stems[:], func(stem string) bool { return name == stem+plainSuffix || name == stem+sheetSuffix })
}

// IsSheet reports whether a file of a dataset is CSV, or a sheet that is read like it,
// by its name.
func IsSheet(name string) bool {
	return IsInBook(name) || strings.HasSuffix(strings.TrimSuffix(name, gzipSuffix), sheetSuffix)
}

// Names lists the files of a dataset in the order of reading. Each may be
// compressed and then ends in .ndjson.gz.
func Names() []string {
	names := make([]string, Kinds)
	for i, stem := range stems {
		names[i] = stem + plainSuffix
	}
	return names
}

// Find returns the name of each kind's file in the folder, none where it is
// missing. Sheets of workbooks may be several of a kind, one after the other. It calls report for a name that seems meant for one of them (D52): with
// the kind, which is not read then, and with what is wrong, to be read after the
// name. Other files are no part of a dataset. The error says that the folder cannot
// be read, or holds nothing of a dataset.
func Find(fsys fs.FS, report func(unread Kind, name, message string)) ([Kinds][]string, error) {
	var found [Kinds][]string
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return found, fmt.Errorf("the dataset folder cannot be read: %w", err)
	}
	some := false
	for _, e := range entries {
		name := e.Name()
		i := kindOf(name)
		sheet, inBook := e.(Sheet)
		if inBook {
			i = int(sheet.Kind())
		}
		of, message := Kind(max(i, 0)), "" //nolint:gosec // one of seven
		if i >= 0 && !inBook {
			message = NoFile(fsys, e)
		}
		switch {
		case message != "":
		case i < 0 && !e.IsDir():
			of, message = mistaken(name)
		case i < 0:
		case found[i] != nil && (!inBook || !IsInBook(found[i][0])):
			message = "is a second file of " + stems[i] + " in addition to " + found[i][0] + ": remove one of them"
		default:
			found[i] = append(found[i], name)
		}
		if message != "" {
			report(of, name, message)
		}
		some = some || i >= 0 || message != ""
	}
	if !some {
		return found, fmt.Errorf("the folder holds no dataset; its files are %s, each also as .csv, and with .gz; or a workbook (.xlsx) with sheets of these names",
			strings.Join(Names(), ", "))
	}
	return found, nil
}

// NoFile says what an entry of a folder is if it is no file, to be read after its name,
// and nothing of a file. A link is what it leads to. Such an entry is not to be opened:
// a pipe that nobody writes to would wait for ever.
func NoFile(fsys fs.FS, e fs.DirEntry) string {
	mode := e.Type()
	if follows, ok := fsys.(fs.StatFS); ok && mode&fs.ModeSymlink != 0 {
		if info, err := follows.Stat(e.Name()); err == nil {
			mode = info.Mode()
		}
	}
	switch {
	case mode.IsDir():
		return "is a folder, not a file"
	case mode&fs.ModeNamedPipe != 0:
		return "is a pipe, not a file"
	case mode&fs.ModeSocket != 0:
		return "is a socket, not a file"
	case mode&fs.ModeDevice != 0:
		return "is a device, not a file"
	}
	return ""
}

// usual are usual words for the kinds, as file names begin with them; none is
// the beginning of a kind's own name.
var usual = [...][]string{
	Organizations: {"organisation", "organization", "org", "club", "association", "federation", "verein", "verband"},
	Competitions:  {"competition", "tournament", "league", "cup", "division", "season", "liga", "bewerb"},
	Teams:         {"team", "entries", "entry", "mannschaft"},
	Players:       {"player", "squad", "roster", "person", "people", "member", "athlete", "spieler", "kader"},
	Matches:       {"match", "fixture", "game", "result", "schedule", "spiel", "ergebnis"},
	Standings:     {"standing", "table", "ranking", "tabelle"},
}

// Like is the kind of which a name begins with a usual word; Any: of none.
func Like(name string) Kind {
	name = strings.ToLower(name)
	for k, stem := range stems {
		// A longer word may be one of another kind: "matches" begins with "match".
		if slices.ContainsFunc(append(usual[k], stem), func(word string) bool { return strings.HasPrefix(name, word) }) {
			return Kind(k)
		}
	}
	return Any
}

// publishedTables is the one name of this kind that is no mistake: final tables
// as they were published, to compare those of a dataset with.
const publishedTables = "tables.json"

// mistaken says what a name that is no file of a dataset seems meant for: one
// that begins with a kind or a usual word for one, and every file in a form that
// datasets have. Without a message it is no part of a dataset.
func mistaken(name string) (of Kind, message string) {
	base := strings.ToLower(name)
	switch {
	case strings.HasPrefix(base, "."), strings.HasPrefix(base, "~$"), base == publishedTables:
		return Any, ""
	case IsBook(name):
		return Any, "is a workbook, which is not read here: load it from a machine, with --stack of `touchline import`, or in the console, or save each sheet as CSV"
	case slices.Contains([]string{".xls", ".xlsm", ".xlsb", ".ods", ".numbers"}, path.Ext(base)):
		return Any, "is not read: save it as .xlsx, or each sheet as CSV"
	}
	for k, stem := range stems {
		if strings.HasPrefix(base, stem) {
			return Kind(k), "is not read: the file of " + stem + " is " + stem + plainSuffix + " or " + stem + sheetSuffix + ", also with .gz"
		}
	}
	if k := Like(base); k != Any {
		name, other := stems[k]+plainSuffix, " (or .csv, also with .gz)"
		if path.Ext(base) == sheetSuffix {
			name, other = stems[k]+sheetSuffix, ""
		}
		return k, "is not read: if it holds " + stems[k] + ", name it " + name + other + "; else take it out of the folder"
	}
	switch ext := path.Ext(base); ext {
	case ".gz", ".bz2", ".xz", ".zst", ".zip":
		base = strings.TrimSuffix(base, ext)
	}
	switch path.Ext(base) {
	case ".ndjson", ".jsonl", ".csv":
		return Any, "is not read: the files of a dataset are " + strings.Join(Names(), ", ") + ", each also as .csv, and with .gz"
	}
	return Any, ""
}

// MaxLine bounds a line, in bytes (D47).
const MaxLine = 1 << 20

// ErrLineTooLong is the error of Lines.Next for a line above the bound. The
// next call returns the line after it.
var ErrLineTooLong = errors.New("line too long")

// Lines are the lines of an open file.
type Lines struct {
	f      fs.File
	number int // of the line last read, from 1
	r      *bufio.Reader
	zipped bool
	buf    []byte
	limit  int // of a line, in bytes
}

// Open opens a file, unpacking it where its name says so. Lines of more than
// limit bytes are above the bound. Reading ends when ctx does, also inside a long
// line. The error is an *UnreadableError where name and content do not go
// together.
func Open(ctx context.Context, fsys fs.FS, name string, limit int) (*Lines, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be opened: %w", name, err)
	}
	l := &Lines{f: f, limit: limit, zipped: strings.HasSuffix(name, gzipSuffix)}
	packed := &counted{ctx: ctx, from: f}
	l.r = bufio.NewReaderSize(packed, 1<<16)
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
		l.r = bufio.NewReaderSize(&unpacked{counted{ctx: ctx, from: z}, packed}, 1<<16)
	}
	for head, _ := l.r.Peek(3); string(head) == "\xef\xbb\xbf"; head, _ = l.r.Peek(3) {
		_, _ = l.r.Discard(3) // some programs write a second one
	}
	return l, nil
}

// A compressed file may unpack to unpackedTimes its size, and to unpackedAlways
// bytes whatever its size (D47). Datasets compress to a tenth or a thirtieth.
const (
	unpackedTimes  = 100
	unpackedAlways = 256 << 20
)

// counted counts what is read, until ctx ends.
type counted struct {
	ctx  context.Context //nolint:containedctx // of the reading of one file
	from io.Reader
	n    int64
}

// Read implements io.Reader.
func (c *counted) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := c.from.Read(p)
	c.n += int64(n)
	return n, err
}

// unpacked bounds what a compressed file becomes.
type unpacked struct {
	counted
	packed *counted
}

// Read implements io.Reader.
func (u *unpacked) Read(p []byte) (int, error) {
	if u.n > max(unpackedAlways, unpackedTimes*u.packed.n) {
		return 0, Unreadable(fmt.Sprintf("unpacks to more than %d MB and %d times its size, as no dataset does", unpackedAlways>>20, unpackedTimes))
	}
	return u.counted.Read(p)
}

// UnreadableError is what is wrong with a file as a whole: the other files can
// still be read. Its text reads on after the file's name.
type UnreadableError struct{ message string }

func (e *UnreadableError) Error() string { return e.message }

// Unreadable is an *UnreadableError with a message that reads on after the file's
// name.
func Unreadable(message string) error { return &UnreadableError{message} }

// Read reads what follows, uncompressed: of a file that is not read by lines. Its
// errors are those of Next.
func (l *Lines) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	if err != nil && err != io.EOF { //nolint:errorlint // io.EOF itself ends a reader
		err = l.failed(err)
	}
	return n, err
}

// misnamed is the error of a file whose name and content do not go together.
func misnamed(name string, gzipped bool) error {
	if gzipped {
		return &UnreadableError{"is gzip-compressed: rename it to " + name + ".gz"}
	}
	return &UnreadableError{"is not gzip-compressed: rename it to " + strings.TrimSuffix(name, ".gz")}
}

// failed explains a failure to read on.
func (l *Lines) failed(err error) error {
	if errors.As(err, new(*UnreadableError)) {
		return err
	}
	var corrupt flate.CorruptInputError
	if l.zipped && (errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &corrupt)) {
		return &UnreadableError{fmt.Sprintf("is a damaged gzip file after line %d (%v): check it with gzip -t and copy or compress it again", l.number, err)}
	}
	return fmt.Errorf("cannot be read after line %d: %w", l.number, err)
}

// Next returns the next line without its line end, valid until the next call.
// The error is io.EOF at the end, ErrLineTooLong for a line above the bound, of
// which it returns the beginning, and an *UnreadableError in a damaged file.
func (l *Lines) Next() ([]byte, error) {
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
			return l.buf, ErrLineTooLong
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

// Number counts the lines read, from 1.
func (l *Lines) Number() int { return l.number }

// Close closes the file.
func (l *Lines) Close() error { return l.f.Close() }
