package file

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/rpc"
	"os"
	"path/filepath"
	"sync"
	"time"

	"touchline/shared/store/file/owner"
)

const (
	// SocketName is the name of the socket, in the folder of the file.
	SocketName = "touchline.sock"
	// greeting is the first line from who serves the file; net/rpc follows.
	greeting = "touchline file 1\n"
	// handshake bounds the wait for the greeting.
	handshake = 5 * time.Second
	// acceptPause is the wait after a connection that could not be taken.
	acceptPause = 100 * time.Millisecond
	// service and method are those of net/rpc.
	service, method = "file", "file.Do"
)

// ErrNotServed is the error of Dial where nobody listens.
var ErrNotServed = errors.New("no process serves the data")

// Server lets other processes of this user use the file.
type Server struct {
	file     *File
	listener net.Listener
	ctx      context.Context
	stop     context.CancelFunc
	sessions sync.WaitGroup
}

// Serve begins to listen on the socket in the folder of the file, and takes the place
// of one that a process has left behind. Nobody else may enter the folder.
func (f *File) Serve() (*Server, error) {
	folder := filepath.Dir(f.path)
	if err := owner.Private(folder); err != nil {
		return nil, err
	}
	path := socketIn(folder)
	// Whoever listened there has the file no more, since this process has it.
	if info, err := os.Lstat(path); err == nil && (info.Mode().IsRegular() || info.IsDir()) {
		return nil, fmt.Errorf("%s is no socket: %w", path, fs.ErrExist)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	listener, err := net.Listen("unix", path)
	if err != nil {
		return nil, socketError(path, err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		_ = listener.Close()
		return nil, err
	}
	s := &Server{file: f, listener: listener}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.sessions.Go(s.accept)
	return s, nil
}

// Close ends all connections, and waits for the calls that are under way.
func (s *Server) Close() error {
	s.stop()
	err := s.listener.Close()
	ended := make(chan struct{})
	go func() {
		s.sessions.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-s.file.gone: // a call may wait for good
	}
	return err
}

func (s *Server) accept() {
	for {
		conn, err := s.listener.Accept()
		if err != nil { // closed, or no more files may be open for now
			select {
			case <-s.ctx.Done():
				return
			case <-time.After(acceptPause):
				continue
			}
		}
		s.sessions.Go(func() { s.serve(conn) })
	}
}

// serve serves a connection to its end, and gives its leases back once no call of it is
// under way.
func (s *Server) serve(conn net.Conn) {
	stop := context.AfterFunc(s.ctx, func() { _ = conn.Close() })
	defer stop()
	of := &session{s}
	defer s.file.free(of)
	server := rpc.NewServer()
	err := server.RegisterName(service, of)
	if err == nil {
		_, err = io.WriteString(conn, greeting)
	}
	if err != nil {
		_ = conn.Close()
		return
	}
	server.ServeConn(conn) // until all its calls are answered
}

// session is a connection. Leases that were taken through it are its own.
type session struct{ server *Server }

// Do makes a call, for net/rpc.
func (s *session) Do(c *Call, a *Answer) error {
	var answer *Answer
	err := guard(func() (err error) { // a malformed call ends no process
		answer, err = s.server.file.run(s.server.ctx, c, s)
		return err
	})
	if err != nil {
		answer = &Answer{Fault: faultOf(err)}
	}
	*a = *answer
	return nil
}

// Dial reaches the process that serves the file in a folder, which nobody else may
// enter. Its error is ErrNotServed where none does. A connection that has ended is not
// made again, since its leases have ended, too: every call is ErrClosed then. A call
// whose context ends may be made all the same.
func Dial(ctx context.Context, folder string) (*Database, error) {
	if err := owner.Private(folder); err != nil {
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
		return nil, fmt.Errorf("%w: %w", ErrNotServed, socketError(path, err))
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
	client := rpc.NewClient(conn)
	return &Database{
		do:    func(ctx context.Context, c *Call) (*Answer, error) { return call(ctx, client, c) },
		close: client.Close,
	}, nil
}

// call sends a call, and waits for its answer or the end of the context.
func call(ctx context.Context, client *rpc.Client, c *Call) (*Answer, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	a := &Answer{}
	select {
	case done := <-client.Go(method, c, a, make(chan *rpc.Call, 1)).Done:
		if done.Error != nil {
			return nil, fmt.Errorf("%w: the process that served it has ended (%w)", ErrClosed, done.Error)
		}
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if a.Fault != nil {
		return nil, a.Fault
	}
	return a, nil
}

// longestPath is how long the path of a socket may be everywhere, in bytes; Linux takes 107.
const longestPath = 103

func socketError(path string, err error) error {
	if len(path) > longestPath {
		return fmt.Errorf("the path of the socket, %s, has %d bytes, and systems take %d: use a folder with a shorter path: %w", path, len(path), longestPath, err)
	}
	return err
}

// socketIn is the path of the socket in a folder, from here if that is shorter:
// systems take some 100 bytes.
func socketIn(folder string) string {
	path := filepath.Join(folder, SocketName)
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
