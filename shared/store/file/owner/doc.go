// Package owner keeps files and folders to one process of one user.
package owner

import "errors"

var (
	// ErrInUse is the error where another process has the file.
	ErrInUse = errors.New("another process has it open")
	// ErrNoLocks is the error where the file system has no locks, which keep two processes
	// apart.
	ErrNoLocks = errors.New("the file system has no locks (flock)")
)
