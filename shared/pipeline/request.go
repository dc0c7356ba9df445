package pipeline

import (
	"net/http"
	"strconv"
	"strings"
)

// Request is a request as it arrived: nothing decoded, cleaned or split.
type Request struct {
	Method   string
	Path     string // without the query
	Query    string // without the question mark
	Headers  Headers
	HasBody  bool   // at least one byte of body arrived
	SourceIP string // of the caller, as the front door saw it; never from a header

	// For the log: what others call the request. Empty: nobody does.
	GatewayID    string // the gateway
	InvocationID string // Lambda
}

// Headers are the request's headers by lower-case name; the values of one sent
// more than once are joined by a comma.
type Headers map[string]string

// get finds a header by its name in any case.
func (h Headers) get(name string) (string, bool) {
	var space [32]byte // for the names we ask for, on the stack
	lower := space[:0]
	for _, c := range []byte(name) {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		lower = append(lower, c)
	}
	value, ok := h[string(lower)]
	return value, ok
}

// maxTarget is the longest request target in bytes: path, question mark, query
// (read-api, Limits, URL length; D1 step 2).
const maxTarget = 2048

func (r *Request) targetLength() int {
	if r.Query == "" {
		return len(r.Path)
	}
	return len(r.Path) + len("?") + len(r.Query)
}

// announcesBody reports a Content-Length other than zero; one that is no number
// announces something, too (D1 step 4).
func (r *Request) announcesBody() bool {
	length, present := r.Headers["content-length"]
	return present && strings.Trim(length, "0") != "" || present && length == ""
}

// Header is one header of a response.
type Header struct{ Name, Value string }

// Response is an answer. The front door writes it as it is and adds what is its
// own: Date, and Content-Length if there isn't one.
type Response struct {
	Status  int
	Headers []Header // each name once
	Body    []byte   // empty for HEAD, which has a Content-Length, and for 204; binary where Content-Encoding is gzip
}

// The names of the response headers (read-api, Response headers).
const (
	headerVersion       = "X-Service-Api-Version"
	headerRequestID     = "X-Request-Id"
	headerDataVersion   = "X-Service-Data-Version"
	headerLastModified  = "Last-Modified"
	headerRateLimit     = "X-RateLimit-Limit"
	headerRateRemaining = "X-RateLimit-Remaining"
	headerRateReset     = "X-RateLimit-Reset"
	headerRetryAfter    = "Retry-After"
	headerAllow         = "Allow"
	headerCacheControl  = "Cache-Control"
	headerContentType   = "Content-Type"
	headerContentLength = "Content-Length"
)

const (
	apiVersion  = "1"
	allow       = "GET, HEAD"
	contentType = "application/json; charset=utf-8"
	noStore     = "no-store"
)

// maxHeaders is how many headers an answer has at most.
const maxHeaders = 14

// response is the answer with the headers that all answers have (D4), and the
// rate where it was counted.
func (x *Exchange) response(status int) Response {
	x.entry.Status = status
	r := Response{Status: status, Headers: make([]Header, 0, maxHeaders)}
	r.add(headerVersion, apiVersion)
	r.add(headerRequestID, x.id)
	r.add(headerCacheControl, noStore)
	if x.rated {
		r.add(headerRateLimit, strconv.Itoa(x.rate.Limit))
		r.add(headerRateRemaining, strconv.Itoa(x.rate.Remaining))
		r.add(headerRateReset, strconv.FormatInt(x.rate.ResetUnix(), 10))
	}
	if status == http.StatusOK {
		x.addState(&r)
		r.add(headerVary, acceptEncoding)
	}
	if status == http.StatusNoContent || status == http.StatusMethodNotAllowed {
		r.add(headerAllow, allow)
	}
	return r
}

// addState adds what is known of the data (D56).
func (x *Exchange) addState(r *Response) {
	if x.state == nil {
		return
	}
	r.add(headerDataVersion, x.state.Label(x.now))
	if !x.state.Ended.IsZero() {
		r.add(headerLastModified, x.state.Ended.UTC().Format(http.TimeFormat))
	}
}

func (r *Response) add(name, value string) {
	r.Headers = append(r.Headers, Header{name, value})
}

// takesGzip reports whether the caller takes a compressed body.
func (x *Exchange) takesGzip() bool {
	accepted, _ := x.request.Headers.get(acceptEncoding)
	return acceptsGzip(accepted)
}

// setBody adds the body, compressed where it is worth it and the caller takes it
// (D49), or for HEAD the length of what GET would send in place of it (D5).
func (x *Exchange) setBody(r *Response, body []byte) {
	r.add(headerContentType, contentType)
	isHead := x.request.Method == http.MethodHead
	withLength := isHead
	if len(body) >= minCompressed && x.takesGzip() {
		body = compress(body)
		r.add(headerContentEncoding, encodingGzip)
		withLength = true
	}
	x.entry.Bytes = len(body)
	if withLength {
		r.add(headerContentLength, strconv.Itoa(len(body)))
	}
	if !isHead {
		r.Body = body
	}
}
