// Package socket is the Unix socket in a folder of data, through which the process that has
// the data meets others of the same user. Nobody else may enter the folder.
package socket

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"time"

	"touchline/shared/store/file/owner"
)

const (
	// Name is the name of the socket, in the folder.
	Name = "touchline.sock"
	// greeting is the first line from who listens; net/rpc follows.
	greeting = "touchline file 1\n"
	// handshake bounds the wait for the greeting.
	handshake = 5 * time.Second
	// acceptPause is the wait after a connection that could not be taken.
	acceptPause = 100 * time.Millisecond
)

// ErrNotServed is the error of Dial where nobody listens.
var ErrNotServed = errors.New("no process serves the data")

// Listen listens in a folder, for a process that alone has the data there: whoever listened
// before has them no more, and what it left is removed.
func Listen(folder string) (net.Listener, error) {
	if err := owner.Private(folder); err != nil {
		return nil, err
	}
	path := In(folder)
	if info, err := os.Lstat(path); err == nil && (info.Mode().IsRegular() || info.IsDir()) {
		return nil, fmt.Errorf("%s is no socket: %w", path, fs.ErrExist)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, explain(path, err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		_ = listener.Close()
		return nil, err
	}
	return listener, nil
}

// Accept gives serve each connection, until the listener is closed after the end of the
// context. Serve does not wait.
func Accept(ctx context.Context, listener net.Listener, serve func(net.Conn)) {
	for {
		conn, err := listener.Accept()
		if err == nil {
			serve(conn)
			continue
		}
		select { // it is closed, or no more files may be open for now
		case <-ctx.Done():
			return
		case <-time.After(acceptPause):
		}
	}
}

// Greet begins a connection that was accepted.
func Greet(conn net.Conn) error {
	_, err := io.WriteString(conn, greeting)
	return err
}

// Dial reaches the process that listens in a folder, and awaits its greeting. Its error is
// ErrNotServed where none does.
func Dial(ctx context.Context, folder string) (net.Conn, error) {
	if err := owner.Private(folder); err != nil {
		return nil, err
	}
	path := In(folder)
	conn, err := new(net.Dialer).DialContext(ctx, "unix", path)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case errors.Is(err, fs.ErrPermission):
		return nil, err
	default: // each system has its own errors of a socket that is not there, or has been left
		return nil, fmt.Errorf("%w: %w", ErrNotServed, explain(path, err))
	}
	_ = conn.SetReadDeadline(time.Now().Add(handshake)) // fails only once closed
	greeted := make([]byte, len(greeting))
	if _, err := io.ReadFull(conn, greeted); err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("%w (%s: %w)", ErrNotServed, path, err)
	}
	if string(greeted) != greeting {
		_ = conn.Close()
		return nil, fmt.Errorf("%w (%s greets with %q): the program that serves the data is of another version", ErrNotServed, path, greeted)
	}
	_ = conn.SetReadDeadline(time.Time{})
	return conn, nil
}

// longestPath is how long the path of a socket may be everywhere, in bytes; Linux takes 107.
const longestPath = 103

func explain(path string, err error) error {
	if len(path) > longestPath {
		return fmt.Errorf("the path of the socket, %s, has %d bytes, and systems take %d: use a folder with a shorter path: %w", path, len(path), longestPath, err)
	}
	return err
}

// In is the path of the socket in a folder, from here if that is shorter: systems take some
// 100 bytes.
func In(folder string) string {
	path := filepath.Join(folder, Name)
	if here, err := os.Getwd(); err == nil {
		if absolute, err := filepath.Abs(path); err == nil {
			path = absolute
		}
		if relative, err := filepath.Rel(here, path); err == nil && len(relative) < len(path) {
			path = relative
		}
	}
	return path
}
