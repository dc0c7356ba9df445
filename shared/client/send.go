package client

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"touchline/shared/signing"
)

// Send sends a request for a target, which is path and query from /v1 as they are
// to be sent, and returns the response, even if it is a refusal (Response.Err).
// Method is GET or HEAD. An error means that there was no response, or that it was
// too long.
func (c *Client) Send(ctx context.Context, method, target string) (*Response, error) {
	if method != http.MethodGet && method != http.MethodHead {
		return nil, fmt.Errorf("client: method %q: the service has GET and HEAD only", method)
	}
	if err := checkTarget(target); err != nil {
		return nil, err
	}
	sent := c.config.Now().Add(c.Offset())
	r, err := c.once(ctx, method, target, sent)
	if err == nil && c.correct(r, sent) {
		return c.once(ctx, method, target, c.config.Now().Add(c.Offset()))
	}
	return r, err
}

// clockTolerance is how far a timestamp may be from the Date of the response
// before a 401 is attributed to the clock. A timestamp nearer than that was
// certainly accepted: the difference to signing.Skew allows for the time on the
// network, and for a Date from another clock than the one that the service
// checks timestamps with.
const clockTolerance = signing.Skew / 2

// correct sets the clock by the Date of a 401 to a request signed at sent, and
// reports whether the clock may have been the reason.
func (c *Client) correct(r *Response, sent time.Time) bool {
	if r.Status != http.StatusUnauthorized {
		return false
	}
	date, err := http.ParseTime(r.Header.Get("Date"))
	if err != nil || date.Sub(sent).Abs() <= clockTolerance {
		return false
	}
	c.offset.Store(int64(date.Sub(c.config.Now())))
	return true
}

// ErrTooLong says that the body of a response is longer than Config.MaxBody.
var ErrTooLong = errors.New("client: the response is too long")

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

// once signs a request with the time sent and makes one attempt. An error means
// that there was no response, or that it was too long (ErrTooLong).
func (c *Client) once(ctx context.Context, method, target string, sent time.Time) (*Response, error) {
	ctx, cancel := context.WithTimeout(ctx, c.config.Timeout)
	defer cancel()
	request, err := c.request(ctx, method, target, sent)
	if err != nil {
		return nil, fmt.Errorf("client: %s %s: %w", method, target, err)
	}
	answer, err := c.http.Do(request)
	if err != nil {
		return nil, fmt.Errorf("client: %s %s: no response: %w", method, target, cause(err))
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, c.config.MaxBody+1))
	if err != nil {
		return nil, fmt.Errorf("client: %s %s: read the response: %w", method, target, cause(err))
	}
	r := &Response{Status: answer.StatusCode, Proto: answer.Proto, Header: answer.Header, Body: body}
	if int64(len(body)) > c.config.MaxBody {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrTooLong, c.config.MaxBody)
	}
	return r, nil
}

// cause is why an attempt failed, without the address, which its url.Error
// repeats.
func cause(err error) error {
	if inner, ok := errors.AsType[*url.Error](err); ok {
		return inner.Err
	}
	return err
}

// request is a signed request to the prefix of the base, followed by the target.
func (c *Client) request(ctx context.Context, method, target string, sent time.Time) (*http.Request, error) {
	path, query, _ := strings.Cut(target, "?")
	timestamp, nonce := strconv.FormatInt(sent.Unix(), 10), rand.Text()
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
