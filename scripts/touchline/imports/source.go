package imports

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/dataset/files"
)

// standardInput is the name for lines on standard input.
const standardInput = "-"

// datasetFolder opens the folder of a dataset, which is named by itself, by one of its
// files, by a workbook, by a .zip of it, or by "-": NDJSON of a kind on standard input.
// done ends that.
func datasetFolder(ctx context.Context, c *terminal.Terminal, name, kind string) (_ fs.FS, done func(), err error) {
	info, err := os.Stat(name)
	isFile := files.IsFile(filepath.Base(name))
	switch {
	case name == standardInput:
	case err != nil || !info.IsDir() && !files.IsZip(name) && !isFile:
		if slices.Contains([]string{".xls", ".ods"}, strings.ToLower(filepath.Ext(name))) {
			return nil, nil, fmt.Errorf("%s is not read: save it as .xlsx", name)
		}
		return nil, nil, fmt.Errorf("%s is no dataset that can be read: name the folder with the .ndjson or .csv files, one of these by its kind (matches.csv), a workbook (.xlsx), a .zip of it, or - for lines on standard input", name)
	case info.IsDir():
		return os.DirFS(name), func() {}, nil
	case isFile:
		return only{os.DirFS(filepath.Dir(name)), filepath.Base(name)}, func() {}, nil
	case files.IsZip(name):
		folder, closed, err := files.OpenZip(name)
		return folder, func() { _ = closed() }, err // it was only read
	}
	dir, err := os.MkdirTemp("", "touchline-import-")
	if err != nil {
		return nil, nil, err
	}
	remove := func() { _ = os.RemoveAll(dir) } // the system cleans up temporary files
	// Standard input may block: a second Ctrl-C ends that, and would leave the folder.
	defer context.AfterFunc(ctx, remove)()
	err = save(c.In, filepath.Join(dir, kind+".ndjson"))
	if err = cmp.Or(context.Cause(ctx), err); err != nil {
		remove()
		return nil, nil, err
	}
	return os.DirFS(dir), remove, nil
}

// only is one file of a folder.
type only struct {
	fs.FS
	name string
}

// ReadDir implements fs.ReadDirFS.
func (o only) ReadDir(string) ([]fs.DirEntry, error) {
	info, err := fs.Stat(o.FS, o.name) // of what a link leads to
	if err != nil {
		return nil, err
	}
	return []fs.DirEntry{fs.FileInfoToDirEntry(info)}, nil
}

// save copies what is read to a new file.
func save(from io.Reader, name string) error {
	if from == nil {
		return errors.New("there is no standard input")
	}
	to, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) //nolint:gosec // in a folder that os.MkdirTemp made
	if err != nil {
		return err
	}
	_, err = io.Copy(to, from)
	return errors.Join(err, to.Close())
}
