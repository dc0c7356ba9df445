package protocol

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/keys"
	"touchline/shared/signing"
	"touchline/shared/stack"
)

// client calls a service:
//
//   - A request is sent once, whatever its response, and by a connection of its own:
//     net/http would by itself repeat one that is lost with a used connection, with
//     a nonce that the service may have seen.
//   - What is sent is what was signed, byte for byte. Redirects are not followed,
//     since a signature is for one path.
//   - Responses are not trusted: bodies are bounded, and errors contain no control
//     characters.
type client struct {
	// base is the address of the service, http or https. A path in it, such
	// as the stage of a gateway, is sent before the path of each request but not
	// signed: what is signed begins at /v1.
	base string
	key  credential
	now  func() time.Time // the local clock
}

// errTooLong says that the body of a response is longer than maxBody.
var errTooLong = fmt.Errorf("the response is too long: more than %d bytes", maxBody)

// maxBody bounds the body of a response, in bytes: more than any front door of the
// service sends.
const maxBody = 16 << 20

// send sends a request for a target, which is path and query from /v1 as they are
// to be sent, and returns the response, even if it is a refusal (response.err).
// The message has its method, GET or HEAD. An error means that the call is wrong (a terminal.UsageError),
// that there was no response, or that it was too long.
func (c *client) send(ctx context.Context, m signing.Message, target string) (*response, error) {
	base, err := url.Parse(c.base)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" ||
		base.RawQuery != "" || base.ForceQuery || base.Fragment != "" || base.User != nil {
		return nil, terminal.Usagef("--base-url %q: want an address such as https://api.example.org", c.base)
	}
	if strings.HasPrefix(target, "//") {
		return nil, terminal.Usagef("the path must begin with one slash, such as /v1/ping")
	}
	sent := c.now()
	signed, err := sign(c.key, m, target, sent)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, m.Method, base.String(), nil)
	if err != nil {
		return nil, err
	}
	request.URL = urlOf(base, target)
	for _, h := range signed.Headers {
		request.Header.Set(h[0], h[1])
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableKeepAlives = true
	answer, err := transport.RoundTrip(request)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return nil, fmt.Errorf("%s does not answer in time: try again, or give it longer with --timeout", c.base)
	case err != nil:
		return nil, fmt.Errorf("%s does not answer: %w: is the service running there? (touchline serve, --base-url)", c.base, err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, maxBody+1))
	if err != nil {
		return nil, fmt.Errorf("read the response: %w", err)
	}
	if len(body) > maxBody {
		return nil, errTooLong
	}
	return &response{status: answer.StatusCode, proto: answer.Proto, header: answer.Header, body: body, sent: sent}, nil
}

// urlOf is a URL whose request line is the path of the base and the target, byte for
// byte. If net/url would write the path differently it is an opaque URL, which does
// not work with a proxy for plain http.
func urlOf(base *url.URL, target string) *url.URL {
	path, query, asked := strings.Cut(target, "?")
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

// KeyFlags select the key that signs. There is no flag for the secret: every
// user of the machine can see arguments.
type KeyFlags struct {
	KeyID string `name:"key-id" env:"TOUCHLINE_KEY_ID" placeholder:"ID" help:"Id of the key that signs; its secret is read from TOUCHLINE_SECRET."`
}

// The variables with the secret of the key that signs, and with the address of
// the service.
const (
	SecretVariable  = "TOUCHLINE_SECRET"
	BaseURLVariable = "TOUCHLINE_BASE_URL"
)

// credential is a key's id and its secret.
type credential struct{ id, secret string }

// find returns the key that signs.
func (k KeyFlags) find(c *terminal.Terminal) (credential, error) {
	found := credential{k.KeyID, c.Getenv(SecretVariable)}
	switch {
	case found.id == "" || found.secret == "":
		return credential{}, fmt.Errorf("no key: set TOUCHLINE_KEY_ID and %s (touchline keys create makes a key)", SecretVariable)
	case !keys.IsID(found.id):
		return credential{}, terminal.Usagef("key id %q: want 1 to 100 of A-Z a-z 0-9 _ and -", found.id)
	}
	return found, nil
}

// address is the address of the service: the one given, else that of the environment,
// or of serve.
func address(c *terminal.Terminal, given string) string {
	return cmp.Or(given, c.Getenv(BaseURLVariable), "http://"+stack.LocalService)
}
