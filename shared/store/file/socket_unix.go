//go:build !windows

package file

import "syscall"

// errNoFamily is the system's error where there are no sockets of the family asked for.
const errNoFamily = syscall.EAFNOSUPPORT
