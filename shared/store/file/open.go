package file

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"time"

	bolt "go.etcd.io/bbolt"

	"touchline/shared/store/file/owner"
)

// handle is an open file.
type handle struct {
	db   *bolt.DB
	file *os.File // the one of db
	size int64    // of a page
}

// disk is a file as this package uses it beside bbolt; tests have it fail.
type disk interface {
	io.ReaderAt
	io.WriterAt
	Sync() error
	Stat() (os.FileInfo, error)
}

// openHandle opens a file. Its heads, free list and branches are read before bbolt does.
func openHandle(path string, o Options) (h handle, err error) {
	_, statErr := os.Lstat(path)
	made := !o.ReadOnly && errors.Is(statErr, fs.ErrNotExist)
	options := &bolt.Options{
		Timeout:         time.Nanosecond, // 0 would wait for good
		FreelistType:    bolt.FreelistMapType,
		PreLoadFreelist: true, // a damaged one is met here, and not by a goroutine of bbolt's
		NoSync:          o.NoSync,
		NoGrowSync:      o.NoSync,
		ReadOnly:        o.ReadOnly,
		OpenFile: func(name string, flag int, mode os.FileMode) (*os.File, error) {
			if h.file, err = os.OpenFile(filepath.Clean(name), flag, mode); err != nil {
				return nil, err
			}
			return h.file, ready(h.file, o)
		},
	}
	if strconv.IntSize == 64 && runtime.GOOS != "windows" { // there the file would have that size
		options.InitialMmapSize = addressSpace
	}
	err = guard(func() (err error) {
		if h.db, err = bolt.Open(path, 0o600, options); err != nil {
			return err
		}
		h.db.AllocSize, h.size = growth, int64(h.db.Info().PageSize)
		opened, err := h.file.Stat()
		if err != nil {
			return err
		}
		if at, err := os.Stat(path); err != nil || !os.SameFile(at, opened) { // it was replaced meanwhile
			return owner.ErrInUse
		}
		return nil
	})
	if err == nil {
		return h, nil
	}
	if h.db != nil {
		_ = h.db.Close()
	} else if h.file != nil { // without an effect where bbolt has done so
		_ = owner.LetGo(h.file)
	}
	if made && !errors.Is(err, owner.ErrInUse) { // on a full disk a part of the first page may be there
		_ = os.Remove(path)
	}
	return handle{}, fmt.Errorf("open %s: %w", path, err)
}

// ready takes the lock of a file, which bbolt takes once more, and makes sure that bbolt
// can read it. An empty one becomes a new file of data.
func ready(f *os.File, o Options) error {
	info, err := f.Stat()
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fmt.Errorf("%w, or of another kind: it is no regular file", ErrDamaged)
	}
	if err := owner.Lock(f, !o.ReadOnly); err != nil {
		return err
	}
	if info, err = f.Stat(); err != nil || info.Size() == 0 && !o.ReadOnly {
		return err
	}
	return guard(func() error { return sound(f) })
}
