package local

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// If a connection is closed with unread bytes, the system resets it, and the
// caller may lose the response. Such a connection is therefore first closed for
// writing, then read for a moment.
const (
	lingerTime  = 500 * time.Millisecond
	lingerBytes = 1 << 20
)

// listener accepts connections of its server.
type listener struct {
	net.Listener
	server *Server
}

// Accept implements net.Listener. net/http waits 5 s for a connection on which nothing
// was ever sent; this one is closed as soon as the server ends.
func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &conn{Conn: c, server: l.server, spoken: context.AfterFunc(l.server.ending, func() { _ = c.Close() })}, nil
}

// conn is a connection that gives net/http the targets of requests escaped, so that it
// can parse any, and the caller the service's answer where net/http itself refuses what
// it has read, which it does in plain text.
type conn struct {
	net.Conn
	server    *Server
	spoken    func() bool // to be called when bytes have come
	lines     lines
	read      []byte      // and not yet given
	asked     bool        // the handler was asked, so what net/http writes is its answer
	abandoned atomic.Bool // bytes from the caller are left unread
}

// Read implements net.Conn.
func (c *conn) Read(b []byte) (int, error) {
	if c.abandoned.Load() {
		return 0, io.EOF // nobody waits for the rest of a body
	}
	if len(c.read) == 0 {
		n, err := c.Conn.Read(b)
		if n == 0 {
			return 0, err
		}
		c.spoken()
		c.read = c.lines.escape(b[:n])
	}
	n := copy(b, c.read)
	if c.read = c.read[n:]; len(c.read) == 0 {
		c.read = nil // an idle connection keeps nothing
	}
	return n, nil
}

// Write implements net.Conn.
func (c *conn) Write(b []byte) (int, error) {
	if c.asked {
		return c.Conn.Write(b)
	}
	if c.abandoned.Swap(true) {
		return len(b), nil
	}
	w := answer{header: http.Header{"Date": {time.Now().UTC().Format(http.TimeFormat)}}}
	// What is no request gets the response of one with a body.
	c.server.answer(&w, &http.Request{Method: http.MethodGet, URL: &url.URL{}, ContentLength: 1, RemoteAddr: c.RemoteAddr().String()})
	response := http.Response{
		StatusCode: w.status, ProtoMajor: 1, ProtoMinor: 1, Header: w.header, Close: true,
		ContentLength: int64(w.body.Len()), Body: io.NopCloser(&w.body),
	}
	return len(b), response.Write(c.Conn)
}

// Close implements net.Conn.
func (c *conn) Close() error {
	c.spoken()
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok && c.abandoned.Load() && half.CloseWrite() == nil {
		if c.SetReadDeadline(time.Now().Add(lingerTime)) == nil {
			_, _ = io.CopyN(io.Discard, c.Conn, lingerBytes)
		}
	}
	return c.Conn.Close()
}

// answer is a response that is kept.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader implements http.ResponseWriter.
func (a *answer) WriteHeader(status int) { a.status = status }

// Write implements http.ResponseWriter.
func (a *answer) Write(b []byte) (int, error) { return a.body.Write(b) }

// lines follows the bytes of a connection through the heads of its requests. No body
// comes between two: after one the connection is closed.
type lines struct {
	inHeaders, begun bool // the request line is over; the line has bytes so far
	spaces           int  // of the line
}

// escape is b with each % of a target as %25, so that whatever comes after it is well
// formed; unescape undoes it.
func (l *lines) escape(b []byte) []byte {
	escaped := make([]byte, 0, len(b))
	for _, char := range b {
		escaped = append(escaped, char)
		switch char {
		case '\n': // an empty line ends the headers
			*l = lines{inHeaders: l.begun}
			continue
		case '\r':
			continue
		case ' ':
			l.spaces++
		case '%':
			if !l.inHeaders && l.spaces == 1 {
				escaped = append(escaped, "25"...)
			}
		}
		l.begun = true
	}
	return escaped
}

func unescape(target string) string { return strings.ReplaceAll(target, "%25", "%") }
