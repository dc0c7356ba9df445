package spreadsheet

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
	"touchline/shared/dataset/format"
	"touchline/shared/dataset/sheet"
)

// maxSize bounds a workbook, which is held in memory, in bytes.
const maxSize = 1 << 30

// exportedFrom is the property of a workbook that has the version of the data that it was
// exported from. Excel and LibreOffice keep it when they save.
const exportedFrom = "Touchline load"

// folder is a dataset's folder whose workbooks are shown as their sheets.
type folder struct {
	fs.FS
	versions map[string]string // of what workbooks were exported from
	entries  []fs.DirEntry
	sheets   map[string]*page
	columns  *sheet.Map // says how CSV is read; nil: as the format has it
	open     []io.Closer
	fault    func(dataset.Fault)
	warn     func(name, message string)
}

// Workbooks is format.Workbooks: it gives a sheet as CSV, a record for each row from the
// first on, so that the number of a record is that of its row. A sheet without any cell is
// left out.
//
// A sheet is of the kinds that a sheet columns gives it, or of that which its name says, or
// else of the only kind whose fields its first row has (D73). CSV that a columns.csv gives
// kinds is listed once for each. A cell is what its value is, not what it looks like: see
// [styled].
func Workbooks(ctx context.Context, fsys fs.FS, fault func(dataset.Fault), warn func(name, message string)) (format.Books, error) {
	f := &folder{FS: fsys, sheets: map[string]*page{}, versions: map[string]string{}, fault: fault, warn: warn}
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		return f, nil //nolint:nilerr // format.Read says it
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if f.columns, err = f.readColumns(ctx, names); err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.IsDir() || !files.IsBook(e.Name()) {
			f.list(ctx, e)
			continue
		}
		if message := files.NoFile(fsys, e); message != "" {
			f.report(e.Name(), message)
			continue
		}
		err := f.add(ctx, e)
		if unreadable, ok := errors.AsType[*files.UnreadableError](err); ok {
			f.report(e.Name(), unreadable.Error())
		} else if err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	return f, nil
}

// report reports what is wrong with a file, or a sheet, as a whole.
func (f *folder) report(name, message string) { f.fault(dataset.Fault{File: name, Message: message}) }

// add adds the sheets of a workbook.
func (f *folder) add(ctx context.Context, e fs.DirEntry) error {
	b, err := f.book(e.Name())
	if err != nil {
		return err
	}
	properties, err := b.file.GetCustomProps()
	if err != nil {
		return files.Unreadable(damaged)
	}
	for _, p := range properties {
		if version, ok := p.Value.(string); ok && p.Name == exportedFrom {
			f.versions[e.Name()] = version
		}
	}
	known := false
	var names []string
	for _, name := range b.file.GetSheetList() {
		p := &page{DirEntry: e, book: b, sheet: name, name: files.InBook(e.Name(), strings.TrimSpace(name))}
		if names = append(names, p.name); files.IsColumns(p.name) {
			f.sheets[p.name] = p
		}
	}
	if b.columns, err = f.readColumns(ctx, names); err != nil {
		return err
	}
	for _, name := range b.file.GetSheetList() {
		if strings.HasPrefix(name, "#") {
			continue // the officer's own
		}
		if b.survey.sheets[b.parts[name]] == nil {
			continue // a chart
		}
		p := &page{DirEntry: e, book: b, sheet: name, name: files.InBook(e.Name(), strings.TrimSpace(name)), kind: files.Any, looks: b.survey.sheets[b.parts[name]]}
		first, err := p.row(0)
		switch {
		case err != nil:
			return err
		case first == nil:
			continue
		case f.sheets[p.name] != nil && !files.IsColumns(p.name):
			return files.Unreadable(fmt.Sprintf("has two sheets of the name %.40q", name))
		}
		f.sheets[p.name] = p
		kinds, err := f.kinds(p, first)
		if err != nil {
			return err
		}
		known = known || kinds != nil
		switch {
		case files.IsColumns(p.name):
		case kinds == nil:
			f.warn(p.name, "is not read: its name is no kind, and its first row has not the fields of one")
		case p.looks.unsaved != "":
			f.report(p.name, "has a formula whose result was not saved, in "+p.looks.unsaved+": open the workbook in a spreadsheet program and save it again")
		default:
			for _, k := range kinds {
				one := *p
				one.kind = k
				f.entries = append(f.entries, &one)
			}
			if shown, err := b.file.GetSheetVisible(name); err == nil && !shown {
				f.warn(p.name, "is a hidden sheet, which is read like others: show it, or let its name begin with #")
			}
			if p.rules != nil {
				first = nil // what is merged there is not of the format's
			}
			for _, odd := range p.looks.warnings(first) {
				f.warn(p.name, odd)
			}
		}
	}
	if !known {
		return files.Unreadable(fmt.Sprintf("has no sheet of a dataset: name its sheets organizations, competitions, teams, players, matches, standings (it has %.200s)", strings.Join(b.file.GetSheetList(), ", ")))
	}
	return nil
}

