package local

import (
	"errors"
	"io"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/valyala/fasthttp"
)

// If a connection is closed with unread bytes, the system resets it, and the
// caller may lose the response. Such a connection is therefore first closed for
// writing, then read for a moment.
const (
	lingerTime  = 500 * time.Millisecond
	lingerBytes = 1 << 20
)

// listener accepts connections that can linger, and records them as silent.
type listener struct {
	net.Listener
	silent *silent
}

// Accept implements net.Listener.
func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	for wait := acceptWait; err != nil && passing(err); wait = min(2*wait, acceptMost) {
		time.Sleep(wait)
		c, err = l.Listener.Accept()
	}
	if err != nil {
		return nil, err
	}
	accepted := &conn{Conn: c, silent: l.silent}
	l.silent.add(accepted)
	return accepted, nil
}

// How long an Accept that has failed is left alone, at first and at most.
const (
	acceptWait = 5 * time.Millisecond
	acceptMost = time.Second
)

// passing reports whether accepting connections fails for a while only: the
// process or the system has no more files or memory, or the caller has gone. The
// callers wait in the meantime.
func passing(err error) bool {
	all := []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.ENOBUFS, syscall.ECONNABORTED}
	return slices.ContainsFunc(all, func(e error) bool { return errors.Is(err, e) })
}

// silent is the connections on which nothing has been sent yet. fasthttp
// considers them busy until a request would time out, so Shutdown would wait for
// them.
type silent struct {
	mu    sync.Mutex
	conns map[*conn]struct{}
	ended bool
}

func (s *silent) add(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		_ = c.Conn.Close()
		return
	}
	if s.conns == nil {
		s.conns = make(map[*conn]struct{})
	}
	s.conns[c] = struct{}{}
}

func (s *silent) remove(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.conns, c)
}

// end closes the silent connections, and those that are accepted later.
func (s *silent) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	for c := range s.conns {
		_ = c.Conn.Close()
	}
	clear(s.conns)
}

type conn struct {
	net.Conn
	silent    *silent
	spoke     bool        // no longer silent; used by the reading goroutine only
	abandoned atomic.Bool // bytes from the caller are left unread
}

// Read implements net.Conn. Reading a connection that the server has closed
// gives io.EOF, not an error.
func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n > 0 && !c.spoke {
		c.spoke = true
		c.silent.remove(c)
	}
	if errors.Is(err, net.ErrClosed) {
		err = io.EOF
	}
	return n, err
}

// abandon closes the connection after the response, although bytes from the
// caller are left unread.
func abandon(r *fasthttp.RequestCtx) {
	r.SetConnectionClose()
	if c, ok := r.Conn().(*conn); ok {
		c.abandoned.Store(true)
	}
}

// Close implements net.Conn.
func (c *conn) Close() error {
	c.silent.remove(c)
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok && c.abandoned.Swap(false) && half.CloseWrite() == nil {
		if c.SetReadDeadline(time.Now().Add(lingerTime)) == nil {
			_, _ = io.CopyN(io.Discard, c.Conn, lingerBytes)
		}
	}
	return c.Conn.Close()
}
