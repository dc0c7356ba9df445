package local

import (
	"context"
	"encoding/base64"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/uuid"
	"github.com/valyala/fasthttp"

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

// Server serves HTTP. It is ready once Handle is set, and can serve once.
type Server struct {
	// Handle handles one event, as gateway.Handler does.
	Handle func(context.Context, events.APIGatewayV2HTTPRequest) (events.APIGatewayV2HTTPResponse, error)
	// ServesHost reports whether to serve requests with this Host header; others
	// get 403 without Handle. Nil serves all. A web page whose name was made to
	// resolve to this machine (DNS rebinding) sends that name.
	ServesHost func(host string) bool
	// RefusedHost is called for each request with another Host, with the id of its
	// answer, to log it; may be nil.
	RefusedHost func(requestID, method string, bytes int)
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
	event := eventOf(r)
	if body := r.RequestBodyStream(); body != nil && r.Request.Header.ContentLength() < 0 {
		if first, empty := firstByte(body); !empty {
			event.Body, event.IsBase64Encoded = first, true
			abandon(r)
		}
	}
	s.answer(r, event)
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
	event := eventOf(r)
	if r.Request.Header.ContentLength() < 0 && r.Request.Header.Peek(fasthttp.HeaderTransferEncoding) != nil {
		event.Body = "announced"
	}
	abandon(r)
	s.answer(r, event)
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
	if r.Request.Header.Peek(received) != nil {
		s.answer(r, eventOf(r))
		return
	}
	s.answer(r, unreadable(r))
}

// answer writes the handler's response to the event.
func (s *Server) answer(r *fasthttp.RequestCtx, event events.APIGatewayV2HTTPRequest) {
	// A request of HTTP/1.0 may have no Host; no browser sends one like that.
	if host := event.RequestContext.DomainName; host != "" && s.ServesHost != nil && !s.ServesHost(host) {
		s.refuseHost(r)
		return
	}
	event.RequestContext.HTTP.SourceIP = s.caller(event)
	answer, err := s.Handle(context.Background(), event)
	if err != nil { // gateway.Handler never returns one
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

// refuseHost refuses a request whose Host is not served, with the headers that
// every response has (D4).
func (s *Server) refuseHost(r *fasthttp.RequestCtx) {
	r.Response.Header.DisableNormalizing()
	r.SetStatusCode(problem.Forbidden.Status())
	r.Response.Header.Set("Content-Type", "application/json; charset=utf-8")
	r.Response.Header.Set("Cache-Control", "no-store")
	r.Response.Header.Set("X-Service-Api-Version", "1")
	id, body := uuid.NewString(), (&problem.Error{Code: problem.Forbidden}).JSON()
	r.Response.Header.Set("X-Request-Id", id)
	r.SetBody(body)
	r.Response.SkipBody = r.IsHead()
	if s.RefusedHost != nil {
		s.RefusedHost(id, string(r.Method()), len(body))
	}
}

// silence discards what fasthttp would log about callers.
type silence struct{}

// Printf implements fasthttp.Logger.
func (silence) Printf(string, ...any) {}
