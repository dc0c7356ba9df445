package ingest

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"touchline/shared/dataset"
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
		case strings.HasSuffix(o.Key, "/"), name == stack.DropReady, name == stack.DropReport, name == stack.DropProgress:
		case strings.HasPrefix(name, "."): // written by a system, as in archives
		case IsArchive(name):
			archives = append(archives, o)
		default:
			files = append(files, o)
		}
	}
	u := &unpacker{dir: dir, limits: limits, source: path.Base(d.Folder)}
	switch {
	case len(archives) > 1:
		return nil, faultOf(path.Base(archives[1].Key), "is a second archive: a drop has one archive, or the files of one dataset")
	case len(archives) == 1:
		if i := slices.IndexFunc(files, isFile); i >= 0 {
			return nil, faultOf(path.Base(files[i].Key), "is next to an archive: a drop has one archive, or the files of one dataset")
		}
		err = u.archive(ctx, objects, d, archives[0])
	case !slices.ContainsFunc(files, isFile) && slices.ContainsFunc(files, isOtherArchive):
		name := path.Base(files[slices.IndexFunc(files, isOtherArchive)].Key)
		return nil, faultOf(name, "is not a supported kind of archive: pack the files as .tar.gz or .zip")
	default:
		err = u.folder(ctx, objects, d, files)
	}
	if err == nil {
		err = checkPlain(dir, limits)
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

func isFile(o Object) bool { return dataset.IsFile(path.Base(o.Key)) }

// isOtherArchive reports whether an object looks like an unsupported archive.
// Single compressed files are left to dataset.Read.
func isOtherArchive(o Object) bool {
	name := path.Base(o.Key)
	switch ext := path.Ext(name); strings.ToLower(ext) {
	case ".tar", ".bz2", ".tbz", ".xz", ".txz", ".zst", ".7z", ".rar":
		return !dataset.IsFile(strings.TrimSuffix(name, ext))
	}
	return false
}

// folder fetches the files of a folder.
func (u *unpacker) folder(ctx context.Context, objects Objects, d Drop, files []Object) error {
	for _, o := range files {
		name := path.Base(o.Key)
		if !plainName(name) {
			continue
		}
		if err := u.object(ctx, objects, d, o, name); err != nil {
			return err
		}
	}
	return nil
}

func (u *unpacker) object(ctx context.Context, objects Objects, d Drop, o Object, name string) error {
	if !dataset.IsFile(name) {
		return u.put(name, nil)
	}
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
	return u.put(name, content)
}

// archive downloads and unpacks an archive: a tar while it is downloaded, a zip,
// whose directory is at its end, from the disk.
func (u *unpacker) archive(ctx context.Context, objects Objects, d Drop, o Object) error {
	u.source = path.Base(o.Key)
	content, err := objects.Get(ctx, d.Bucket, o.Key)
	if errors.Is(err, ErrNotFound) {
		return faultOf(u.source, "was deleted in the meantime")
	}
	if err != nil {
		return err
	}
	defer content.Close()
	if isTar(u.source) {
		return u.tar(content)
	}
	f, err := os.CreateTemp(filepath.Dir(u.dir), "archive-*.zip")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) //nolint:errcheck // as above
	defer f.Close()           //nolint:errcheck // it is no longer needed
	size, err := io.Copy(f, io.LimitReader(content, u.limits.Disk+1))
	if err != nil {
		return err
	}
	if u.disk = size; size > u.limits.Disk {
		return u.tooLarge(u.limits.Disk)
	}
	return u.zip(f, size)
}
