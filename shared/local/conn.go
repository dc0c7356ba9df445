package local

import (
	"io"
	"net"
	"sync/atomic"
	"time"

	"github.com/valyala/fasthttp"
)

// What is left unread when a connection is closed makes the system reset it, and
// the caller may lose the answer. So such a connection is first closed for
// writing and read for a moment.
const (
	lingerTime  = 500 * time.Millisecond
	lingerBytes = 1 << 20
)

// listener accepts connections that can linger.
type listener struct{ net.Listener }

// Accept implements net.Listener.
func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c}, nil
}

type conn struct {
	net.Conn
	abandoned atomic.Bool // bytes of the caller are left
}

// abandon closes the connection after the answer, with bytes of the caller left
// on it.
func abandon(r *fasthttp.RequestCtx) {
	r.SetConnectionClose()
	if c, ok := r.Conn().(*conn); ok {
		c.abandoned.Store(true)
	}
}

// Close implements net.Conn.
func (c *conn) Close() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok && c.abandoned.Swap(false) && half.CloseWrite() == nil {
		if c.SetReadDeadline(time.Now().Add(lingerTime)) == nil {
			_, _ = io.CopyN(io.Discard, c.Conn, lingerBytes)
		}
	}
	return c.Conn.Close()
}
