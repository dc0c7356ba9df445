package file

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"path/filepath"
	"sync"
	"time"
)

// handshake bounds the wait for the greeting.
const handshake = 5 * time.Second

// client is this end of a connection.
type client struct {
	conn  net.Conn
	send  sync.Mutex
	codec *gob.Encoder

	mu      sync.Mutex
	last    uint64
	waiting map[uint64]chan *answer
	gone    chan struct{} // closed at the end of the connection
}

// Dial reaches the process that serves the file in a folder, which nobody else may
// enter. Its error is ErrNotServed where none does. A connection that has ended is not
// made again, since its leases have ended, too: every call is ErrClosed then.
func Dial(ctx context.Context, folder string) (*Database, error) {
	if err := private(folder); err != nil {
		return nil, err
	}
	path := socketIn(folder)
	conn, err := new(net.Dialer).DialContext(ctx, "unix", path)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, fs.ErrPermission):
		return nil, err
	default: // each system has its own errors of a socket that is not there, or has been left
		return nil, fmt.Errorf("%w: %w", ErrNotServed, err)
	}
	answers := bufio.NewReader(conn)
	_ = conn.SetReadDeadline(time.Now().Add(handshake)) // fails only once closed
	if line, err := answers.ReadString('\n'); line != greeting {
		_ = conn.Close()
		if err != nil {
			return nil, fmt.Errorf("%w (%s: %w)", ErrNotServed, path, err)
		}
		return nil, fmt.Errorf("%w (%s greets with %.40q): the program that serves the data is of another version", ErrNotServed, path, line)
	}
	_ = conn.SetReadDeadline(time.Time{})
	c := &client{conn: conn, codec: gob.NewEncoder(conn), waiting: map[uint64]chan *answer{}, gone: make(chan struct{})}
	go c.receive(gob.NewDecoder(answers))
	return &Database{do: c.call, close: conn.Close}, nil
}

func (c *client) receive(answers *gob.Decoder) {
	defer close(c.gone)
	defer c.conn.Close()
	for {
		a := new(answer)
		if err := answers.Decode(a); err != nil {
			return
		}
		c.mu.Lock()
		waiting := c.waiting[a.ID]
		c.mu.Unlock()
		if waiting != nil {
			waiting <- a // takes one
		}
	}
}

// call sends a call, and waits for its answer or the end of the context.
func (c *client) call(ctx context.Context, asked *call) (*answer, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if asked.Path != "" {
		var err error
		if asked.Path, err = filepath.Abs(asked.Path); err != nil {
			return nil, err
		}
	}
	answered := make(chan *answer, 1)
	c.mu.Lock()
	c.last++
	asked.ID = c.last
	c.waiting[asked.ID] = answered
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.waiting, asked.ID)
		c.mu.Unlock()
	}()
	if err := c.encode(asked); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrClosed, err)
	}
	select {
	case a := <-answered:
		if a.Fault != nil {
			return nil, a.Fault
		}
		return a, nil
	case <-ctx.Done():
		_ = c.encode(&call{ID: asked.ID, Op: opStop}) // fails where all has ended
		return nil, context.Cause(ctx)
	case <-c.gone:
		return nil, fmt.Errorf("%w: the process that served it has ended", ErrClosed)
	}
}

func (c *client) encode(asked *call) error {
	c.send.Lock()
	defer c.send.Unlock()
	return c.codec.Encode(asked)
}
