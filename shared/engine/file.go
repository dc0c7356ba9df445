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

// Save copies the database of a running engine to a file, which Restore takes.
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
	if err == nil {
		err = sealFile(next)
	}
	if err != nil {
		return errors.Join(err, removeDatabase(next))
	}
	return errors.Join(replaceDatabase(file, next), removeIfThere(next+".lock"))
}

// Restore replaces the database at path by one that Save has written to a file, or
// by another database of the engine, and keeps the old one under the name that it
// returns; empty: there was none. Before anything changes it checks the file, and has
// check look at what is in it, by an engine at the endpoint; sealed is whether the
// file has a checksum. No engine may have the database open.
func Restore(ctx context.Context, path, saved string, check func(endpoint string, sealed bool) error) (kept string, err error) {
	if _, size := Waste(saved); size == 0 { // before the folder is made
		return "", fmt.Errorf("%w: %s is not a backup of a database", ErrDatabase, saved)
	}
	lock, err := prepareDatabase(ctx, path)
	if err != nil {
		return "", err
	}
	defer lock.Close() //nolint:errcheck // nothing was written
	next := path + ".new"
	if err := removeDatabase(next); err != nil {
		return "", err
	}
	if err := unpackChecked(ctx, next, saved, check); err != nil {
		return "", errors.Join(err, removeDatabase(next), removeIfThere(next+".lock"))
	}
	if kept, err = keep(path); err != nil {
		return "", err
	}
	return kept, errors.Join(replaceDatabase(path, next), removeIfThere(next+".lock"))
}

// unpackChecked writes the database in an archive to next, and has check look at it.
func unpackChecked(ctx context.Context, next, saved string, check func(endpoint string, sealed bool) error) error {
	sealed, err := unpack(next, saved)
	if err != nil {
		return err
	}
	e, err := Start(ctx, Options{DBPath: next})
	if err != nil {
		return err
	}
	return errors.Join(check(e.Endpoint, sealed), e.Stop())
}

// keep gives a database a second name that no file has, where it stays when it is
// replaced, and takes along what a killed engine has left next to it. Somebody who
// finds no database at path would begin an empty one: so until then it stays there.
func keep(path string) (before string, err error) {
	if info, err := os.Stat(path); errors.Is(err, os.ErrNotExist) || err == nil && info.Size() == 0 {
		return "", nil // prepareDatabase makes an empty file
	}
	for n := 1; ; n++ {
		before = fmt.Sprintf("%s.before-%d", path, n)
		if _, err := os.Lstat(before); errors.Is(err, os.ErrNotExist) {
			break
		}
	}
	if err := os.Link(path, before); err != nil { // the file system has no links
		if err := os.Rename(path, before); err != nil {
			return "", err
		}
	}
	for _, suffix := range databaseSuffixes()[1:] {
		if err := os.Rename(path+suffix, before+suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", err
		}
	}
	return before, nil
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
