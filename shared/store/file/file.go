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
	"strings"
	"sync"
	"syscall"

	bolt "go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"touchline/shared/store/file/owner"
	"touchline/shared/store/file/socket"
)

var (
	// ErrClosed is the error of a call after Close, also at the other end of a
	// socket. A write that was under way may have been made.
	ErrClosed = errors.New("the data is closed")
	// ErrDamaged is the error of what cannot be read: bytes of the file have
	// changed, or are missing.
	ErrDamaged = errors.New("the file is damaged")
	// ErrReadOnly is the error of a write to a file that was opened for reading alone.
	ErrReadOnly = errors.New("the data are open for reading alone")
)

// Options are those of Open; the zero Options are what a service runs with.
type Options struct {
	// NoSync waits for no disk: for tests, which do not cut the power.
	NoSync bool
	// ReadOnly opens a file that exists, beside others who do the same.
	ReadOnly bool

	disk func(*os.File) disk // what stands for a file, for tests; nil: the file
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
	torn    bool     // as opened: one of the two heads was damaged
	tables  [][]byte // as opened

	queue   sync.Mutex // holds waiting
	waiting []*job

	handle
	disk   disk          // the file of handle
	place  chan struct{} // of the one that writes, who alone uses the next four
	opened *Report       // what Open found, for the first check; nil: it was taken, or something was written
	failed int           // commits
	latest uint64        // the transaction that was committed last
	leases map[leaseKey]*holder

	giving sync.Once
	gone   chan struct{} // closed once nothing can be relied on any more; broken says why
	broken error
	gaveUp chan error // takes broken, once

	reads sync.RWMutex // held by reads, which are short
	long  sync.Mutex   // held by one that takes long: a copy, a check, a wipe
}

// Open opens the file at path for this process alone. It makes the file and its folder
// if they do not exist. Nobody else may enter the folder; an empty one is closed to them.
// Open does not wait: where another process has the file, its error is owner.ErrInUse. Others
// are ErrDamaged and those of the system.
//
// Open reads all that is in use, 300 MB in a second, unless it is for reading alone: in a
// leaf whose lengths have changed bbolt would ask for memory by the gigabyte to write a record.
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
		path: path, options: o, handle: h, disk: o.diskOf(h.file), place: make(chan struct{}, 1), leases: map[leaseKey]*holder{},
		gone: make(chan struct{}), gaveUp: make(chan error, 1),
	}
	f.Database = Database{
		do:    func(ctx context.Context, c *Call) (*Answer, error) { return f.run(ctx, c, f) },
		close: f.Close,
	}
	heads := f.pages(context.Background())
	_ = heads.heads()
	f.torn, f.latest = heads.torn, heads.head.transaction
	if o.ReadOnly {
		return f, nil
	}
	_, _ = os.Remove(path+backedUp), os.Remove(path+Next) // nobody makes one now
	syncFolder(folder)
	if _, err := f.settle(); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: its head cannot be written: %w", path, err), f.Close())
	}
	if err := f.look(); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", path, err), f.Close())
	}
	return f, nil
}

// look reads all that is in use, and notes what is missing, for who has opened the file.
func (f *File) look() error {
	report, err := f.inspect(context.Background(), f.torn)
	if report.Lost != "" {
		f.lost = fmt.Errorf("%w: %s", ErrDamaged, report.Lost)
	}
	f.opened = &report
	for name := range report.Records {
		f.tables = append(f.tables, []byte(name))
	}
	return err
}

func (o Options) diskOf(f *os.File) disk {
	if o.disk != nil {
		return o.disk(f)
	}
	return f
}

// Prepare makes a folder, and closes it if it is empty, so that nobody else may enter.
func Prepare(folder string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	if entries, err := os.ReadDir(folder); err == nil && len(entries) == 0 {
		_ = os.Chmod(folder, 0o700) //nolint:gosec // a folder; private says what is wrong where it fails
	}
	return owner.Private(folder)
}

// Broken receives the reason, once, when nothing can be written any more.
func (f *File) Broken() <-chan error { return f.gaveUp }

func (f *File) giveUp(why error) {
	f.giving.Do(func() {
		f.broken = why
		close(f.gone)
		f.gaveUp <- why
	})
}

// fault is why nothing can be relied on any more; nil: all can.
func (f *File) fault() error {
	select {
	case <-f.gone:
		return f.broken
	default:
		return nil
	}
}

