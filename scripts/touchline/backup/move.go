package backup

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// unfinished is what the name of a copy ends with that is not whole.
const unfinished = ".part"

// move moves a file to a path where nothing is, on the same disk or another. It writes to
// nothing that somebody has put there, and the file has its name once it is whole.
func move(from, to string) error {
	err := os.Link(from, to) // which follows and replaces nothing
	if err != nil && !errors.Is(err, fs.ErrExist) {
		part := to + unfinished
		_ = os.Remove(part) // of a run that was killed
		if err = copied(from, part); err == nil {
			err = os.Rename(part, to)
		}
		if err != nil {
			_ = os.Remove(part) // which may not be there
		}
	}
	if err != nil {
		err = fmt.Errorf("move the copy to %s: %w", to, err)
	} else if folder, opening := os.Open(filepath.Dir(to)); opening == nil {
		_ = folder.Sync() // where the system can
		_ = folder.Close()
	}
	return errors.Join(err, os.Remove(from))
}

// copied makes a file for this user alone.
func copied(from, to string) error {
	in, err := os.Open(filepath.Clean(from))
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // only read
	out, err := os.OpenFile(filepath.Clean(to), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}
