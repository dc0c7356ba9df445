package export

import (
	"archive/zip"
	"compress/gzip"
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
	Gzip bool // each file of a folder is compressed, and named so

	dir     string // of the files of a folder, until Keep
	file    *os.File
	archive *zip.Writer
}

// NewTarget begins a target. What is at path already must be an empty folder.
func NewTarget(path string, compressed bool) (*Target, error) {
	t := &Target{Path: filepath.Clean(path), Gzip: compressed}
	there, err := os.ReadDir(t.Path)
	switch {
	case err == nil && len(there) > 0:
		return nil, fmt.Errorf("%s is not empty: name another folder", path)
	case err != nil && !errors.Is(err, os.ErrNotExist), err == nil && (t.zipped() || t.alone()):
		return nil, fmt.Errorf("%s is there already: name another", path)
	}
	beside := filepath.Dir(t.Path)
	if t.alone() {
		t.file, err = os.CreateTemp(beside, ".touchline-export-")
		return t, err
	}
	if t.zipped() {
		if t.file, err = os.CreateTemp(beside, ".touchline-export-"); err == nil {
			t.archive = zip.NewWriter(t.file)
		}
		return t, err
	}
	t.dir, err = os.MkdirTemp(beside, ".touchline-export-")
	return t, err
}

func (t *Target) zipped() bool { return strings.EqualFold(filepath.Ext(t.Path), ".zip") }

func (t *Target) alone() bool { return strings.EqualFold(filepath.Ext(t.Path), ".xlsx") }

// Create makes a file of the dataset.
func (t *Target) Create(name string) (io.WriteCloser, error) {
	if t.alone() {
		return unclosed{t.file}, nil
	}
	if t.archive != nil {
		w, err := t.archive.Create(name)
		return unclosed{w}, err
	}
	if t.Gzip {
		name += ".gz"
	}
	f, err := os.OpenFile(filepath.Join(t.dir, name), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) //nolint:gosec // a name of ours in a folder of ours
	if err != nil || !t.Gzip {
		return f, err
	}
	return &zipped{gzip.NewWriter(f), f}, nil
}

// unclosed is a member of an archive, which the next one ends.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }

// zipped is a compressed file.
type zipped struct {
	*gzip.Writer
	file *os.File
}

// Close ends both.
func (z *zipped) Close() error { return errors.Join(z.Writer.Close(), z.file.Close()) }

// Keep puts what was written in its place.
func (t *Target) Keep() error {
	if t.file != nil {
		var err error
		if t.archive != nil {
			err = t.archive.Close()
		}
		if err = errors.Join(err, t.file.Close()); err != nil {
			return err
		}
		return os.Rename(t.file.Name(), t.Path)
	}
	if err := os.Remove(t.Path); err != nil && !errors.Is(err, os.ErrNotExist) { // it was empty
		return err
	}
	return os.Rename(t.dir, t.Path)
}

// Drop removes what is left of an export that was not kept.
func (t *Target) Drop() {
	if t.file != nil {
		_ = t.file.Close() // it is removed
		_ = os.Remove(t.file.Name())
		return
	}
	_ = os.RemoveAll(t.dir) // a leftover with a name that says what it is
}
