package pipeline

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// Header is one header of a response.
type Header struct{ Name, Value string }

// Response is what a request gets. The server adds what is its own: Date, and
// Content-Length if there isn't one.
type Response struct {
	Status  int
	Headers []Header // each name once
	Body    []byte   // empty for HEAD, which has a Content-Length, and for 204; binary where Content-Encoding is gzip
}

// write writes the response. Names are as the contract writes them, which Header.Set
// would change; a writer adds a type to a body that is written, and so not to none.
func (r Response) write(w http.ResponseWriter) {
	for _, h := range r.Headers {
		w.Header()[h.Name] = []string{h.Value}
	}
	w.WriteHeader(r.Status)
	if len(r.Body) > 0 {
		_, _ = w.Write(r.Body) // there is nobody to tell
	}
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

// maxHeaders is how many headers a response has at most.
const maxHeaders = 14

// respond is a response with the headers that all have (D4), and the rate where it
// was counted.
func (x *exchange) respond(status int) Response {
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
func (x *exchange) addState(r *Response) {
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

// setBody adds the body, compressed where it is worth it and the caller takes it
// (D49), or for HEAD the length of what GET would send in place of it (D5).
func (x *exchange) setBody(r *Response, body []byte) {
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

// takesGzip reports whether the caller takes a compressed body.
func (x *exchange) takesGzip() bool {
	accepted, _ := x.request.header(acceptEncoding)
	return acceptsGzip(accepted)
}

// respondRefusal is the response to a request that goes no further.
func (x *exchange) respondRefusal(r *refusal) Response {
	response := x.respond(r.Status())
	if r.RetryAfter > 0 {
		response.add(headerRetryAfter, strconv.Itoa(r.RetryAfter))
	}
	x.setBody(&response, r.JSON())
	x.entry.Code, x.entry.Reason = string(r.Code), r.Reason
	x.entry.Refuse(r.why)
	x.cause = r.Cause
	return response
}

const (
	// maxBody is the longest body of a response in bytes (D48), before compression.
	maxBody = 5_000_000
	// maxPayload is the longest that a body may be, in bytes, as a string in JSON: a
	// Lambda function returns a body that is not compressed in this form, and Lambda
	// takes 6 MiB (6,291,556 bytes), headers included.
	maxPayload = 6_200_000
	// minCompressed is the length in bytes from which on a body is compressed (D49).
	minCompressed = 1024
)

const (
	headerContentEncoding = "Content-Encoding"
	headerVary            = "Vary"
	acceptEncoding        = "Accept-Encoding"
	encodingGzip          = "gzip"
)

// compressors are used again: a gzip.Writer takes 800 KB.
var compressors = sync.Pool{New: func() any {
	// The fastest level: on lists of this API it leaves 12 % more than the default
	// one and takes a third of its time, which is what a function pays for.
	w, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil {
		panic(err) // of a level that does not exist
	}
	return w
}}

// checkLength refuses a body that could not be sent. One that is compressed is
// far shorter than what a function may return.
func checkLength(body []byte, compressed bool) error {
	if len(body) > maxBody {
		return &tooLargeError{len(body), maxBody}
	}
	if compressed {
		return nil
	}
	escaped := bytes.Count(body, []byte(`"`)) + bytes.Count(body, []byte(`\`))
	if n := len(body) + escaped; n > maxPayload {
		return &tooLargeError{n, maxPayload}
	}
	return nil
}

// tooLargeError is a body of more bytes than can be sent.
type tooLargeError struct{ bytes, limit int }

func (e *tooLargeError) Error() string {
	return fmt.Sprintf("the response has %d bytes, at most %d are sent", e.bytes, e.limit)
}

func compress(body []byte) []byte {
	w, _ := compressors.Get().(*gzip.Writer)
	defer compressors.Put(w)
	var b bytes.Buffer
	b.Grow(len(body) / 4)
	w.Reset(&b)
	_, _ = w.Write(body) // a buffer takes everything
	_ = w.Close()
	return b.Bytes()
}

// acceptsGzip reports whether the value of Accept-Encoding allows gzip and does
// not prefer the body as it is (RFC 9110, 12.5.3). A part that cannot be read
// allows nothing.
func acceptsGzip(value string) bool {
	const unnamed = -1
	zip, identity, others := float64(unnamed), float64(unnamed), float64(unnamed)
	for part := range strings.SplitSeq(value, ",") {
		name, q := coding(part)
		switch name {
		case encodingGzip, "x-gzip":
			zip = max(zip, q)
		case "identity":
			identity = q
		case "*":
			others = q
		}
	}
	if zip == unnamed {
		zip = others
	}
	return zip > 0 && zip >= identity
}

// coding reads a part of Accept-Encoding: a name, which it returns in lower case, and a
// weight. The weight is 1 where none is given, and 0 where it cannot be read.
func coding(part string) (name string, q float64) {
	name, parameters, weighted := strings.Cut(part, ";")
	name = strings.ToLower(strings.Trim(name, " \t"))
	if !weighted {
		return name, 1
	}
	key, number, _ := strings.Cut(strings.Trim(parameters, " \t"), "=")
	q, err := strconv.ParseFloat(number, 64)
	if !strings.EqualFold(key, "q") || err != nil || !(q >= 0 && q <= 1) {
		return name, 0
	}
	return name, q
}

// log writes the line of the request, once nothing changes the response any more.
func (x *exchange) log() {
	e := &x.entry
	e.Time = x.p.Now()
	e.DurationMicros = e.Time.Sub(x.now).Microseconds()
	e.RequestID, e.GatewayRequestID, e.LambdaRequestID = x.id, idOf(x.request.GatewayID), idOf(x.request.InvocationID)
	e.Method = x.request.Method
	if x.operation != nil {
		e.Route = x.operation.Path
	}
	if x.credential != nil {
		e.KeyID, e.Organization = x.credential.ID, string(x.credential.Organization)
	}
	e.Cold = x.cold
	if x.cause != nil {
		e.Cause = x.hide(x.cause.Error())
		if p, ok := errors.AsType[*panicError](x.cause); ok {
			e.Stack = p.stack
		}
	}
	x.p.Log.Write(e, &x.spent)
}

// maxID is the longest id of a gateway's or Lambda's that a line has.
const maxID = 64

// idOf is an id that a front door gave a request, where it looks like one.
func idOf(id string) string {
	strange := func(c rune) bool {
		return (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && !strings.ContainsRune("-_=+/:", c)
	}
	if len(id) > maxID || strings.ContainsFunc(id, strange) {
		return ""
	}
	return id
}
