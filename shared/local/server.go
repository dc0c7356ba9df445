package local

import (
	"context"
	"encoding/base64"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

	"touchline/shared/problem"
)

const (
	// readTimeout is what a caller has for a whole request.
	readTimeout = 30 * time.Second
	// idleTimeout is how long a connection is kept for the next request.
	idleTimeout = 2 * time.Minute
	// writeTimeout is what a caller has to take an answer.
	writeTimeout = 30 * time.Second
	// maxHead is the size in bytes up to which a request line with its headers is
	// read: more than a gateway takes (10,240), so that a target that is too long
	// is found by D1 step 2.
	maxHead = 32 << 10
)

// Server serves HTTP. Its zero value with Handle set is ready; it serves once.
type Server struct {
	// Handle answers one event; gateway.Handler has it.
	Handle func(context.Context, events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error)
	// ServesHost reports whether requests whose Host header has this value are
	// served; the others are answered 403 without Handle. Nil serves all. A web
	// page whose name was made to resolve to this machine sends that name.
	ServesHost func(host string) bool

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

// Shutdown accepts no more connections, closes the idle ones, and waits until
// the requests in progress are done, or returns the error of ctx when that
// ends.
func (s *Server) Shutdown(ctx context.Context) error {
	s.silent.end()
	return s.server().ShutdownWithContext(ctx)
}

// serve answers a request without a body, or with one in chunks: whether that
// holds anything shows only when it is read.
func (s *Server) serve(r *fasthttp.RequestCtx) {
	event := eventOf(r)
	if body := r.RequestBodyStream(); body != nil && r.Request.Header.ContentLength() < 0 {
		if first, empty := firstByte(body); !empty {
			event.Body, event.IsBase64Encoded = first, true
			abandon(r)
		}
	}
	s.answer(r, event)
}

// mark is called when a request's line and headers were read. It asks fasthttp
// not to read a body of known length before it calls us, which it does only for
// a request that expects 100-continue: it then calls ExpectHandler and closes the
// connection after the answer.
func mark(h *fasthttp.RequestHeader) fasthttp.RequestConfig {
	h.Set(received, "1")
	if h.ContentLength() > 0 {
		h.Set(fasthttp.HeaderExpect, "100-continue")
	}
	return fasthttp.RequestConfig{}
}

// serveWithBody answers a request whose body was announced and is not going to
// be read. A body in chunks that waits for our leave to be sent is one.
func (s *Server) serveWithBody(r *fasthttp.RequestCtx) int {
	event := eventOf(r)
	if r.Request.Header.ContentLength() < 0 && r.Request.Header.Peek(fasthttp.HeaderTransferEncoding) != nil {
		event.Body = "announced"
	}
	abandon(r)
	s.answer(r, event)
	return r.Response.StatusCode()
}

// serveUnread answers what fasthttp could not read as a request. Where only its
// own reading of the target or the host failed, the request is a good one.
func (s *Server) serveUnread(r *fasthttp.RequestCtx, err error) {
	if timeout, ok := errors.AsType[net.Error](err); ok && timeout.Timeout() {
		_ = r.Conn().Close() // nobody is waiting for an answer
		return
	}
	abandon(r)
	if r.Request.Header.Peek(received) != nil {
		s.answer(r, eventOf(r))
		return
	}
	s.answer(r, unreadable(r))
}

// answer writes the handler's answer to the event.
func (s *Server) answer(r *fasthttp.RequestCtx, event events.APIGatewayV2HTTPRequest) {
	// A request of HTTP/1.0 may have no Host; no browser sends one.
	if host := event.RequestContext.DomainName; host != "" && s.ServesHost != nil && !s.ServesHost(host) {
		refuseHost(r)
		return
	}
	answer, err := s.Handle(context.Background(), event)
	if err != nil { // gateway.Handler has none
		r.SetStatusCode(http.StatusInternalServerError)
		return
	}
	r.Response.Header.DisableNormalizing()
	r.SetStatusCode(answer.StatusCode)
	for name, value := range answer.Headers {
		r.Response.Header.Set(name, value)
	}
	body := []byte(answer.Body)
	if answer.IsBase64Encoded {
		if body, err = base64.StdEncoding.DecodeString(answer.Body); err != nil {
			r.SetStatusCode(http.StatusInternalServerError)
			return
		}
	}
	r.SetBody(body)
	r.Response.SkipBody = r.IsHead()
}

// refuseHost answers a request whose Host is not served, with the headers that
// every answer carries (D4).
func refuseHost(r *fasthttp.RequestCtx) {
	r.Response.Header.DisableNormalizing()
	r.SetStatusCode(problem.Forbidden.Status())
	r.Response.Header.Set("Content-Type", "application/json; charset=utf-8")
	r.Response.Header.Set("Cache-Control", "no-store")
	r.Response.Header.Set("X-Service-Api-Version", "1")
	r.Response.Header.Set("X-Request-Id", uuid.NewString())
	r.SetBody((&problem.Error{Code: problem.Forbidden}).JSON())
	r.Response.SkipBody = r.IsHead()
}

// silence drops what fasthttp would log about callers.
type silence struct{}

// Printf implements fasthttp.Logger.
func (silence) Printf(string, ...any) {}
