//go:build !linux

package engine

import "syscall"

// attributes is nil: other systems cannot tie a child to its parent; Stop ends
// it.
func attributes() *syscall.SysProcAttr { return nil }
