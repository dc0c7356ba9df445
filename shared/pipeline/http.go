package pipeline

import (
	"context"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
)

type exchangeKey struct{}

// With returns a context with an exchange that was screened, for ServeHTTP.
func With(ctx context.Context, x *Exchange) context.Context {
	return context.WithValue(ctx, exchangeKey{}, x)
}

// ServeHTTP implements http.Handler. Where the request's context has an exchange
// (With), it serves that one, and whoever began it finishes it: an adapter cannot
// carry a target and headers through net/http as they were sent. Otherwise the
// request is net/http's own, and it is answered from beginning to end.
func (p *Pipeline) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if x, ok := r.Context().Value(exchangeKey{}).(*Exchange); ok {
		write(w, x.Serve(r.Context()))
		return
	}
	write(w, p.Answer(r.Context(), requestOf(r)))
}

func write(w http.ResponseWriter, answer Response) {
	for _, header := range answer.Headers {
		w.Header()[header.Name] = []string{header.Value}
	}
	w.WriteHeader(answer.Status)
	_, _ = w.Write(answer.Body) // a caller that is gone needs no answer
}

// requestOf is a request that net/http received: its target as sent, its headers
// joined as Headers has them.
func requestOf(r *http.Request) Request {
	path, query, _ := strings.Cut(r.RequestURI, "?")
	headers := make(Headers, len(r.Header))
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		headers[strings.ToLower(name)] = strings.Join(r.Header[name], ",")
	}
	source, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		source = r.RemoteAddr
	}
	body := false
	if r.Body != nil && r.ContentLength != 0 {
		n, err := io.ReadFull(r.Body, make([]byte, 1))
		body = n > 0 || err != io.EOF
	}
	return Request{Method: r.Method, Path: path, Query: query, Headers: headers, HasBody: body, SourceIP: source}
}
