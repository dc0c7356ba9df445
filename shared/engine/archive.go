package engine

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// A file that Save has written is a database followed by a seal: sealMark and the
// SHA-256 of all that is before it. The engine would not notice a byte that has
// changed within an item.
const (
	sealMark = "\ntouchline-backup-sha256:"
	sealSize = int64(len(sealMark) + sha256.Size)
)

// sealFile adds the seal to a database, and flushes it to disk.
func sealFile(path string) (err error) {
	file, err := os.OpenFile(filepath.Clean(path), os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	sum := sha256.New()
	if _, err := io.Copy(sum, file); err != nil {
		return err
	}
	if _, err := file.Write(sum.Sum([]byte(sealMark))); err != nil {
		return err
	}
	return file.Sync()
}

// errDamaged is what is wrong with an archive.
var errDamaged = errors.New("the file is damaged, or was not copied in full: take another backup")

// unpack copies the database in an archive to a file, and checks the seal while it
// reads. sealed is false if it has none: then it is a database that an engine wrote.
// Such a one may have a log next to it, which belongs to it.
func unpack(to, archive string) (sealed bool, err error) {
	size := Size(archive)
	info, err := os.Stat(archive)
	if err != nil {
		return false, err
	}
	if size == 0 {
		return false, fmt.Errorf("%w: %s is not a backup of a database", ErrDatabase, archive)
	}
	_, missing := os.Stat(archive + "-wal")
	logged := missing == nil
	sealed = info.Size() == size+sealSize
	if !sealed && !logged && info.Size() != size {
		return false, fmt.Errorf("%w: %s has %d bytes and should have %d: %w", ErrDatabase, archive, info.Size(), size+sealSize, errDamaged)
	}
	if !sealed {
		err = duplicate(to, archive, info.Size(), io.Discard)
		if logged {
			err = errors.Join(err, duplicateAll(to+"-wal", archive+"-wal"))
		}
		return false, err
	}
	sum := sha256.New()
	if err := duplicate(to, archive, size, sum); err != nil {
		return true, err
	}
	seal, err := tail(archive, size)
	if err == nil && !bytes.Equal(seal, sum.Sum([]byte(sealMark))) {
		err = fmt.Errorf("%w: the checksum of %s is wrong: %w", ErrDatabase, archive, errDamaged)
	}
	return true, err
}

// tail is what a file has from a byte on.
func tail(path string, from int64) ([]byte, error) {
	file, err := os.Open(filepath.Clean(path))
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // only read
	return io.ReadAll(io.NewSectionReader(file, from, sealSize))
}

func duplicateAll(to, from string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	return duplicate(to, from, info.Size(), io.Discard)
}

// duplicate copies the first size bytes of a file, to a writer too, and flushes the
// copy to disk.
func duplicate(to, from string, size int64, also io.Writer) error {
	in, err := os.Open(filepath.Clean(from))
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // only read
	out, err := os.OpenFile(filepath.Clean(to), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.CopyN(io.MultiWriter(out, also), in, size)
	return errors.Join(err, out.Sync(), out.Close())
}
