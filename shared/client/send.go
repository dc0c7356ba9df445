package client

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"touchline/shared/signing"
)

// Raw sends a request for a target, which is path and query from /v1 as they are
// to be sent, and returns the last response, even if it is a refusal
// (Response.Err). Method is GET or HEAD. It repeats requests as the package
// comment describes. An error means that there was no response; if the context
// ended after a refusal, both are in its chain.
func (c *Client) Raw(ctx context.Context, method, target string) (*Response, error) {
	if method != http.MethodGet && method != http.MethodHead {
		return nil, fmt.Errorf("client: method %q: the service has GET and HEAD only", method)
	}
	if err := checkTarget(target); err != nil {
		return nil, err
	}
	corrected := false
	for attempt := 1; ; attempt++ {
		sent := c.config.Now().Add(c.Offset())
		r, err := c.once(ctx, method, target, sent)
		if err == nil && !corrected && c.correct(r, sent) {
			corrected = true
			attempt--
			continue
		}
		pause, again := c.again(ctx, r, err, attempt)
		if !again {
			return r, err
		}
		if err := c.config.Wait(ctx, pause); err != nil {
			return nil, fmt.Errorf("client: %s %s: %w", method, target, errors.Join(err, refusal(r)))
		}
	}
}

// refusal is the error of a response, if there was one.
func refusal(r *Response) error {
	if r == nil {
		return nil
	}
	return r.Err()
}

// ErrTarget says that a target would not arrive as it was signed.
var ErrTarget = errors.New("client: the target cannot be sent")

func checkTarget(target string) error {
	if !strings.HasPrefix(target, "/") || strings.HasPrefix(target, "//") {
		return fmt.Errorf("%w: it must begin with one slash, such as /v1/ping", ErrTarget)
	}
	for i := range len(target) {
		if target[i] <= ' ' || target[i] >= 0x7f {
			return fmt.Errorf("%w: byte %d must be written as %%%02X", ErrTarget, i, target[i])
		}
	}
	if err := signing.CheckEscapes(target); err != nil {
		return fmt.Errorf("%w: %w: a %% must be followed by two hex digits", ErrTarget, err)
	}
	return nil
}

// errRepeated ends an attempt that net/http was about to repeat.
var errRepeated = errors.New("the connection was lost")

// once signs a request with the time sent and makes one attempt. An error means
// that there was no response, or that it was too long (ErrAnswer).
func (c *Client) once(ctx context.Context, method, target string, sent time.Time) (*Response, error) {
	ctx, cancel := context.WithTimeout(ctx, c.config.Timeout)
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	ctx = httptrace.WithClientTrace(ctx, sentOnce(stop))
	request, err := c.request(ctx, method, target, sent)
	if err != nil {
		return nil, fmt.Errorf("client: %s %s: %w", method, target, err)
	}
	answer, err := c.config.HTTP.Do(request)
	if err != nil {
		return nil, fmt.Errorf("client: %s %s: no answer: %w", method, target, cause(ctx, err))
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, c.config.MaxBody+1))
	if err != nil {
		return nil, fmt.Errorf("client: %s %s: read the response: %w", method, target, cause(ctx, err))
	}
	r := &Response{Status: answer.StatusCode, Proto: answer.Proto, Header: answer.Header, Body: body}
	if int64(len(body)) > c.config.MaxBody {
		return nil, r.unusable("more than %d bytes", c.config.MaxBody)
	}
	return r, nil
}

// sentOnce prevents net/http from repeating an HTTP/1 request by itself, with a
// nonce that the service may have seen. It would do so with a GET if a
// connection that was used before is lost, and return the response to the
// repetition. sentOnce closes the connection of the repetition before anything
// is written to it. The documentation of httptrace advises against that, but
// cancelling the context alone would be too late for what is written at once.
// HTTP/2 only repeats what the service did not process.
func sentOnce(stop context.CancelCauseFunc) *httptrace.ClientTrace {
	var connections atomic.Int32
	return &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		if connections.Add(1) == 1 {
			return
		}
		if secure, ok := info.Conn.(*tls.Conn); ok && secure.ConnectionState().NegotiatedProtocol == "h2" {
			return
		}
		stop(errRepeated)
		_ = info.Conn.Close()
	}}
}

// cause is why an attempt failed, without the address, which its url.Error
// repeats.
func cause(ctx context.Context, err error) error {
	if stopped := context.Cause(ctx); errors.Is(stopped, errRepeated) {
		return stopped
	}
	if inner, ok := errors.AsType[*url.Error](err); ok {
		return inner.Err
	}
	return err
}

// request is a signed request to the prefix of the base, followed by the target.
func (c *Client) request(ctx context.Context, method, target string, sent time.Time) (*http.Request, error) {
	path, query, _ := strings.Cut(target, "?")
	timestamp, nonce := strconv.FormatInt(sent.Unix(), 10), newNonce()
	canonical, err := signing.Message{
		Method: method, Path: path, Query: query, Timestamp: timestamp, Nonce: nonce,
	}.Canonical()
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, c.base.String(), nil)
	if err != nil {
		return nil, err
	}
	request.URL = c.url(path, query, strings.Contains(target, "?"))
	request.Header.Set(signing.HeaderKey, c.config.KeyID)
	request.Header.Set(signing.HeaderTimestamp, timestamp)
	request.Header.Set(signing.HeaderNonce, nonce)
	request.Header.Set(signing.HeaderSignature, c.sign(canonical))
	return request, nil
}

// url is a URL whose request line is the prefix and the target, byte for byte.
// If net/url would write the path differently it is an opaque URL, which does
// not work with a proxy for plain http.
func (c *Client) url(path, query string, asked bool) *url.URL {
	sent := c.prefix + path
	u := &url.URL{Scheme: c.base.Scheme, Host: c.base.Host, RawQuery: query, ForceQuery: asked}
	if plain, err := url.PathUnescape(sent); err == nil {
		u.Path, u.RawPath = plain, sent
	}
	if u.EscapedPath() != sent {
		u.Path, u.RawPath, u.Opaque = "", "", sent
	}
	return u
}

// newNonce makes a nonce of 16 random bytes.
func newNonce() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}
