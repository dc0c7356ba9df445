package imports

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/dataset/files"
	"touchline/shared/ingest"
)

// standardInput is the name for lines on standard input.
const standardInput = "-"

// datasetFolder returns the folder of a dataset, which is named by its folder, by one of
// its files, by a workbook, by an archive of it, or by "-": NDJSON of a kind on standard input. remove
// deletes what was unpacked. A faulty archive is a *dataset.Faults.
func datasetFolder(ctx context.Context, c *terminal.Terminal, name, kind string) (dir string, remove func(), err error) {
	nothing := func() {}
	info, err := os.Stat(name)
	isFile := files.IsFile(filepath.Base(name))
	switch {
	case name == standardInput:
	case err != nil || !info.IsDir() && !ingest.IsArchive(name) && !isFile:
		if slices.Contains([]string{".xls", ".ods"}, strings.ToLower(filepath.Ext(name))) {
			return "", nothing, fmt.Errorf("%s is not read: save it as .xlsx", name)
		}
		return "", nothing, fmt.Errorf("%s is no dataset that can be read: name the folder with the .ndjson or .csv files, one of these by its kind (matches.csv), a workbook (.xlsx), an archive of it (.zip, .tar.gz), or - for lines on standard input", name)
	case info.IsDir():
		return name, nothing, nil
	}
	if dir, err = os.MkdirTemp("", "touchline-import-"); err != nil {
		return "", nothing, err
	}
	temporary := dir
	remove = func() { _ = os.RemoveAll(temporary) } // the system cleans up temporary files
	// Standard input may block: a second Ctrl-C ends that, and would leave the folder.
	defer context.AfterFunc(ctx, remove)()
	switch {
	case name == standardInput:
		err = save(c.In, filepath.Join(dir, kind+".ndjson"))
	case isFile:
		err = from(name, func(f *os.File) error { return save(f, filepath.Join(dir, filepath.Base(name))) })
	default:
		err = from(name, func(f *os.File) error { return ingest.Unpack(f, filepath.Base(name), dir, ingest.DefaultLimits()) })
	}
	if err = cmp.Or(context.Cause(ctx), err); err != nil {
		remove()
		return "", nothing, err
	}
	return dir, remove, nil
}

// from calls do with a file that is open.
func from(name string, do func(*os.File) error) error {
	f, err := os.Open(filepath.Clean(name))
	if err != nil {
		return err
	}
	return errors.Join(do(f), f.Close())
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
	limit := ingest.DefaultLimits().Disk
	n, err := io.Copy(to, io.LimitReader(from, limit+1))
	if err == nil && n > limit {
		err = fmt.Errorf("what is read has more than %d MB: name the folder", limit>>20)
	}
	return errors.Join(err, to.Close())
}
