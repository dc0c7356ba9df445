package file

import (
	"context"
	"fmt"
	"net"
	"net/rpc"
	"path/filepath"
	"sync"

	"touchline/shared/store/file/socket"
)

// service and method are those of net/rpc.
const service, method = "file", "file.Do"

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
	listener, err := socket.Listen(filepath.Dir(f.path))
	if err != nil {
		return nil, err
	}
	s := &Server{file: f, listener: listener}
	s.ctx, s.stop = context.WithCancel(context.Background())
	s.sessions.Go(func() {
		socket.Accept(s.ctx, listener, func(conn net.Conn) { s.sessions.Go(func() { s.serve(conn) }) })
	})
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
		err = socket.Greet(conn)
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
// enter. Its error is socket.ErrNotServed where none does. A connection that has ended is not
// made again, since its leases have ended, too: every call is ErrClosed then. A call
// whose context ends may be made all the same.
func Dial(ctx context.Context, folder string) (*Database, error) {
	conn, err := socket.Dial(ctx, folder)
	if err != nil {
		return nil, err
	}
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
