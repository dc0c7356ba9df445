package journal

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"touchline/shared/dataset/files"
	"touchline/shared/sport"
)

// Archive is a dataset in memory, compressed while it is written: the records of one kind
// after those of another.
type Archive struct {
	archive bytes.Buffer
	zip     *zip.Writer
	kind    sport.Kind
	file    io.Writer // of the kind; nil: none yet
	err     error
}

// LineLimit bounds a line of an archive, in bytes. It may be longer than the
// line that was loaded: a table of 10,000 rows whose keys became ids.
const LineLimit = 16 << 20

func NewArchive() *Archive {
	a := &Archive{}
	a.zip = zip.NewWriter(&a.archive)
	return a
}

// Erased is the kind of the lines that say what was erased.
const Erased sport.Kind = "erased"

// Add adds a record as a line of the file of its kind. Blank lines are left out.
func (a *Archive) Add(kind sport.Kind, line []byte) {
	if a.file == nil || a.kind != kind {
		var err error
		a.kind = kind
		name := files.Erased
		if kind != Erased {
			name = files.Names()[files.Holding(kind)]
		}
		a.file, err = a.zip.Create(name)
		a.err = errors.Join(a.err, err)
	}
	_, _ = a.file.Write(append(line, '\n')) // into memory
}

// Dataset is one with records of a kind, as json.Marshal writes them.
func Dataset[T any](kind sport.Kind, all []T) (*zip.Reader, error) {
	a := NewArchive()
	for _, record := range all {
		line, err := json.Marshal(record)
		if err != nil {
			return nil, err
		}
		a.Add(kind, line)
	}
	return a.Files()
}

// Files ends the archive and opens it. Without a record it has an empty file.
func (a *Archive) Files() (*zip.Reader, error) {
	if a.file == nil {
		a.Add(sport.KindPlayer, nil)
	}
	archive, err := a.Bytes()
	if err != nil {
		return nil, err
	}
	return openArchive(archive)
}

// openArchive opens what Bytes gave.
func openArchive(archive []byte) (*zip.Reader, error) {
	return zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
}

// Bytes ends the archive.
func (a *Archive) Bytes() ([]byte, error) {
	err := errors.Join(a.err, a.zip.Close())
	return a.archive.Bytes(), err
}
