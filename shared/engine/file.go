package engine

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Size is the length of a database in bytes, as its header says: in SQLite's file format
// its name at 0, the page size at 16, the number of pages at 28. It is 0 for a file that is
// none.
func Size(path string) int64 {
	file, err := os.Open(filepath.Clean(path))
	if err != nil {
		return 0
	}
	defer file.Close() //nolint:errcheck // only read
	head := make([]byte, 32)
	if _, err := io.ReadFull(file, head); err != nil || string(head[:16]) != "SQLite format 3\x00" {
		return 0
	}
	page := int64(binary.BigEndian.Uint16(head[16:]))
	if page == 1 {
		page = 65536
	}
	return page * int64(binary.BigEndian.Uint32(head[28:]))
}

// uncut refuses a database that is shorter than its header says: an engine would read
// what is left of it. With a log next to the database, the header is not up to date and
// says nothing.
func uncut(path string) error {
	info, err := os.Stat(path)
	if _, logged := os.Stat(path + "-wal"); err != nil || logged == nil {
		return err
	}
	if size := Size(path); info.Size() < size {
		return fmt.Errorf("%w: %s was cut: it has %d bytes and should have %d: `touchline restore` puts a backup in its place", ErrDatabase, path, info.Size(), size)
	}
	return nil
}

