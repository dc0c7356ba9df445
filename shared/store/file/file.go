package file

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"
)

var (
	// ErrInUse is the error of Open where another process has the file.
	ErrInUse = errors.New("another process has it open")
	// ErrClosed is the error of a call after Close, also at the other end of a
	// socket. A write that was under way may have been made.
	ErrClosed = errors.New("the data is closed")
	// ErrDamaged is the error of what cannot be read: bytes of the file have
	// changed, or are missing.
	ErrDamaged = errors.New("the file is damaged")
)

// Options are those of Open; the zero Options are what a service runs with.
type Options struct {
	// NoSync waits for no disk: for tests, which do not cut the power.
	NoSync bool
	// ReadOnly opens a file that exists, beside others who do the same.
	ReadOnly bool
}

const (
	// addressSpace is what the file may grow to before memory has to be mapped again,
	// for which bbolt waits until nobody reads, a backup included. It is no memory.
	addressSpace = 16 << 30
	// growth is by how many bytes the file grows at a time.
	growth = 4 << 20
)

// File is the data in a file. Its methods are safe for concurrent use.
type File struct {
	Database
	path    string
	options Options
	torn    bool // as opened: one of the two heads was damaged

	queue   sync.Mutex // holds waiting
	waiting []*job

	handle
	place  chan struct{} // of the one that writes, who alone uses the next three
	failed int           // writes, of the disk
	leases map[leaseKey]*holder
	broken error // of a commit that cannot be relied on; no other follows

	gaveUp chan error // takes broken, once

	reads sync.RWMutex // held by reads, which are short
	long  sync.Mutex   // held by one that takes long: a copy, a check, a wipe
}

// handle is an open file.
type handle struct {
	db   *bolt.DB
	file *os.File // the one of db
}

// Open opens the file at path for this process alone. It makes the file and its folder
// if they do not exist. Nobody else may enter the folder; an empty one is closed to them.
// Open does not wait: where another process has the file, its error is ErrInUse. Others
// are ErrDamaged and those of the system.
func Open(path string, o Options) (*File, error) {
	folder := filepath.Dir(path)
	if !o.ReadOnly {
		if err := Prepare(folder); err != nil {
			return nil, err
		}
	}
	h, err := openHandle(path, o)
	if err != nil {
		return nil, err
	}
	f := &File{
		path: path, options: o, handle: h,
		place: make(chan struct{}, 1), leases: map[leaseKey]*holder{}, gaveUp: make(chan error, 1),
	}
	f.Database = Database{
		do:    func(ctx context.Context, c *Call) (*Answer, error) { return f.run(ctx, c, f) },
		close: f.Close,
	}
	heads := pages{file: h.file, size: int64(h.db.Info().PageSize)}
	_ = heads.heads()
	f.torn = heads.torn
	if !o.ReadOnly {
		_ = os.Remove(path + backedUp) // nobody makes one now
		syncFolder(folder)
	}
	return f, nil
}

func openHandle(path string, o Options) (h handle, err error) {
	empty := false
	options := &bolt.Options{
		Timeout:         time.Nanosecond, // 0 would wait for good
		FreelistType:    bolt.FreelistMapType,
		PreLoadFreelist: true, // a damaged one is met here, and not by a goroutine of bbolt's
		NoSync:          o.NoSync,
		NoGrowSync:      o.NoSync,
		ReadOnly:        o.ReadOnly,
		OpenFile: func(name string, flag int, mode os.FileMode) (_ *os.File, err error) {
			if h.file, err = os.OpenFile(filepath.Clean(name), flag, mode); err != nil {
				return nil, err
			}
			info, err := h.file.Stat()
			empty = err == nil && info.Size() == 0
			return h.file, err
		},
	}
	if strconv.IntSize == 64 && runtime.GOOS != "windows" { // there the file would have that size
		options.InitialMmapSize = addressSpace
	}
	err = guard(func() (err error) {
		if h.db, err = bolt.Open(path, 0o600, options); err != nil {
			return err
		}
		h.db.AllocSize = growth
		opened, err := h.file.Stat()
		if err != nil {
			return err
		}
		if at, err := os.Stat(path); err != nil || !os.SameFile(at, opened) { // it was replaced meanwhile
			return ErrInUse
		}
		return nil
	})
	if err == nil {
		return h, nil
	}
	if h.db != nil {
		_ = h.db.Close()
	} else if h.file != nil { // without an effect where bbolt has done so
		_ = letGo(h.file)
	}
	if empty && !errors.Is(err, ErrInUse) { // on a full disk a part of the first page may be there
		_ = os.Remove(path)
	}
	return handle{}, fmt.Errorf("open %s: %w", path, err)
}

// Prepare makes a folder, and closes it if it is empty, so that nobody else may enter.
func Prepare(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	if entries, err := os.ReadDir(folder); err == nil && len(entries) == 0 {
		_ = os.Chmod(folder, 0o700) //nolint:gosec // a folder; private says what is wrong where it fails
	}
	return private(folder)
}

// Broken receives the reason, once, when nothing can be written any more.
func (f *File) Broken() <-chan error { return f.gaveUp }

func (f *File) giveUp(why error) {
	f.broken = why
	select {
	case f.gaveUp <- why:
	default:
	}
}

// Close lets go of the file, after the end of what is under way. What waits by then
// fails with ErrClosed.
func (f *File) Close() error {
	f.place <- struct{}{}
	defer func() { <-f.place }()
	if f.broken != nil { // bbolt may hold its locks for good
		return letGo(f.file)
	}
	return guard(f.db.Close)
}

// guard runs do and gives its error in this package's terms. A page that bbolt cannot
// make sense of makes it panic, and one that is missing is a fault of memory: both
// are ErrDamaged.
func guard(do func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", ErrDamaged, p)
		}
	}()
	err = do()
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return ErrInUse
	case errors.Is(err, bolterrors.ErrDatabaseNotOpen), errors.Is(err, fs.ErrClosed):
		return ErrClosed
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrChecksum), errors.Is(err, bolterrors.ErrVersionMismatch):
		return fmt.Errorf("%w, or of another kind: %w", ErrDamaged, err)
	case err != nil && strings.HasPrefix(err.Error(), "file size too small"): // which has no name
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return err
}

// view reads what was committed last.
func (f *File) view(do func(*bolt.Tx) error) error {
	f.reads.RLock()
	defer f.reads.RUnlock()
	return guard(func() error { return f.db.View(do) })
}

// syncFolder makes a name in a folder durable, where the system can.
func syncFolder(folder string) {
	if d, err := os.Open(filepath.Clean(folder)); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

// Connect opens the file at path or, where a process serves it, reaches it there.
// Where another has the file and does not serve it, the error is ErrInUse.
func Connect(ctx context.Context, path string) (*Database, error) {
	f, err := Open(path, Options{})
	if err == nil {
		return &f.Database, nil
	}
	if !errors.Is(err, ErrInUse) {
		return nil, err
	}
	c, dialErr := Dial(ctx, filepath.Dir(path))
	if errors.Is(dialErr, fs.ErrNotExist) || errors.Is(dialErr, ErrNotServed) {
		return nil, err
	}
	return c, dialErr
}