// book is a workbook that is open.
type book struct {
	file   *excelize.File
	survey *survey
	parts  map[string]string // of the sheets, by their names
	left   int64             // bytes of rows that may still be given
	// columns says how sheets are read; nil: as the format has it.
	columns *sheet.Map
}

// book opens a workbook. It is closed with the folder.
func (f *folder) book(name string) (*book, error) {
	opened, err := f.FS.Open(name)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be opened: %w", name, err)
	}
	defer opened.Close() //nolint:errcheck // only read
	info, err := opened.Stat()
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", name, err)
	}
	text := bytes.NewBuffer(make([]byte, 0, min(info.Size(), maxSize)+bytes.MinRead))
	if _, err := text.ReadFrom(io.LimitReader(opened, maxSize+1)); err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", name, err)
	}
	if text.Len() > maxSize {
		return nil, files.Unreadable("has more than 1 GB: save each sheet as CSV")
	}
	if bytes.HasPrefix(text.Bytes(), []byte("\xd0\xcf\x11\xe0")) {
		return nil, files.Unreadable("has a password, or is of the format before 2007: save it as .xlsx without one")
	}
	b, err := newBook(text.Bytes())
	if err != nil {
		return nil, err
	}
	f.open = append(f.open, b.file) // which has put something on the disk
	return b, nil
}

func newBook(text []byte) (*book, error) {
	size := int64(len(text))
	z, err := zip.NewReader(bytes.NewReader(text), size)
	if err != nil {
		return nil, files.Unreadable(damaged)
	}
	seen, err := look(z, size)
	if err != nil {
		return nil, err
	}
	limit := max(unpackedAlways, unpackedTimes*size)
	file, err := excelize.OpenReader(bytes.NewReader(text), excelize.Options{UnzipSizeLimit: limit, UnzipXMLSizeLimit: onDisk})
	if err != nil || file.WorkBook == nil {
		return nil, files.Unreadable(damaged)
	}
	b := &book{file: file, survey: seen, parts: map[string]string{}, left: limit}
	sheets := file.WorkBook.Sheets.Sheet
	if len(sheets) == 0 || len(sheets) > maxSheets {
		return nil, errors.Join(files.Unreadable(damaged), file.Close())
	}
	for _, s := range sheets {
		b.parts[s.Name] = seen.relations[s.ID]
		if seen.sheets[b.parts[s.Name]] == nil && !strings.HasPrefix(b.parts[s.Name], "xl/chartsheets/") {
			return nil, errors.Join(files.Unreadable(damaged), file.Close())
		}
	}
	styled(file)
	return b, nil
}

// Close closes the workbooks.
func (f *folder) Close() error {
	var err error
	for _, o := range f.open {
		err = errors.Join(err, o.Close())
	}
	return err
}

