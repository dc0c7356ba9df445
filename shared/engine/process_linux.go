package engine

import "syscall"

// attributes ties the engine to this process: the kernel kills it when the
// thread that started it ends, and so with the process, even after kill -9. A
// process group of its own keeps Ctrl-C in a terminal from ending the engine
// before its clients are done.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}
