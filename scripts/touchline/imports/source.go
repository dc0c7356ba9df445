package imports

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/dataset/files"
	"touchline/shared/ingest"
)

// standardInput is the name for an archive on standard input.
const standardInput = "-"

// datasetFolder returns the folder of a dataset, which is named by its folder,
// by an archive of it, or by "-", which is NDJSON of a kind if one is given. remove
// deletes what was unpacked. A faulty archive is a *dataset.Faults.
func datasetFolder(c *terminal.Terminal, name, kind string) (dir string, remove func(), err error) {
	nothing := func() {}
	info, err := os.Stat(name)
	switch {
	case name == standardInput:
	case err != nil || !info.IsDir() && !ingest.IsArchive(name) && !files.IsBook(filepath.Base(name)):
		return "", nothing, fmt.Errorf("%s is not a folder that can be read: name the folder with the .ndjson or .csv files, a workbook (.xlsx), an archive of it (.zip, .tar.gz), or - for one on standard input", name)
	case info.IsDir():
		return name, nothing, nil
	}
	temporary, err := os.MkdirTemp("", "touchline-import-")
	if err != nil {
		return "", nothing, err
	}
	remove = func() { _ = os.RemoveAll(temporary) } // the system cleans up temporary files
	dir = filepath.Join(temporary, "dataset")
	put := unpack
	if files.IsBook(filepath.Base(name)) {
		put = copied
	} else if kind != "" {
		put = func(c *terminal.Terminal, _, _, dir string) error {
			return lines(c, filepath.Join(dir, kind+".ndjson"))
		}
	}
	if err := put(c, name, temporary, dir); err != nil {
		remove()
		return "", nothing, err
	}
	return dir, remove, nil
}

// copied puts a workbook into a folder of its own.
func copied(_ *terminal.Terminal, name, _, dir string) error {
	text, err := os.Open(filepath.Clean(name))
	if err != nil {
		return err
	}
	defer text.Close() //nolint:errcheck // only read
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	to, err := os.OpenFile(filepath.Join(dir, filepath.Base(name)), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) //nolint:gosec // in a folder that os.MkdirTemp made
	if err != nil {
		return err
	}
	_, err = io.Copy(to, text)
	return errors.Join(err, to.Close())
}

// lines makes standard input a file of a dataset.
func lines(c *terminal.Terminal, name string) error {
	if err := os.Mkdir(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	f, err := spooled(c, name, ingest.DefaultLimits().Disk)
	if err != nil {
		return err
	}
	return f.Close()
}

// unpack unpacks an archive.
func unpack(c *terminal.Terminal, name, temporary, dir string) (err error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return err
	}
	limits := ingest.DefaultLimits()
	var f *os.File
	if name == standardInput {
		if f, err = spooled(c, filepath.Join(temporary, "input"), limits.Disk); err != nil {
			return err
		}
		if name, err = formatOf(f); err != nil {
			return errors.Join(err, f.Close())
		}
	} else if f, err = os.Open(filepath.Clean(name)); err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // only read
	return ingest.Unpack(f, filepath.Base(name), dir, limits)
}

// spooled is standard input as a new file, which is open.
func spooled(c *terminal.Terminal, name string, limit int64) (_ *os.File, err error) {
	if c.In == nil {
		return nil, errors.New("there is no standard input")
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600) //nolint:gosec // in a folder that os.MkdirTemp made
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close())
		}
	}()
	n, err := io.Copy(f, io.LimitReader(c.In, limit+1))
	if err != nil {
		return nil, err
	}
	if n > limit {
		return nil, fmt.Errorf("standard input has more than %d MB: unpack it and name the folder", limit>>20)
	}
	_, err = f.Seek(0, io.SeekStart)
	return f, err
}

// formatOf is a name for an archive, with the suffix of its format.
func formatOf(f *os.File) (string, error) {
	head := make([]byte, 4)
	_, _ = f.ReadAt(head, 0) // the rest is zero if there is less
	switch {
	case string(head[:2]) == "\x1f\x8b":
		return "input.tar.gz", nil
	case string(head) == "PK\x03\x04":
		return "input.zip", nil
	}
	return "", errors.New("standard input is not an archive of a dataset: send a .zip or .tar.gz, say with --as what lines of NDJSON are, or name the folder")
}
