package spreadsheet

import (
	"cmp"
	"context"
	"errors"
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

// readColumns reads what says how some sheets, or CSV, are read, if one of these does; nil:
// none does. It reports what is wrong with it.
func (f *folder) readColumns(ctx context.Context, names []string) (m *sheet.Map, err error) {
	var stems []string
	for _, name := range names {
		stems = append(stems, files.Stem(name))
	}
	for _, name := range names {
		if !files.IsColumns(name) {
			continue
		}
		lines, err := files.Open(ctx, f, name, files.MaxLine)
		if err == nil {
			m, err = sheet.ReadMap(lines, stems, files.IsInBook(name), format.Columns)
			err = cmp.Or(err, lines.Close())
		}
		if cmp.Or(ctx.Err(), err) != nil && (ctx.Err() != nil || errors.As(err, new(*fs.PathError))) {
			return nil, err
		} else if err != nil {
			f.report(name, err.Error())
			continue
		}
		for line, wrong := range m.Wrong {
			f.fault(dataset.Fault{File: name, Line: line, Field: wrong.Column, Message: wrong.Message})
		}
	}
	return m, nil
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
	return strings.FieldsFunc(string(line), func(r rune) bool { return strings.ContainsRune(",;\t\"", r) })
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
