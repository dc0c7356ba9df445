//go:build !linux

package engine

import "syscall"

// attributes: no other system ties a child to its parent's life; Stop does.
func attributes() *syscall.SysProcAttr { return nil }
