package local

import (
	"errors"
	"net"
	"os"
	"syscall"
	"testing"
)

// failing is a listener that cannot accept a few times.
type failing struct {
	net.Listener
	errs []error
}

func (f *failing) Accept() (net.Conn, error) {
	if len(f.errs) == 0 {
		return f.Listener.Accept()
	}
	err := f.errs[0]
	f.errs = f.errs[1:]
	return nil, &net.OpError{Op: "accept", Net: "tcp", Err: os.NewSyscallError("accept4", err)}
}

func TestCallersWaitWhereThereAreNoFilesLeft(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	accepted, err := listener{&failing{l, []error{syscall.EMFILE, syscall.ENFILE, syscall.ECONNABORTED}}, new(silent)}.Accept()
	if err != nil {
		t.Fatal(err)
	}
	_ = accepted.Close()
	if _, err := (listener{&failing{l, []error{syscall.EBADF}}, new(silent)}).Accept(); !errors.Is(err, syscall.EBADF) {
		t.Errorf("%v", err)
	}
}
