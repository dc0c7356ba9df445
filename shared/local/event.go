package local

import (
	"encoding/base64"
	"io"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/aws/aws-lambda-go/events"
	"github.com/valyala/fasthttp"
)

// received, among the headers of a request, marks one whose line and headers
// were read: no caller can send a name with a colon.
const received = ":received"

// eventOf is the event that a gateway would send for the request, except that
// the path is as the caller sent it.
func eventOf(r *fasthttp.RequestCtx) events.APIGatewayV2HTTPRequest {
	h := &r.Request.Header
	path, query, _ := strings.Cut(originForm(string(h.RequestURI())), "?")
	return events.APIGatewayV2HTTPRequest{
		Version: "2.0", RouteKey: "$default",
		RawPath: path, RawQueryString: query, Headers: headersOf(h),
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			Stage: "$default", DomainName: string(h.Host()),
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{
				Method: string(h.Method()), Path: path, Protocol: string(h.Protocol()),
				SourceIP: r.RemoteIP().String(), UserAgent: string(h.UserAgent()),
			},
		},
	}
}

// unreadable is the event for bytes that are not a request. It is refused like a
// request with a body.
func unreadable(r *fasthttp.RequestCtx) events.APIGatewayV2HTTPRequest {
	return events.APIGatewayV2HTTPRequest{
		Version: "2.0", RouteKey: "$default", Body: "unreadable",
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			Stage: "$default",
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{
				Method: http.MethodGet, SourceIP: r.RemoteIP().String(),
			},
		},
	}
}

// originForm removes scheme and authority from a target in absolute form, which
// callers send to proxies (RFC 9112, 3.2.2).
func originForm(target string) string {
	if strings.HasPrefix(target, "/") {
		return target
	}
	_, rest, absolute := strings.Cut(target, "://")
	if !absolute {
		return target // "*", or the authority of a CONNECT
	}
	i := strings.IndexAny(rest, "/?")
	switch {
	case i < 0:
		return "/"
	case rest[i] == '?':
		return "/" + rest[i:]
	}
	return rest[i:]
}

// headersOf has the headers by lower-case name, repeated ones joined by a comma,
// as in payload format 2.0.
func headersOf(h *fasthttp.RequestHeader) map[string]string {
	headers := make(map[string]string)
	for key, value := range h.All() {
		name := strings.ToLower(string(key))
		if name == received {
			continue
		}
		if other, repeated := headers[name]; repeated {
			headers[name] = other + "," + string(value)
			continue
		}
		headers[name] = string(value)
	}
	return headers
}

// firstByte reads a body up to its first byte, which it returns in base64. empty
// is true if there isn't one; a body that cannot be read is not empty.
func firstByte(body io.Reader) (first string, empty bool) {
	var b [1]byte
	_, err := io.ReadFull(body, b[:])
	if err == io.EOF {
		return "", true
	}
	return base64.StdEncoding.EncodeToString(b[:]), false
}

// caller is the address of the caller. Everything in X-Forwarded-For before the
// addresses that trusted proxies have added is the caller's own word.
func (s *Server) caller(event events.APIGatewayV2HTTPRequest) string {
	from := event.RequestContext.HTTP.SourceIP
	forwarded := strings.Split(event.Headers["x-forwarded-for"], ",")
	for i := len(forwarded) - 1; i >= 0 && s.trusts(from); i-- {
		address, err := netip.ParseAddr(strings.TrimSpace(forwarded[i]))
		if err != nil {
			break // no proxy wrote that
		}
		from = address.Unmap().WithZone("").String()
	}
	return from
}

func (s *Server) trusts(address string) bool {
	a, err := netip.ParseAddr(address)
	return err == nil && slices.ContainsFunc(s.Trusts, func(p netip.Prefix) bool { return p.Contains(a.Unmap()) })
}
