package commit

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/json"
	"hash/crc32"
	"maps"
	"slices"

	"touchline/shared/dataset"
	"touchline/shared/dataset/files"
	"touchline/shared/sport"
)

// Archive is a dataset in memory, compressed while it is written.
type Archive struct {
	files map[string]*archiveFile
	line  []byte
}

// archiveFile is a file of the archive while it is written: its records are added in any
// order of kinds.
type archiveFile struct {
	packed bytes.Buffer
	lines  *flate.Writer
	sum    uint32
	size   uint64
}

// LineLimit bounds a line of an archive, in bytes. It may be longer than the
// line that was loaded: a table of 10,000 rows whose keys became ids.
const LineLimit = 16 << 20

func NewArchive() *Archive { return &Archive{files: map[string]*archiveFile{}} }

// AddRecord adds a record as it will be, unless the archive is nil.
func AddRecord[T dataset.Entity](a *Archive, kind files.Kind, r *dataset.Record[T]) {
	if a == nil {
		return // nobody wants it
	}
	a.line = dataset.Append(a.line[:0], r)
	a.file(kind).add(a.line)
}

// Begin adds a file, if only an empty one.
func (a *Archive) Begin(kind files.Kind) { a.file(kind) }

// AddLine adds a record as a line of the file of its kind, without the line's end.
func (a *Archive) AddLine(kind sport.Kind, line []byte) {
	a.line = append(append(a.line[:0], line...), '\n')
	a.file(files.Holding(kind)).add(a.line)
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

// Files ends the files and opens them.
func (a *Archive) Files() (*zip.Reader, error) {
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

func (a *Archive) file(kind files.Kind) *archiveFile {
	name := files.Names()[kind]
	f := a.files[name]
	if f == nil {
		f = &archiveFile{}
		f.lines, _ = flate.NewWriter(&f.packed, flate.DefaultCompression) // the level is one
		a.files[name] = f
	}
	return f
}

func (f *archiveFile) add(line []byte) {
	f.sum = crc32.Update(f.sum, crc32.IEEETable, line)
	f.size += uint64(len(line))
	_, _ = f.lines.Write(line) // into memory
}

// Bytes ends the files, and puts them into one.
func (a *Archive) Bytes() ([]byte, error) {
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for _, name := range slices.Sorted(maps.Keys(a.files)) {
		f := a.files[name]
		if err := f.lines.Close(); err != nil {
			return nil, err
		}
		to, err := archive.CreateRaw(&zip.FileHeader{
			Name: name, Method: zip.Deflate, CRC32: f.sum,
			CompressedSize64: uint64(f.packed.Len()), UncompressedSize64: f.size, //nolint:gosec // a length
		})
		if err != nil {
			return nil, err
		}
		if _, err := f.packed.WriteTo(to); err != nil {
			return nil, err
		}
		delete(a.files, name)
	}
	err := archive.Close()
	return out.Bytes(), err
}
