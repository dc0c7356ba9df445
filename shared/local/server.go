package local

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

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
	// RefusesPages means that requests which a browser sends for a web page get 403
	// without Handler. A page cannot read any response, but its failed
	// authentications would lock out the programs on its machine (D2).
	RefusesPages bool
	// Refused is called for each request that Handler does not get, with the reason
	// and the id of its answer, to log it; may be nil.
	Refused func(why accesslog.Word, requestID, method string, bytes int)
	// Trusts are the proxies in front, whose X-Forwarded-For names the caller: the
	// last address there that is not one of them. Without one, as behind none, the
	// caller is who is connected, and the header says nothing.
	Trusts []netip.Prefix

	once   sync.Once
	http   *fasthttp.Server
	silent silent
}

func (s *Server) server() *fasthttp.Server {
	s.once.Do(func() {
		s.http = &fasthttp.Server{
			Handler:                      s.serve,
			ErrorHandler:                 s.serveUnread,
			HeaderReceived:               mark,
			ExpectHandler:                s.serveWithBody,
			ReadTimeout:                  readTimeout,
			WriteTimeout:                 writeTimeout,
			IdleTimeout:                  idleTimeout,
			ReadBufferSize:               maxHead,
			StreamRequestBody:            true,
			DisablePreParseMultipartForm: true,
			NoDefaultServerHeader:        true,
			NoDefaultContentType:         true,
			SecureErrorLogMessage:        true,
			CloseOnShutdown:              true,
			Logger:                       silence{},
		}
	})
	return s.http
}

// Serve serves the connections of l until Shutdown, and then returns nil.
func (s *Server) Serve(l net.Listener) error {
	return s.server().Serve(listener{l, &s.silent})
}

// Shutdown stops accepting connections, closes the idle ones, and waits for the
// requests in progress. If ctx ends first, it returns its error.
func (s *Server) Shutdown(ctx context.Context) error {
	s.silent.end()
	return s.server().ShutdownWithContext(ctx)
}

// serve handles a request without a body, or with a chunked one, which may turn
// out to be empty when it is read.
func (s *Server) serve(r *fasthttp.RequestCtx) {
	request := requestOf(r)
	if body := r.RequestBodyStream(); body != nil && r.Request.Header.ContentLength() < 0 {
		if _, err := io.ReadFull(body, make([]byte, 1)); !errors.Is(err, io.EOF) {
			request.ContentLength = 1 // at least
			abandon(r)
		}
	}
	s.answer(r, request)
}

// mark is called after the line and the headers of a request were read. fasthttp
// would read a body of known length before it calls us, except for a request
// that expects 100-continue. So mark makes every request with a body look like
// one: fasthttp then calls ExpectHandler and closes the connection after the
// response.
func mark(h *fasthttp.RequestHeader) fasthttp.RequestConfig {
	h.Set(received, "1")
	if h.ContentLength() > 0 {
		h.Set(fasthttp.HeaderExpect, "100-continue")
	}
	return fasthttp.RequestConfig{}
}

// serveWithBody handles a request that announces a body, which is not read. A
// chunked body that waits for 100-continue is one, too.
func (s *Server) serveWithBody(r *fasthttp.RequestCtx) int {
	request := requestOf(r)
	if r.Request.Header.ContentLength() < 0 && r.Request.Header.Peek(fasthttp.HeaderTransferEncoding) != nil {
		request.ContentLength = 1
	}
	abandon(r)
	s.answer(r, request)
	return r.Response.StatusCode()
}

// serveUnread handles what fasthttp could not read as a request. If only its own
// parsing of the target or the host failed, the request is valid.
func (s *Server) serveUnread(r *fasthttp.RequestCtx, err error) {
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		_ = r.Conn().Close() // nobody is waiting for a response
		return
	}
	abandon(r)
	request := unreadable(r)
	if r.Request.Header.Peek(received) != nil {
		request = requestOf(r)
	}
	s.answer(r, request)
}

// answer writes the handler's response to the request.
func (s *Server) answer(r *fasthttp.RequestCtx, request *http.Request) {
	w := writer{r, http.Header{}}
	if why := s.refusal(request); why != "" {
		s.refuse(w, request, why)
	} else {
		request.RemoteAddr = s.caller(request)
		s.Handler.ServeHTTP(w, request)
	}
	r.Response.SkipBody = r.IsHead()
}

// refusal is why Handler does not get a request; empty if it does.
func (s *Server) refusal(r *http.Request) accesslog.Word {
	switch {
	// A request of HTTP/1.0 may have no Host; no browser sends one like that.
	case r.Host != "" && s.ServesHost != nil && !s.ServesHost(r.Host):
		return accesslog.HostNotServed
	// A preflight gets its answer of D1, which lets no page go on.
	case s.RefusesPages && r.Method != http.MethodOptions && ofPage(r):
		return accesslog.PageNotServed
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
	_, _ = w.Write(body) // into memory
	if s.Refused != nil {
		s.Refused(why, id, r.Method, len(body))
	}
}

// writer makes a handler's response fasthttp's.
type writer struct {
	*fasthttp.RequestCtx
	header http.Header
}

// Header implements http.ResponseWriter.
func (w writer) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter. Names are sent as the handler writes
// them.
func (w writer) WriteHeader(status int) {
	w.Response.Header.DisableNormalizing()
	w.SetStatusCode(status)
	for name, values := range w.header {
		w.Response.Header.Set(name, strings.Join(values, ","))
	}
}

// silence discards what fasthttp would log about callers.
type silence struct{}

// Printf implements fasthttp.Logger.
func (silence) Printf(string, ...any) {}
