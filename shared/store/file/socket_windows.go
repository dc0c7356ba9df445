package file

import "syscall"

// errNoFamily is WSAEAFNOSUPPORT: there are no sockets of the family asked for.
const errNoFamily = syscall.Errno(10047)
