package spreadsheet

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
	"touchline/shared/dataset/format"
	"touchline/shared/dataset/sheet"
)

// What a sheet columns says of a workbook, or columns.csv of the CSV in a folder (dataset.md,
// Sheets of your own).

// readColumns reads columns.csv, if there is one.
func (f *folder) readColumns(ctx context.Context, entries []fs.DirEntry) error {
	var stems []string
	for _, e := range entries {
		stems = append(stems, files.Stem(e.Name()))
	}
	for _, e := range entries {
		if !files.IsColumns(e.Name()) {
			continue
		}
		lines, err := files.Open(ctx, f.FS, e.Name(), files.MaxLine)
		if unreadable, ok := errors.AsType[*files.UnreadableError](err); ok {
			f.report(e.Name(), unreadable.Error())
			continue
		} else if err != nil {
			return err
		}
		f.columns = f.read(e.Name(), lines, stems, false)
		if err := cmp.Or(lines.Close(), ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}

// readColumnsOf reads the sheet columns of a workbook, if it has one.
func (f *folder) readColumnsOf(name string, b *book) error {
	for _, s := range b.file.GetSheetList() {
		p := &page{book: b, sheet: s, name: files.InBook(name, strings.TrimSpace(s))}
		if !files.IsColumns(p.name) {
			continue
		}
		rows, err := p.rows()
		if err != nil {
			return err
		}
		b.columns = f.read(p.name, &reading{page: p, rows: rows}, b.file.GetSheetList(), true)
		if err := rows.Close(); err != nil {
			return err
		}
	}
	return nil
}

// read reads what says how some sheets are read, and reports its faults.
func (f *folder) read(name string, from io.Reader, sheets []string, inBook bool) *sheet.Map {
	m, err := sheet.ReadMap(from, sheets, inBook, format.Columns)
	if err != nil {
		f.report(name, err.Error())
	}
	for line, wrong := range m.Wrong {
		f.fault(dataset.Fault{File: name, Line: line, Field: wrong.Column, Message: wrong.Message})
	}
	return m
}

// list lists a file that is no workbook, CSV once for each kind that it is said to have.
func (f *folder) list(ctx context.Context, e fs.DirEntry) {
	name := e.Name()
	if files.IsColumns(name) {
		return
	}
	if files.IsSheet(name) {
		p := page{DirEntry: e, name: name}
		p.rules = f.columns.Of(files.Stem(name), func(n int) []string { return f.line(ctx, name, n) })
		for _, p.kind = range slices.Sorted(maps.Keys(p.rules)) {
			f.entries, f.sheets[name] = append(f.entries, new(p)), new(p)
		}
		if p.rules != nil {
			return
		}
	}
	f.entries = append(f.entries, e)
}

// line has the cells of a line of CSV, from 1; none where it cannot be read, which is a fault
// later.
func (f *folder) line(ctx context.Context, name string, n int) []string {
	lines, err := files.Open(ctx, f.FS, name, files.MaxLine)
	if err != nil {
		return nil
	}
	defer lines.Close() //nolint:errcheck // only read
	var line []byte
	for ; n > 0 && err == nil; n-- {
		line, err = lines.Next()
	}
	cells := strings.FieldsFunc(string(line), func(r rune) bool { return strings.ContainsRune(",;\t", r) })
	for i, cell := range cells {
		cells[i] = strings.Trim(cell, `" `)
	}
	return cells
}

// kinds are those of a sheet: as its columns are said to be, or as its name is, or the one whose
// fields its first row has.
func (f *folder) kinds(p *page, first []string) (kinds []files.Kind, err error) {
	p.rules = p.book.columns.Of(strings.TrimSpace(p.sheet), func(n int) []string {
		row, failed := p.row(n)
		err = cmp.Or(err, failed)
		return row
	})
	switch {
	case files.IsColumns(p.name):
		return nil, nil
	case p.rules != nil:
		return slices.Sorted(maps.Keys(p.rules)), err
	case files.IsFile(p.name):
		return []files.Kind{files.Of(p.name)}, err
	}
	if k := sheet.KindOf(first, format.Columns); k != files.Any {
		return []files.Kind{k}, err
	}
	return nil, err
}

// Rules implements format.Books.
func (f *folder) Rules(name string, of files.Kind) []sheet.Rule {
	if p := f.sheets[name]; p != nil {
		return p.rules[of]
	}
	return nil
}
