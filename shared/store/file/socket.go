package file

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// acceptPause is the wait after a connection that could not be taken.
const acceptPause = 100 * time.Millisecond

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
	if err := private(folder); err != nil {
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
		return nil, fmt.Errorf("%w (a path of %d bytes)", err, len(path))
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
	s.sessions.Wait()
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
		s.sessions.Go(func() { s.session(conn) })
	}
}

// session is a connection. Leases that were taken through it are its own.
type session struct {
	file  *File
	send  sync.Mutex
	codec *gob.Encoder

	mu    sync.Mutex
	calls map[uint64]context.CancelFunc // under way
}

// session serves a connection to its end, and gives its leases back once nothing of
// it is under way.
func (s *Server) session(conn net.Conn) {
	ctx, cancel := context.WithCancel(s.ctx)
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	se := &session{file: s.file, codec: gob.NewEncoder(conn), calls: map[uint64]context.CancelFunc{}}
	var calls sync.WaitGroup
	defer s.file.free(se)
	defer calls.Wait()
	defer cancel()
	if _, err := io.WriteString(conn, greeting); err != nil {
		return
	}
	for calling := gob.NewDecoder(conn); ; {
		c := new(call)
		if err := calling.Decode(c); err != nil {
			return
		}
		if c.Op == opStop {
			se.cancel(c.ID)
			continue
		}
		ctx, cancel := context.WithCancel(ctx)
		se.mu.Lock()
		se.calls[c.ID] = cancel
		se.mu.Unlock()
		calls.Go(func() {
			defer se.cancel(c.ID)
			se.answer(ctx, c)
		})
	}
}

func (se *session) cancel(id uint64) {
	se.mu.Lock()
	defer se.mu.Unlock()
	if cancel := se.calls[id]; cancel != nil {
		cancel()
		delete(se.calls, id)
	}
}

func (se *session) answer(ctx context.Context, c *call) {
	a, err := se.file.run(ctx, c, se)
	if err != nil {
		a = &answer{Fault: faultOf(err)}
	}
	a.ID = c.ID
	se.send.Lock()
	defer se.send.Unlock()
	_ = se.codec.Encode(a) // whom it does not reach, has gone
}
