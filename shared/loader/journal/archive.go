package journal

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
	"touchline/shared/sport"
)

// Archive is a dataset in memory, compressed while it is written: the records of one kind
// after those of another.
type Archive struct {
	archive bytes.Buffer
	zip     *zip.Writer
	kind    files.Kind
	file    io.Writer // of the kind; nil: none yet
	line    []byte
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

// AddRecord adds a record as it will be, unless the archive is nil.
func AddRecord[T dataset.Entity](a *Archive, kind files.Kind, r *dataset.Record[T]) {
	if a == nil {
		return // nobody wants it
	}
	a.line = dataset.Append(a.line[:0], r)
	a.add(kind)
}

// AddLine adds a record as a line of the file of its kind, without the line's end.
func (a *Archive) AddLine(kind sport.Kind, line []byte) {
	a.line = append(append(a.line[:0], line...), '\n')
	a.add(files.Holding(kind))
}

func (a *Archive) add(kind files.Kind) {
	if a.file == nil || a.kind != kind {
		var err error
		a.kind = kind
		a.file, err = a.zip.Create(files.Names()[kind])
		a.err = errors.Join(a.err, err)
	}
	_, _ = a.file.Write(a.line) // into memory
}

// Dataset is one with records of a kind, as json.Marshal writes them.
func Dataset[T any](kind sport.Kind, all []T) (*zip.Reader, error) {
	a := NewArchive()
	for _, record := range all {
		line, err := json.Marshal(record)
		if err != nil {
			return nil, err
		}
		a.AddLine(kind, line)
	}
	return a.Files()
}

// Files ends the archive and opens it. Without a record it has an empty file.
func (a *Archive) Files() (*zip.Reader, error) {
	if a.file == nil {
		a.line = nil
		a.add(files.Players)
	}
	archive, err := a.Bytes()
	if err != nil {
		return nil, err
	}
	return OpenArchive(archive)
}

// OpenArchive opens what Bytes gave.
func OpenArchive(archive []byte) (*zip.Reader, error) {
	return zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
}

// Bytes ends the archive.
func (a *Archive) Bytes() ([]byte, error) {
	err := errors.Join(a.err, a.zip.Close())
	return a.archive.Bytes(), err
}