// Close lets go of the file, after the end of what is under way. What waits by then
// fails with ErrClosed.
func (f *File) Close() error {
	select {
	case <-f.gone:
	case f.place <- struct{}{}:
		defer func() { <-f.place }()
	}
	if f.fault() != nil { // bbolt may hold its locks for good
		return owner.LetGo(f.file)
	}
	return guard(f.db.Close)
}

// InPlace makes sure that what is open is the file at its path, as it was written last: it
// may have been removed, exchanged, or written over by another program.
func (f *File) InPlace(ctx context.Context) error {
	return f.alone(ctx, func() error {
		opened, err := f.file.Stat()
		at, statErr := os.Stat(f.path)
		if err = errors.Join(err, statErr); err != nil {
			return fmt.Errorf("the file that is open is no longer there: %w", err)
		}
		if !os.SameFile(at, opened) {
			return fmt.Errorf("%s is another file than the one that is open", f.path)
		}
		p := f.pages(ctx)
		if err := p.heads(); err != nil || p.head.transaction != f.latest {
			return errors.Join(errOverwritten, err)
		}
		return nil
	})
}

// errOverwritten is the error of a file that this process has not written.
var errOverwritten = fmt.Errorf("%w: another program has written over it", ErrDamaged)

// guard runs do and gives its error in this package's terms. A page that bbolt cannot
// make sense of makes it panic, and one that is missing is a fault of memory: both
// are ErrDamaged.
func guard(do func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		p := recover()
		if _, fault := p.(runtime.Error); fault { // whose text is for programmers
			err = fmt.Errorf("%w: a page names what lies outside of it, or is missing", ErrDamaged)
		} else if p != nil {
			err = fmt.Errorf("%w: %v", ErrDamaged, p)
		}
	}()
	err = do()
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return owner.ErrInUse
	case errors.Is(err, bolterrors.ErrDatabaseReadOnly):
		return ErrReadOnly
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
	return f.read(do)
}

// read is view for a read that takes long.
func (f *File) read(do func(*bolt.Tx) error) error {
	tx, err := f.begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // nothing was written
	return guard(func() error {
		if err := f.complete(tx); err != nil {
			return err
		}
		return do(tx)
	})
}

// complete makes sure that the tables of the file as it was opened are there. A bit of their
// number may have changed since, and without the table of nonces each would count again.
func (f *File) complete(tx *bolt.Tx) error {
	for _, name := range f.tables {
		if tx.Bucket(name) == nil {
			err := fmt.Errorf("%w: table %s is missing", ErrDamaged, name)
			f.giveUp(err)
			return err
		}
	}
	return nil
}

// begin begins a read. One that cannot leaves bbolt's locks held, so that none would ever
// begin again.
func (f *File) begin() (tx *bolt.Tx, err error) {
	if err := f.fault(); err != nil {
		return nil, err
	}
	err = guard(func() (err error) {
		tx, err = f.db.Begin(false)
		return err
	})
	if errors.Is(err, ErrDamaged) {
		f.giveUp(err)
	}
	return tx, err
}

// syncFolder makes a name in a folder durable, where the system can.
func syncFolder(folder string) {
	if d, err := os.Open(filepath.Clean(folder)); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}

// Connect reaches the process that serves the file at path, or opens it where none does:
// what is at the path may be another file than the one that is served. Where a process has
// the file and does not serve it, the error is owner.ErrInUse. On a disk that takes no writes, or
// is so full that it writes over nothing, the file is open for reading alone.
func Connect(ctx context.Context, path string) (*Database, error) {
	return connect(ctx, path, Options{})
}

func connect(ctx context.Context, path string, o Options) (*Database, error) {
	c, err := Dial(ctx, filepath.Dir(path))
	if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, socket.ErrNotServed) {
		return c, err
	}
	f, opening := Open(path, o)
	if errors.Is(opening, syscall.EROFS) || errors.Is(opening, syscall.EIO) || errors.Is(opening, syscall.ENOSPC) {
		if looks, err := Open(path, Options{ReadOnly: true}); err == nil { // so that somebody can look
			f, opening = looks, looks.look()
		}
	}
	if opening != nil {
		if errors.Is(opening, owner.ErrInUse) {
			return nil, fmt.Errorf("%w (%w)", opening, err)
		}
		return nil, opening
	}
	return &f.Database, nil
}
