// Package client sends signed requests, for `touchline get` and the console.
// Programs outside this module use the Go kit (`touchline kit go`).
//
// What callers can rely on:
//
//   - A request is sent once, whatever its response, and by a connection of its own:
//     net/http would by itself repeat one that is lost with a used connection, with
//     a nonce that the service may have seen.
//   - The one exception is a 401 whose Date shows that the timestamp was too far
//     off: the request is then sent again, by the server's clock and with a new nonce.
//   - What is sent is what was signed, byte for byte. Redirects are not followed,
//     since a signature is for one path.
//   - Responses are not trusted: bodies are bounded, and errors contain no control
//     characters.
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

// Client calls a service.
type Client struct {
	// BaseURL is the address of the service, http or https. A path in it, such
	// as the stage of a gateway, is sent before the path of each request but not
	// signed: what is signed begins at /v1.
	BaseURL string
	// Sign signs a request.
	Sign func(signing.Message) (signing.Signed, error)
	// Now is the local clock.
	Now func() time.Time
}

var (
	// ErrBaseURL says that BaseURL is not the address of a service.
	ErrBaseURL = errors.New("want an address such as https://api.example.org")
	// ErrTooLong says that the body of a response is longer than maxBody.
	ErrTooLong = fmt.Errorf("the response is too long: more than %d bytes", maxBody)
	// ErrTarget says that a target would not arrive as it was signed.
	ErrTarget = errors.New("the target cannot be sent")
)

// maxBody bounds the body of a response, in bytes: more than any front door of the
// service sends.
const maxBody = 16 << 20

// Send sends a request for a target, which is path and query from /v1 as they are
// to be sent, and returns the response, even if it is a refusal (Response.Err).
// Method is GET or HEAD. An error means that there was no response, or that it was
// too long.
func (c *Client) Send(ctx context.Context, method, target string) (*Response, error) {
	base, err := url.Parse(c.BaseURL)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" ||
		base.RawQuery != "" || base.ForceQuery || base.Fragment != "" || base.User != nil {
		return nil, ErrBaseURL
	}
	if err := checkTarget(target); err != nil {
		return nil, err
	}
	sent := c.Now()
	r, err := c.once(ctx, base, method, target, sent)
	if err != nil || r.Status != http.StatusUnauthorized {
		return r, err
	}
	date, err := http.ParseTime(r.Header.Get("Date"))
	if err != nil || date.Sub(sent).Abs() <= clockTolerance {
		return r, nil
	}
	ahead := date.Sub(c.Now())
	if r, err = c.once(ctx, base, method, target, date); err == nil {
		r.Ahead = ahead
	}
	return r, err
}

// clockTolerance is how far a timestamp may be from the Date of the response
// before a 401 is attributed to the clock. A timestamp nearer than that was
// certainly accepted: the difference to signing.Skew allows for the time on the
// network, and for a Date from another clock than the one that the service
// checks timestamps with.
const clockTolerance = signing.Skew / 2

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

// once signs a request with the time sent and makes one attempt.
func (c *Client) once(ctx context.Context, base *url.URL, method, target string, sent time.Time) (*Response, error) {
	path, query, asked := strings.Cut(target, "?")
	signed, err := c.Sign(signing.Message{
		Method: method, Path: path, Query: query, Timestamp: strconv.FormatInt(sent.Unix(), 10), Nonce: rand.Text(),
	})
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, method, base.String(), nil)
	if err != nil {
		return nil, err
	}
	request.URL = urlOf(base, path, query, asked)
	for _, h := range signed.Headers {
		request.Header.Set(h[0], h[1])
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableKeepAlives = true
	answer, err := transport.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxBody+1))
	if err != nil {
		return nil, fmt.Errorf("read the response: %w", err)
	}
	if len(body) > maxBody {
		return nil, ErrTooLong
	}
	return &Response{Status: answer.StatusCode, Proto: answer.Proto, Header: answer.Header, Body: body}, nil
}

// urlOf is a URL whose request line is the path of the base and the target, byte for
// byte. If net/url would write the path differently it is an opaque URL, which does
// not work with a proxy for plain http.
func urlOf(base *url.URL, path, query string, asked bool) *url.URL {
	sent := strings.TrimRight(base.EscapedPath(), "/") + path
	u := &url.URL{Scheme: base.Scheme, Host: base.Host, RawQuery: query, ForceQuery: asked}
	if plain, err := url.PathUnescape(sent); err == nil {
		u.Path, u.RawPath = plain, sent
	}
	if u.EscapedPath() != sent {
		u.Path, u.RawPath, u.Opaque = "", "", sent
	}
	return u
}
