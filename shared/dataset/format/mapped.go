package format

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
	"touchline/shared/dataset/sheet"
)

// csvFolder is a folder whose CSV a sheet columns says how to read: a file is listed once for
// each kind that it holds.
type csvFolder struct {
	fs.FS
	sheets *sheet.Map
}

// csvSheet is a CSV file as one of a kind.
type csvSheet struct {
	fs.DirEntry
	kind files.Kind
}

// Kind implements files.Sheet.
func (s csvSheet) Kind() files.Kind { return s.kind }

// ReadDir implements fs.ReadDirFS.
func (f csvFolder) ReadDir(name string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(f.FS, name)
	var all []fs.DirEntry
	for _, e := range entries {
		kinds := f.sheets.Of(files.Stem(e.Name()), nil)
		switch {
		case files.IsColumns(e.Name()):
		case files.IsSheet(e.Name()) && !files.IsInBook(e.Name()) && kinds != nil:
			for _, k := range slices.Sorted(maps.Keys(kinds)) {
				all = append(all, csvSheet{e, k})
			}
		default:
			all = append(all, e)
		}
	}
	return all, err
}

// Stat implements fs.StatFS.
func (f csvFolder) Stat(name string) (fs.FileInfo, error) { return fs.Stat(f.FS, name) }

// mapped gives a folder as its columns.csv says, and reports what is wrong with that, and with
// the sheets columns of workbooks.
func (r *reader) mapped(ctx context.Context, fsys fs.FS) (fs.FS, error) {
	all := map[string]*sheet.Map{}
	if r.books != nil {
		all = r.books.Maps()
	}
	entries, _ := fs.ReadDir(fsys, ".") // files.Find says what is wrong
	for _, e := range entries {
		if !files.IsColumns(e.Name()) || files.IsInBook(e.Name()) {
			continue
		}
		lines, err := files.Open(ctx, fsys, e.Name(), r.lineLimit)
		if err == nil {
			r.sheets, err = sheet.ReadMap(lines, stems(entries), false, Columns)
			err = cmp.Or(err, lines.Close())
		}
		if err != nil && ctx.Err() == nil && !errors.As(err, new(*fs.PathError)) {
			r.unread(files.Any, dataset.Fault{File: e.Name(), Message: err.Error()})
			return fsys, nil
		} else if err != nil {
			return nil, err
		}
		all[e.Name()], fsys = r.sheets, csvFolder{fsys, r.sheets}
	}
	for name, m := range all {
		for line, wrong := range m.Wrong {
			r.unread(files.Any, dataset.Fault{File: name, Line: line, Field: wrong.Column, Message: wrong.Message})
		}
	}
	return fsys, nil
}

// stems are those of entries.
func stems(entries []fs.DirEntry) (all []string) {
	for _, e := range entries {
		all = append(all, files.Stem(e.Name()))
	}
	return all
}

// rules say how a sheet is read as one of a kind; nil: as the format has it.
func (r *reader) rules(name string, of files.Kind) []sheet.Rule {
	if files.IsInBook(name) {
		return r.books.Rules(name, of)
	}
	return r.sheets.Of(files.Stem(name), nil)[of]
}