// Examine has check look at a database by an engine, and changes none of its files: where
// a killed engine has left a log, which the next one writes into the database, at a copy
// next to it. The errors are those of Start, and of check.
func Examine(ctx context.Context, path string, check func(endpoint string) error) (err error) {
	if info, err := os.Stat(path); err == nil && info.Size() == 0 {
		return fmt.Errorf("%w: %s is empty", ErrDatabase, path)
	}
	lock, err := locked(ctx, path)
	if err != nil {
		return err
	}
	defer lock.Close() //nolint:errcheck // nothing was written
	if err := uncut(path); err != nil {
		return err
	}
	if _, err := os.Stat(path + "-wal"); err == nil {
		dir, err := os.MkdirTemp(filepath.Dir(path), "touchline-examined-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir) //nolint:errcheck // a leftover with a name that says what it is
		to := filepath.Join(dir, filepath.Base(path))
		if err := errors.Join(duplicateAll(to, path), duplicateAll(to+"-wal", path+"-wal")); err != nil {
			return err
		}
		path = to
	}
	binary, err := Find()
	if err != nil {
		return err
	}
	e, err := start(ctx, Options{Binary: binary, DBPath: path}, loopback, 0, lock)
	if err != nil {
		return err
	}
	return errors.Join(check(e.Endpoint), e.Stop())
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
	return errors.Join(replaceDatabase(file, next, ""), removeIfThere(next+".lock"))
}

// Restore replaces the database at path by one that Save has written to a file, or
// by another database of the engine, and keeps the old one under the name that it
// returns; empty: there was none. Before anything changes it checks the file, and has
// check look at what is in it, by an engine at the endpoint; sealed is whether the
// file has a checksum. No engine may have the database open.
func Restore(ctx context.Context, path, saved string, check func(endpoint string, sealed bool) error) (kept string, err error) {
	if Size(saved) == 0 { // before the folder is made
		return "", fmt.Errorf("%w: %s is not a backup of a database", ErrDatabase, saved)
	}
	lock, err := prepareDatabase(ctx, path)
	if err != nil {
		return "", err
	}
	defer lock.Close() //nolint:errcheck // nothing was written
	next := path + ".new"
	if err := unpackChecked(ctx, next, saved, check); err != nil {
		return "", errors.Join(err, removeDatabase(next), removeIfThere(next+".lock"))
	}
	kept = unused(path)
	if err := replaceDatabase(path, next, kept); err != nil {
		return "", err
	}
	return kept, removeIfThere(next + ".lock")
}

// replaceDatabase moves the database next to path; its engine must have ended. The one
// that was at path is renamed to kept, or removed if kept is empty.
func replaceDatabase(path, next, kept string) error {
	if _, err := os.Stat(next + "-wal"); err == nil {
		return fmt.Errorf("%w: %s was not written in full", ErrDatabase, next)
	}
	for _, step := range exchange(path, next, kept) {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// exchange are the steps of replaceDatabase. Whoever is killed between two of them leaves
// one of the databases at path, whole: the former one is there until next is, under two
// names, and with the log that a killed engine has left settled puts it back.
func exchange(path, next, kept string) []func() error {
	var steps []func() error
	if kept != "" {
		for _, suffix := range []string{"", "-wal"} { // settled looks for the first
			steps = append(steps, func() error {
				err := os.Link(path+suffix, kept+suffix)
				if err != nil && !errors.Is(err, os.ErrNotExist) {
					return fmt.Errorf("%w: to keep %s it wants a second name, which its file system does not give: move it away, and restore again: %w", ErrDatabase, path, err)
				}
				return nil
			})
		}
	}
	for _, suffix := range logSuffixes() {
		steps = append(steps, func() error { return removeIfThere(path + suffix) })
	}
	return append(steps, func() error { return os.Rename(next, path) })
}

// settled takes back what a killed Restore has left, before anybody opens the
// database: the file that did not take its place, and the second name of one that is in
// its place still. The caller has the lock.
func settled(path string) error {
	if err := removeDatabase(path + ".new"); err != nil {
		return err
	}
	for _, name := range keptFiles(path) {
		if !sameFile(name, path) {
			continue
		}
		if _, err := os.Stat(path + "-wal"); err != nil {
			if err := os.Rename(name+"-wal", path+"-wal"); err != nil && !errors.Is(err, os.ErrNotExist) {
				return err
			}
		}
		if err := removeDatabase(name); err != nil {
			return err
		}
	}
	return nil
}

func sameFile(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(first, other)
}

// Remains says what was left next to the database at path that somebody should know of:
// a Restore that was to replace it was killed before it did, or its log was
// taken away; empty: nothing. Whoever opens the database next removes what shows that.
func Remains(path string) string {
	there := func(suffix string) bool {
		_, err := os.Stat(path + suffix)
		return err == nil
	}
	switch {
	case there(".new"):
		return fmt.Sprintf("a restore that was to replace %s was killed before it did: nothing has changed; to have the backup, restore it again", path)
	case there("-shm") && !there("-wal"): // an engine that ends by itself leaves neither
		return fmt.Sprintf("%s-shm is there without %s-wal, which a killed engine leaves next to it: if somebody has removed or not copied that, the last writes are lost; put it back before anything else, or restore a backup", path, path)
	}
	return ""
}

// unpackChecked writes the database in an archive to next, and has check look at it.
func unpackChecked(ctx context.Context, next, saved string, check func(endpoint string, sealed bool) error) error {
	sealed, err := unpack(next, saved)
	if err != nil {
		return err
	}
	e, err := Start(ctx, Options{DBPath: next})
	if errors.Is(err, ErrDatabase) {
		return fmt.Errorf("%w: %s: %w", ErrDatabase, saved, errDamaged)
	}
	if err != nil {
		return err
	}
	return errors.Join(check(e.Endpoint, sealed), e.Stop())
}

// unused is a name for the database at path that no file has; empty: nothing is there.
func unused(path string) string {
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		return "" // prepareDatabase makes an empty file
	}
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s.before-%d", path, n)
		if _, err := os.Lstat(name); errors.Is(err, os.ErrNotExist) {
			return name
		}
	}
}

// keptFiles are what restores of the database at path have kept.
func keptFiles(path string) []string {
	entries, _ := os.ReadDir(filepath.Dir(path)) // an engine says what is wrong with it
	var names []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), filepath.Base(path)+".before") {
			names = append(names, filepath.Join(filepath.Dir(path), e.Name()))
		}
	}
	return names
}

// logSuffixes are those of the files that a killed engine leaves next to a database.
func logSuffixes() []string { return []string{"-wal", "-shm"} }

func removeDatabase(path string) error {
	for _, suffix := range append(logSuffixes(), "") {
		if err := removeIfThere(path + suffix); err != nil {
			return err
		}
	}
	return nil
}

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
