//go:build unix

package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// trusted checks that only the user and root can have put the program at path
// there: neither the program nor a folder between it and root has another owner
// or can be written by a group or by everybody. If root is empty, as for a
// program on PATH, which the user vouches for, only the file is checked. The
// error wraps ErrUntrusted.
func trusted(path, root string) error {
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUntrusted, err)
	}
	if err := untouched(resolved); err != nil || root == "" {
		return err
	}
	for folder := filepath.Dir(path); ; folder = filepath.Dir(folder) {
		if err := untouched(folder); err != nil {
			return err
		}
		if folder == root || folder == filepath.Dir(folder) {
			return nil
		}
	}
}

// writableByOthers are the bits of a mode that let a group or everybody write.
const writableByOthers = 0o022

func untouched(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUntrusted, err)
	}
	if mode := info.Mode().Perm(); mode&writableByOthers != 0 {
		return fmt.Errorf("%w: %s has mode %04o: check what it holds, then run chmod go-w %[2]s", ErrUntrusted, path, mode)
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && stat.Uid != 0 && int(stat.Uid) != os.Geteuid() {
		return fmt.Errorf("%w: %s belongs to user %d: install the engine as the user who runs it (make deps), or put one on PATH", ErrUntrusted, path, stat.Uid)
	}
	return nil
}
