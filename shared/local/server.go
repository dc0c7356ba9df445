package local

import (
	"context"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/google/uuid"

	"touchline/shared/accesslog"
	"touchline/shared/problem"
)

const (
	// readTimeout is how long a caller may take to send a request.
	readTimeout = 30 * time.Second
	// idleTimeout is how long a connection stays open for the next request.
	idleTimeout = 2 * time.Minute
	// writeTimeout is how long a caller may take to read a response.
	writeTimeout = 30 * time.Second
	// maxHead is how many bytes of a request line with its headers are read:
	// more than a gateway accepts (10,240), so that D1 step 2 finds a target
	// that is too long.
	maxHead = 32 << 10
)

// Server serves HTTP. It is ready once Handler is set, and can serve once.
type Server struct {
	Handler http.Handler
	// ServesHost reports whether to serve requests with this Host header; others
	// get 403 without Handler. Nil serves all. A web page whose name was made to
	// resolve to this machine (DNS rebinding) sends that name.
	ServesHost func(host string) bool
	// Refused is called for each request that Handler does not get, with the reason
	// and the id of its answer, to log it; may be nil.
	Refused func(why accesslog.Word, requestID, method string, bytes int)
	// Trusts are the proxies in front, whose X-Forwarded-For names the caller: the
	// last address there that is not one of them. Without one, as behind none, the
	// caller is who is connected, and the header says nothing.
	Trusts []netip.Prefix

	once   sync.Once
	http   *http.Server
	ending context.Context // of the connections on which nothing was sent
	end    context.CancelFunc
}

func (s *Server) server() *http.Server {
	s.once.Do(func() {
		s.ending, s.end = context.WithCancel(context.Background())
		s.http = &http.Server{
			Handler:                      http.HandlerFunc(s.serve),
			DisableGeneralOptionsHandler: true,
			ReadTimeout:                  readTimeout,
			WriteTimeout:                 writeTimeout,
			IdleTimeout:                  idleTimeout,
			MaxHeaderBytes:               maxHead,
			ErrorLog:                     log.New(io.Discard, "", 0), // it is about callers
			ConnContext: func(ctx context.Context, c net.Conn) context.Context {
				return context.WithValue(ctx, connKey{}, c)
			},
			ConnState: func(c net.Conn, state http.ConnState) {
				if c, ok := c.(*conn); ok && state == http.StateIdle {
					c.asked = false
				}
			},
		}
	})
	return s.http
}

// connKey is the key of a request's connection in its context.
type connKey struct{}

// Serve serves the connections of l until Shutdown, and then returns nil.
func (s *Server) Serve(l net.Listener) error {
	err := s.server().Serve(listener{l, s})
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}

// Shutdown stops accepting connections, closes the idle ones, and waits for the
// requests in progress. If ctx ends first, it returns its error.
func (s *Server) Shutdown(ctx context.Context) error {
	server := s.server()
	s.end()
	return server.Shutdown(ctx)
}

// serve answers what net/http has read as a request. After a body the connection is
// closed, also after an empty one of chunks, which may come with a Content-Length that
// says otherwise; and after a request of HTTP/1.0, of whose chunks net/http says
// nothing.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	c, _ := r.Context().Value(connKey{}).(*conn)
	c.asked = true
	if r.ContentLength < 0 && r.Header.Get("Expect") != "" {
		r.ContentLength = 1 // to read it would be to ask for it
	}
	if r.ContentLength != 0 || !r.ProtoAtLeast(1, 1) {
		w.Header().Set("Connection", "close")
		defer c.abandoned.Store(r.ContentLength != 0)
	}
	s.answer(w, requestOf(r))
}

// answer writes the handler's response to the request.
func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	if why := s.refusal(r); why != "" {
		s.refuse(w, r, why)
		return
	}
	r.RemoteAddr = s.caller(r)
	s.Handler.ServeHTTP(w, r)
}

// refusal is why Handler does not get a request; empty if it does.
func (s *Server) refusal(r *http.Request) accesslog.Word {
	// A request of HTTP/1.0 may have no Host; no browser sends one like that.
	if r.Host != "" && s.ServesHost != nil && !s.ServesHost(r.Host) {
		return accesslog.HostNotServed
	}
	return ""
}

// refuse refuses a request with the headers that every response has (D4).
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, why accesslog.Word) {
	id, body := uuid.NewString(), (&problem.Error{Code: problem.Forbidden}).JSON()
	for name, value := range map[string]string{
		"Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store", "X-Service-Api-Version": "1", "X-Request-Id": id,
	} {
		w.Header().Set(name, value)
	}
	w.WriteHeader(problem.Forbidden.Status())
	_, _ = w.Write(body) // there is nobody to tell
	if s.Refused != nil {
		s.Refused(why, id, r.Method, len(body))
	}
}
