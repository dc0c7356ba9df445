// Package workbook shows the sheets of .xlsx workbooks in a dataset's folder as files
// of it, which are read like CSV (dataset.md, Workbooks).
//
// [Folder] lists "liga.xlsx, sheet matches" in the place of liga.xlsx; opened, it gives
// the sheet as CSV, a record for each row from the first on, so that the number of a
// record is that of its row. A cell is what its value is, not what it looks like: a
// date is written as YYYY-MM-DD, whatever the country, and a number with its digits.
//
// It is written on the readers of zip and XML that functions carry anyway, and adds
// 60 KB to the one that loads. A library for workbooks (excelize) holds a whole
// workbook in memory, and gives an empty cell for a formula without a saved result,
// which would clear a field.
//
// Memory: rows are streamed; of a workbook the texts that its sheets share are held.
// What is read of a workbook, unpacked, and what is written of it are at most
// [unpackedTimes] its size or [unpackedAlways] bytes, and a piece of XML is at most
// [maxPiece] bytes.
package workbook

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"touchline/shared/dataset/files"
)

// The bounds of a workbook, in bytes. Workbooks compress to a tenth or a thirtieth.
const (
	unpackedTimes  = 50
	unpackedAlways = 32 << 20
	maxPiece       = 1 << 20
	maxSize        = 1 << 30 // of a workbook that has to be held in memory
)

// folder is a dataset's folder whose workbooks are shown as their sheets.
type folder struct {
	fs.FS
	entries []fs.DirEntry
	sheets  map[string]func() (fs.File, error)
	open    []io.Closer
	warn    func(name, message string)
}

// Folder shows the workbooks in a folder as their sheets; a sheet without any cell is
// left out. It calls report for a workbook that cannot be read, and says what is wrong.
// It calls warn once a sheet is read that does not look as it is read: hidden rows, for
// example, or merged cells. Both messages are to be read after the name. Close ends its
// files.
func Folder(fsys fs.FS, report, warn func(name, message string)) (fs.FS, io.Closer, error) {
	f := &folder{FS: fsys, sheets: map[string]func() (fs.File, error){}, warn: warn}
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return fsys, f, nil //nolint:nilerr // files.Find says it
	}
	for _, e := range entries {
		if e.IsDir() || !files.IsBook(e.Name()) {
			f.entries = append(f.entries, e)
			continue
		}
		err := f.add(e)
		if unreadable, ok := errors.AsType[*files.UnreadableError](err); ok {
			report(e.Name(), unreadable.Error())
		} else if err != nil {
			return nil, f, errors.Join(err, f.Close())
		}
	}
	return f, f, nil
}

// add adds the sheets of a workbook.
func (f *folder) add(e fs.DirEntry) error {
	b, err := f.book(e.Name())
	if err != nil {
		return err
	}
	names, known := make([]string, len(b.sheets)), false
	for i, s := range b.sheets {
		names[i] = s.name
		rows, err := b.rows(s)
		if err != nil {
			return err
		}
		if err := rows.read(); errors.Is(err, io.EOF) {
			continue
		} else if err != nil {
			return err
		}
		name := files.InBook(e.Name(), s.name)
		known = known || files.IsFile(name)
		if f.sheets[name] != nil {
			return files.Unreadable(fmt.Sprintf("has two sheets of the name %.40q", s.name))
		}
		f.entries = append(f.entries, entry{e, name})
		f.sheets[name] = func() (fs.File, error) {
			rows, err := b.rows(s)
			return &file{DirEntry: entry{e, name}, rows: rows, hidden: s.hidden, warn: f.warn}, err
		}
	}
	if !known {
		return files.Unreadable(fmt.Sprintf("has no sheet of a dataset: name its sheets organizations, competitions, teams, players, matches, standings (it has %.200s)", strings.Join(names, ", ")))
	}
	return nil
}

// book opens a workbook. What stays open is closed with the folder.
func (f *folder) book(name string) (*book, error) {
	opened, err := f.FS.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be opened: %w", name, err)
	}
	f.open = append(f.open, opened)
	info, err := opened.Stat()
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", name, err)
	}
	at, size := io.ReaderAt(nil), info.Size()
	if at, _ = opened.(io.ReaderAt); at == nil {
		text, err := io.ReadAll(io.LimitReader(opened, maxSize))
		if err != nil {
			return nil, fmt.Errorf("%s cannot be read: %w", name, err)
		}
		at, size = bytes.NewReader(text), int64(len(text))
	}
	head := make([]byte, 4)
	if _, err := at.ReadAt(head, 0); err == nil && string(head) == "\xd0\xcf\x11\xe0" {
		return nil, files.Unreadable("has a password, or is of the format before 2007: save it as .xlsx without one")
	}
	z, err := zip.NewReader(at, size)
	if err != nil {
		return nil, files.Unreadable(damaged)
	}
	return newBook(z, size)
}

const damaged = "is damaged, or no .xlsx workbook: open it in a spreadsheet program and save it again"

// Close closes the workbooks.
func (f *folder) Close() error {
	var err error
	for _, o := range f.open {
		err = errors.Join(err, o.Close())
	}
	return err
}

// ReadDir implements fs.ReadDirFS.
func (f *folder) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == "." {
		return slices.Clone(f.entries), nil
	}
	return fs.ReadDir(f.FS, name)
}

// Open implements fs.FS.
func (f *folder) Open(name string) (fs.File, error) {
	if open := f.sheets[name]; open != nil {
		return open()
	}
	return f.FS.Open(name)
}

// entry is a sheet in the list of a folder.
type entry struct {
	fs.DirEntry // of the workbook
	name        string
}

// Name implements fs.DirEntry.
func (e entry) Name() string { return e.name }

// file is a sheet that is read as CSV.
type file struct {
	fs.DirEntry
	rows   *rows
	text   []byte
	hidden bool // the sheet
	warn   func(name, message string)
}

// warnings tells, once, of what a person does not see, and may not have meant.
func (f *file) warnings() {
	warn := f.warn
	f.warn = func(string, string) {}
	switch {
	case f.hidden:
		warn(f.Name(), "is hidden, and read all the same")
	case f.rows.hidden > 0:
		warn(f.Name(), fmt.Sprintf("has hidden rows (%d, the first is row %d), which are read all the same", f.rows.hidden, f.rows.firstHidden))
	case f.rows.hiddenColumns:
		warn(f.Name(), "has hidden columns, which are read all the same")
	}
	if merged := f.rows.merged(); merged != "" {
		warn(f.Name(), "has merged cells ("+merged+"): only the first of them has the value, the others are empty")
	}
}

// Stat implements fs.File: what it says is of the workbook.
func (f *file) Stat() (fs.FileInfo, error) { return f.Info() }

// Close implements fs.File.
func (f *file) Close() error { return nil }

// Read implements fs.File.
func (f *file) Read(p []byte) (int, error) {
	for len(f.text) == 0 {
		cells, _, err := f.rows.next()
		if errors.Is(err, io.EOF) {
			f.warnings()
		}
		if err != nil {
			return 0, err
		}
		if f.text, err = f.rows.csv(f.text[:0], cells); err != nil {
			return 0, err
		}
	}
	n := copy(p, f.text)
	f.text = f.text[n:]
	return n, nil
}
