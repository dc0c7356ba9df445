package files

import (
	"archive/zip"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// OpenZip shows a zip archive as the folder of a dataset: its files, or those of the one
// folder in it. They are unpacked while they are read.
func OpenZip(name string) (_ fs.FS, closed func() error, err error) {
	z, err := zip.OpenReader(name)
	if err != nil {
		return nil, nil, fmt.Errorf("%s is not a complete zip archive: %w", filepath.Base(name), err)
	}
	entries, err := fs.ReadDir(z, ".")
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool { // written by a system
		return strings.HasPrefix(e.Name(), ".") || e.Name() == "__MACOSX"
	})
	var folder fs.FS = &z.Reader
	if err == nil && len(entries) == 1 && entries[0].IsDir() {
		folder, err = fs.Sub(folder, entries[0].Name())
	}
	if err != nil {
		return nil, nil, errors.Join(err, z.Close())
	}
	return folder, z.Close, nil
}

// IsZip reports whether OpenZip is for a file of this name.
func IsZip(name string) bool { return strings.EqualFold(filepath.Ext(name), ".zip") }
