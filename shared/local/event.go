package local

import (
	"encoding/base64"
	"io"
	"net/http"
	"strings"

	"github.com/aws/aws-lambda-go/events"
	"github.com/valyala/fasthttp"
)

// received marks a request whose line and headers were read, among its headers:
// no caller can send a name with a colon.
const received = ":received"

// eventOf is the event a gateway would make of the request, but for its path,
// which is as it was sent.
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

// unreadable stands for what is no request: it is refused like one with a body.
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

// originForm takes scheme and authority off a target in absolute form, which a
// caller sends to a proxy (RFC 9112, 3.2.2).
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

// headersOf joins repeats by a comma under the name in lower case, as payload
// format 2.0 does.
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

// firstByte reads a body until it holds a byte, which it gives in base64, or has
// ended. A body that cannot be read is not empty.
func firstByte(body io.Reader) (first string, empty bool) {
	var b [1]byte
	_, err := io.ReadFull(body, b[:])
	if err == io.EOF {
		return "", true
	}
	return base64.StdEncoding.EncodeToString(b[:]), false
}
