package database

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"touchline/shared/loader/spool"
	"touchline/shared/stack"
	"touchline/shared/store/file"
	"touchline/shared/store/file/owner"
	"touchline/shared/store/file/socket"
)

const (
	// FileName is the file in the folder of the data.
	FileName = "touchline.db"
	// DefaultFolder is the folder of the data where none is named.
	DefaultFolder = ".touchline"
)

// Local selects the data on this machine.
type Local struct {
	DataDir string `name:"data-dir" env:"TOUCHLINE_DATA_DIR" xor:"database" placeholder:"DIR" help:"Folder of the data on this machine (default: .touchline)."`
}

// Folder is the folder that is named, else the default one.
func (l Local) Folder() string { return cmp.Or(l.DataDir, DefaultFolder) }

// IsServed reports whether a process shares the data in a folder, also those of a file that
// has been removed there, or exchanged.
func IsServed(folder string) bool {
	d, err := file.Dial(context.Background(), folder) // a socket answers at once
	if err == nil {
		_ = d.Close()
	}
	return err == nil
}

// FileTables are the names of the tables in the file.
func FileTables() stack.Tables {
	return stack.Tables{Sports: "sports", Nonces: file.NoncesTable, Quotas: file.QuotasTable, Keys: file.KeysTable}
}

// there checks that a folder has data.
func there(folder string) error {
	_, err := os.Stat(filepath.Join(folder, FileName))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there are no data in %s: load a dataset with `touchline import`, begin with `touchline serve --demo`, or name another folder with --data-dir", folder)
	}
	return explainFile(err, folder)
}

const (
	// otherLimit is how long a command waits for another that has the file: most end
	// within a second.
	otherLimit = 10 * time.Second
	// otherEvery is the pause between two attempts.
	otherEvery = 20 * time.Millisecond
)

// waiting repeats open as long as another process has the file, for otherLimit at most.
func waiting(ctx context.Context, open func() error) error {
	again, limit := time.NewTicker(otherEvery), time.NewTimer(otherLimit)
	defer again.Stop()
	defer limit.Stop()
	for {
		err := open()
		if !errors.Is(err, owner.ErrInUse) {
			return err
		}
		select {
		case <-again.C:
		case <-limit.C:
			return err
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// connect opens the file in a folder, or asks the process that shares it.
func connect(ctx context.Context, folder string) (*Database, error) {
	var data *file.Database
	err := waiting(ctx, func() (err error) {
		data, err = file.Connect(ctx, filepath.Join(folder, FileName))
		return err
	})
	if err != nil {
		return nil, explainFile(err, folder)
	}
	return &Database{File: data, Tables: FileTables(), Where: folder, close: func() { _ = data.Close() }}, nil
}

// errShared is the error of own where another process shares the file.
var errShared = errors.New("it is shared")

// Own opens the file for this process, which shares it with others of this user.
func (l Local) Own(ctx context.Context) (*Database, error) {
	folder := l.Folder()
	d, err := own(ctx, folder)
	if err == nil {
		d.flags.Local = l
	}
	if errors.Is(err, errShared) {
		return nil, fmt.Errorf("another touchline serve, or console, has the data in %s open: stop it, or use another folder with --data-dir", folder)
	}
	return d, err
}

func own(ctx context.Context, folder string) (*Database, error) {
	var f *file.File
	err := waiting(ctx, func() (err error) {
		if IsServed(folder) {
			return errShared
		}
		f, err = file.Open(filepath.Join(folder, FileName), file.Options{})
		return err
	})
	if err == nil && f.Lost() != nil {
		err = errors.Join(f.Lost(), f.Close())
	}
	if err != nil {
		return nil, explainFile(err, folder)
	}
	shared, err := f.Serve()
	if err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("share the data in %s: %w", folder, err)
	}
	return &Database{File: &f.Database, Tables: FileTables(), Where: folder, InPlace: f.InPlace, broken: f.Broken(), close: func() {
		_ = shared.Close()
		_ = f.Close()
	}}, nil
}

// explainFile says what to do about a failure of the file in a folder.
func explainFile(err error, folder string) error {
	switch {
	case errors.As(err, new(*spool.FolderError)):
		return err
	case errors.Is(err, owner.ErrInUse):
		return fmt.Errorf("another process has the data in %s open, and does not share them: a command that has not ended yet, a serve of another version, or one whose %s was removed: end it, and start it again", folder, socket.Name)
	case errors.Is(err, file.ErrClosed):
		return fmt.Errorf("the process that shared the data in %s has ended: run it again", folder)
	case errors.Is(err, file.ErrDamaged):
		return fmt.Errorf("the data in %s cannot be read in full (%w): stop serve, and bring the last backup back with `touchline restore`, which keeps what is there; without one, import the dataset into another folder (--data-dir)", folder, err)
	case errors.Is(err, owner.ErrNoLocks):
		return fmt.Errorf("%w (--data-dir %s)", err, folder)
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EROFS), errors.Is(err, file.ErrReadOnly):
		if on, ok := errors.AsType[*fs.PathError](err); ok { // which may be another's than the data's
			folder = filepath.Dir(on.Path)
		}
		return fmt.Errorf("the disk of %s takes no writes, or has no room or no inodes left (mount, df -h, df -i): %w", folder, err)
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("the data in %s cannot be used by this user (--data-dir): %w", folder, err)
	case errors.As(err, new(*fs.PathError)):
		return fmt.Errorf("%w (--data-dir %s)", err, folder)
	}
	return err
}
