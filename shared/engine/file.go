package engine

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Waste is how many bytes of a database file are unused: space of deleted items,
// which the engine uses again but never returns. It is 0 if the file cannot be
// read as a database.
func Waste(path string) (free, size int64) {
	file, err := os.Open(filepath.Clean(path))
	if err != nil {
		return 0, 0
	}
	defer file.Close() //nolint:errcheck // only read
	// The header of SQLite's file format: its name at 0, the page size at 16,
	// the number of pages at 28, the number of free pages at 36.
	head := make([]byte, 40)
	if _, err := io.ReadFull(file, head); err != nil || string(head[:16]) != "SQLite format 3\x00" {
		return 0, 0
	}
	page := int64(binary.BigEndian.Uint16(head[16:]))
	if page == 1 {
		page = 65536
	}
	return page * int64(binary.BigEndian.Uint32(head[36:])), page * int64(binary.BigEndian.Uint32(head[28:]))
}

// Rewrite replaces the database at path by a copy without waste. transfer copies
// the data between two engines, whose endpoints it gets. If it fails, nothing
// changes. ErrDatabaseInUse means that an engine has the database open.
func Rewrite(ctx context.Context, path string, transfer func(from, to string) error) error {
	lock, err := prepareDatabase(ctx, path)
	if err != nil {
		return err
	}
	defer lock.Close() //nolint:errcheck // nothing was written
	next := path + ".new"
	if err := removeDatabase(next); err != nil {
		return err
	}
	if err := copyFile(ctx, path, next, lock, transfer); err != nil {
		return errors.Join(err, removeDatabase(next))
	}
	return replaceDatabase(path, next)
}

// Save copies the database of a running engine to a file.
func Save(ctx context.Context, file string, transfer func(to string) error) error {
	next := file + ".new"
	if err := removeDatabase(next); err != nil {
		return err
	}
	to, err := Start(ctx, Options{DBPath: next})
	if err != nil {
		return err
	}
	err = errors.Join(transfer(to.Endpoint), to.Stop())
	if err == nil {
		err = os.Chmod(next, 0o600)
	}
	if err != nil {
		return errors.Join(err, removeDatabase(next))
	}
	return errors.Join(replaceDatabase(file, next), removeIfThere(next+".lock"))
}

// Restore replaces the database at path by a copy that Save made, and keeps the
// old one at path + ".before". No engine may have the database open.
func Restore(ctx context.Context, path, saved string) error {
	if _, size := Waste(saved); size == 0 {
		return fmt.Errorf("%w: %s is not a backup of a database", ErrDatabase, saved)
	}
	lock, err := prepareDatabase(ctx, path)
	if err != nil {
		return err
	}
	defer lock.Close() //nolint:errcheck // nothing was written
	next := path + ".new"
	if err := duplicate(next, saved); err != nil {
		return errors.Join(err, removeDatabase(next))
	}
	before := path + ".before"
	if err := removeDatabase(before); err != nil {
		return err
	}
	for _, suffix := range databaseSuffixes() {
		if err := os.Rename(path+suffix, before+suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return replaceDatabase(path, next)
}

// copyFile starts an engine on each of the two files and copies between them.
func copyFile(ctx context.Context, path, next string, lock *os.File, transfer func(from, to string) error) error {
	binary, err := Find()
	if err != nil {
		return err
	}
	const host = "127.0.0.1"
	from, err := start(ctx, Options{Binary: binary, DBPath: path}, host, 0, lock)
	if err != nil {
		return err
	}
	to, err := start(ctx, Options{Binary: binary, DBPath: next}, host, 0, nil)
	if err != nil {
		return errors.Join(err, from.Stop())
	}
	return errors.Join(transfer(from.Endpoint, to.Endpoint), to.Stop(), from.Stop())
}

// databaseSuffixes are the suffixes of the files of a database: the file itself,
// and those that a killed engine leaves next to it.
func databaseSuffixes() []string { return []string{"", "-wal", "-shm"} }

func removeDatabase(path string) error {
	var faults []error
	for _, suffix := range databaseSuffixes() {
		faults = append(faults, removeIfThere(path+suffix))
	}
	return errors.Join(faults...)
}

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// replaceDatabase moves the file next, whose engine has ended, to path. Other
// files that a killed engine has left next to path belong to the old database.
func replaceDatabase(path, next string) error {
	if _, err := os.Stat(next + "-wal"); err == nil {
		return fmt.Errorf("%w: %s was not written in full", ErrDatabase, next)
	}
	for _, suffix := range []string{"-wal", "-shm"} {
		if err := removeIfThere(path + suffix); err != nil {
			return err
		}
	}
	return os.Rename(next, path)
}

// duplicate copies a file and flushes it to disk.
func duplicate(to, from string) error {
	in, err := os.Open(filepath.Clean(from))
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // only read
	out, err := os.OpenFile(filepath.Clean(to), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}
