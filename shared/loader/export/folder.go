package export

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Target is where the files of an export go: a folder, a zip archive where its name ends
// in .zip, or one file where it ends in .xlsx. Nothing is there under its name before
// Keep.
type Target struct {
	Path string

	temp    string      // what is written, under another name until Keep
	file    *os.File    // of an archive or a workbook; nil: a folder
	archive *zip.Writer // nil: there isn't one
}

// NewTarget begins a target. What is at path already must be an empty folder.
func NewTarget(path string) (*Target, error) {
	t := &Target{Path: filepath.Clean(path)}
	ext := strings.ToLower(filepath.Ext(t.Path))
	single := ext == ".zip" || ext == ".xlsx"
	there, err := os.ReadDir(t.Path)
	switch {
	case err == nil && len(there) > 0:
		return nil, fmt.Errorf("%s is not empty: name another folder", path)
	case err != nil && !errors.Is(err, os.ErrNotExist), err == nil && single:
		return nil, fmt.Errorf("%s is there already: name another", path)
	}
	const pattern = ".touchline-export-"
	if !single {
		t.temp, err = os.MkdirTemp(filepath.Dir(t.Path), pattern)
		return t, err
	}
	if t.file, err = os.CreateTemp(filepath.Dir(t.Path), pattern); err != nil {
		return nil, err
	}
	t.temp = t.file.Name()
	if ext == ".zip" {
		t.archive = zip.NewWriter(t.file)
	}
	return t, nil
}

// Create makes a file of the dataset.
func (t *Target) Create(name string) (io.WriteCloser, error) {
	if t.archive != nil {
		w, err := t.archive.Create(name)
		return unclosed{w}, err
	}
	if t.file != nil {
		return unclosed{t.file}, nil
	}
	return os.OpenFile(filepath.Join(t.temp, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) //nolint:gosec // a name of ours in a folder of ours
}

// unclosed is a member of an archive, which the next one ends, or all of a file.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// Keep puts what was written in its place.
func (t *Target) Keep() error {
	var err error
	if t.archive != nil {
		err = t.archive.Close()
	}
	if t.file != nil {
		err = errors.Join(err, t.file.Close())
	} else if err = os.Remove(t.Path); errors.Is(err, os.ErrNotExist) { // the empty folder
		err = nil
	}
	if err != nil {
		return err
	}
	return os.Rename(t.temp, t.Path)
}

// Drop removes what is left of an export that was not kept.
func (t *Target) Drop() {
	if t.file != nil {
		_ = t.file.Close() // it is removed
	}
	_ = os.RemoveAll(t.temp) // a leftover with a name that says what it is
}