// Versions implements format.Books.
func (f *folder) Versions() map[string]string { return f.versions }

// ReadDir implements fs.ReadDirFS.
func (f *folder) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == "." {
		return slices.Clone(f.entries), nil
	}
	return fs.ReadDir(f.FS, name)
}

// Stat implements fs.StatFS for what is no sheet: it opens nothing.
func (f *folder) Stat(name string) (fs.FileInfo, error) { return fs.Stat(f.FS, name) }

// Open implements fs.FS.
func (f *folder) Open(name string) (fs.File, error) {
	if p := f.sheets[name]; p != nil && p.book != nil {
		rows, err := p.rows()
		return &reading{page: p, rows: rows}, err
	}
	return f.FS.Open(name)
}

// page is a sheet, and its entry in the list of a folder.
type page struct {
	fs.DirEntry       // of the workbook
	book        *book // nil: it is CSV
	sheet, name string
	kind        files.Kind
	looks       *looks
	rules       map[files.Kind][]sheet.Rule // nil: it is read as the format has it
}

// Name implements fs.DirEntry.
func (p *page) Name() string { return p.name }

// Kind implements files.Sheet.
func (p *page) Kind() files.Kind { return p.kind }

func (p *page) rows() (*excelize.Rows, error) {
	rows, err := p.book.file.Rows(p.sheet)
	if err != nil {
		return nil, files.Unreadable(damaged)
	}
	return rows, nil
}

// row is a row, from 1, or the first for 0; nil where the sheet has no cell from there on.
func (p *page) row(n int) (row []string, err error) {
	rows, err := p.rows()
	if err != nil {
		return nil, err
	}
	defer rows.Close() //nolint:errcheck // only read
	for at := 1; rows.Next(); at++ {
		cells, err := rows.Columns()
		if err != nil {
			return nil, files.Unreadable(damaged)
		}
		if at < n {
			continue
		}
		if row == nil {
			row = append([]string{}, cells...)
		}
		if slices.ContainsFunc(cells, func(cell string) bool { return cell != "" }) {
			return row, nil
		}
	}
	return nil, nil
}

// reading is a sheet that is read as CSV.
type reading struct {
	*page
	rows *excelize.Rows
	row  int
	text []byte
}

// Stat implements fs.File: what it says is of the workbook.
func (r *reading) Stat() (fs.FileInfo, error) { return r.Info() }

// Close implements fs.File.
func (r *reading) Close() error { return r.rows.Close() }

// Read implements fs.File.
func (r *reading) Read(p []byte) (int, error) {
	for len(r.text) == 0 {
		if !r.rows.Next() {
			if r.rows.Error() != nil {
				return 0, files.Unreadable(damaged)
			}
			return 0, io.EOF
		}
		r.row++
		cells, err := r.rows.Columns()
		if err != nil {
			return 0, files.Unreadable(damaged)
		}
		if err := r.csv(cells); err != nil {
			return 0, err
		}
	}
	n := copy(p, r.text)
	r.text = r.text[n:]
	return n, nil
}

// csv is a row as a record of CSV.
func (r *reading) csv(cells []string) error {
	r.text = r.text[:0]
	for i := range max(1, len(cells)) {
		cell := ""
		if i < len(cells) {
			cell = shown(cells[i])
		}
		if len(r.text)+len(cell) > 2*files.MaxLine {
			return files.Unreadable(fmt.Sprintf("has a row %d that is longer than %d KiB", r.row, files.MaxLine>>10))
		}
		if i > 0 {
			r.text = append(r.text, ',')
		}
		r.text = append(r.text, '"')
		r.text = append(r.text, strings.ReplaceAll(cell, `"`, `""`)...)
		r.text = append(r.text, '"')
	}
	r.text = append(r.text, '\n')
	if r.book.left -= int64(len(r.text)); r.book.left < 0 {
		return files.Unreadable("says more than a dataset of its size can")
	}
	return nil
}
