package ingest

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
)

// folder is a drop as the folder of a dataset. A file is read from the bucket while the
// loader reads it.
type folder struct {
	ctx     context.Context //nolint:containedctx // of one load
	objects Objects
	drop    Drop
	entries []fs.DirEntry
}

// most bounds the objects in the folder of a drop: a dataset has some ten files.
const most = 1000

// open lists a drop. One with too many objects is a *dataset.Faults.
func open(ctx context.Context, objects Objects, d Drop) (fs.FS, error) {
	keys, err := objects.List(ctx, d.Bucket, d.Folder, most)
	if err != nil {
		return nil, err
	}
	if len(keys) > most {
		return nil, faultOf(path.Base(d.Folder), "the folder has more than %d objects", most)
	}
	f := folder{ctx: ctx, objects: objects, drop: d}
	for _, key := range keys {
		if !strings.HasSuffix(key, "/") { // the folder itself, which some programs make
			f.entries = append(f.entries, entry(path.Base(key)))
		}
	}
	return f, nil
}

// ReadDir implements fs.ReadDirFS, for the folder itself.
func (f folder) ReadDir(string) ([]fs.DirEntry, error) { return f.entries, nil }

// Open implements fs.FS.
func (f folder) Open(name string) (fs.File, error) {
	content, err := f.objects.Get(f.ctx, f.drop.Bucket, f.drop.Key(name))
	if err != nil {
		return nil, unavailable(name, err)
	}
	return file{content, name}, nil
}

// unavailable is the error of a bucket. It hides its cause: where a connection ends, no file
// does, so that none is damaged.
func unavailable(name string, cause error) error {
	return &fs.PathError{Op: "read", Path: name, Err: errors.New(cause.Error())}
}

// file is an object that is being read.
type file struct {
	*Content
	name string
}

// Read implements fs.File.
func (f file) Read(p []byte) (int, error) {
	n, err := f.Content.Read(p)
	if err != nil && err != io.EOF { //nolint:errorlint // io.EOF itself ends a reader
		err = unavailable(f.name, err)
	}
	return n, err
}

// Stat implements fs.File. Nobody asks.
func (f file) Stat() (fs.FileInfo, error) { return nil, errors.ErrUnsupported }

// entry is the name of an object.
type entry string

// Name implements fs.DirEntry, as the other methods do.
func (e entry) Name() string             { return string(e) }
func (entry) IsDir() bool                { return false }
func (entry) Type() fs.FileMode          { return 0 }
func (entry) Info() (fs.FileInfo, error) { return nil, errors.ErrUnsupported }
