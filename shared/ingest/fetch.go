package ingest

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"touchline/shared/dataset/files"
	"touchline/shared/stack"
)

// fetched are the files of a drop on the disk.
type fetched struct {
	fs.FS
	dir string
}

// Close removes them: the load needs the space for what it sorts.
func (f fetched) Close() error { return os.RemoveAll(f.dir) }

// fetch downloads the dataset of a drop into a folder of its own. What is wrong with the
// drop is a *dataset.Faults.
func (w *Worker) fetch(ctx context.Context, d Drop) (fs.FS, error) {
	if err := os.MkdirAll(w.Dir, 0o700); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(w.Dir, "drop-")
	if err != nil {
		return nil, err
	}
	files, err := fetch(ctx, w.Objects, d, dir, w.Limits)
	if err != nil {
		_ = os.RemoveAll(dir) // as far as that works: main removes the rest
		return nil, err
	}
	return files, nil
}

// fetch downloads the dataset of a drop into an empty folder.
func fetch(ctx context.Context, objects Objects, d Drop, dir string, limits Limits) (fs.FS, error) {
	found, err := objects.List(ctx, d.Bucket, d.Folder, limits.Files)
	if err != nil {
		return nil, err
	}
	if len(found) > limits.Files {
		return nil, faultOf(path.Base(d.Folder), "the folder has more than %d objects", limits.Files)
	}
	var archives, files []Object
	for _, o := range found {
		switch name := path.Base(o.Key); {
		case strings.HasSuffix(o.Key, "/"), name == stack.DropReady, name == stack.DropReport:
		case strings.HasPrefix(name, "."): // written by a system, as in archives
		case IsArchive(name):
			archives = append(archives, o)
		default:
			files = append(files, o)
		}
	}
	u := &unpacker{dir: dir, limits: limits, source: path.Base(d.Folder)}
	switch i := slices.IndexFunc(files, isFile); {
	case len(archives) > 1:
		return nil, faultOf(path.Base(archives[1].Key), "is a second archive: a drop has one archive, or the files of one dataset")
	case len(archives) == 1 && i >= 0:
		return nil, faultOf(path.Base(files[i].Key), "is next to an archive: a drop has one archive, or the files of one dataset")
	case len(archives) == 1:
		err = u.archive(ctx, objects, d, archives[0])
	default:
		if err = u.folder(ctx, objects, d, files); err == nil {
			err = checkPlain(dir, limits)
		}
	}
	if errors.Is(err, syscall.ENOSPC) {
		// The disk holds nothing else: the next attempt would find as little
		// space.
		return nil, faultOf(u.source, "does not fit on the function's disk: drop .ndjson.gz files, or several datasets, or load it from a machine, with --stack of `touchline import`")
	}
	if err != nil {
		return nil, err
	}
	return fetched{os.DirFS(dir), dir}, nil
}

func isFile(o Object) bool { return files.IsFile(path.Base(o.Key)) }

func (u *unpacker) folder(ctx context.Context, objects Objects, d Drop, files []Object) error {
	for _, o := range files {
		name := path.Base(o.Key)
		var err error
		switch {
		case !plainName(name):
		case !isFile(o):
			err = u.put(name, nil)
		default:
			err = u.object(ctx, objects, d, o)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (u *unpacker) object(ctx context.Context, objects Objects, d Drop, o Object) error {
	name := path.Base(o.Key)
	if u.disk+o.Size > u.limits.Disk {
		return u.tooLarge(u.limits.Disk)
	}
	content, err := objects.Get(ctx, d.Bucket, o.Key)
	if errors.Is(err, ErrNotFound) {
		return faultOf(name, "was deleted in the meantime")
	}
	if err != nil {
		return err
	}
	defer content.Close()
	return u.write(name, content)
}

func (u *unpacker) archive(ctx context.Context, objects Objects, d Drop, o Object) error {
	into := u.dir
	u.source = path.Base(o.Key)
	beside, err := os.MkdirTemp(filepath.Dir(into), "archive-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(beside) //nolint:errcheck // as above
	u.dir = beside
	if err := u.object(ctx, objects, d, o); err != nil {
		return err
	}
	f, err := os.Open(filepath.Join(beside, u.source)) //nolint:gosec // a name without folders
	if err != nil {
		return err
	}
	defer f.Close() //nolint:errcheck // only read
	limits := u.limits
	limits.Disk -= u.disk
	return Unpack(f, u.source, into, limits)
}
