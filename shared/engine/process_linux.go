package engine

import "syscall"

// attributes ties the engine to this process: the kernel kills it when the
// thread that started it ends, hence with the process, kill -9 included. A
// process group of its own keeps a terminal's Ctrl-C from ending the engine
// before its clients are done.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}
