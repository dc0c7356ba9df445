package client

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"touchline/shared/signing"
)

// Config configures a client. BaseURL, KeyID and Secret are required.
type Config struct {
	// BaseURL is the address of the service, http or https. A path in it, such
	// as the stage of a gateway, is sent before the path of each request but not
	// signed: what is signed begins at /v1.
	BaseURL string
	// KeyID and Secret are those of an API key.
	KeyID  string
	Secret Secret

	// Now is the local clock; nil: time.Now.
	Now func() time.Time
	// Timeout is for one attempt including its body; 0: 30 seconds.
	Timeout time.Duration
	// MaxBody bounds the body of a response, in bytes; 0: 16 MiB, more than any
	// front door of the service sends.
	MaxBody int64
}

// Defaults of Config.
const (
	defaultTimeout = 30 * time.Second
	defaultMaxBody = 16 << 20
)

// Client calls one service with one key. It is safe for concurrent use.
type Client struct {
	config Config // without the secret
	http   *http.Client
	base   *url.URL
	prefix string // of the path, as sent, without a trailing slash
	sign   func(canonical string) string
	offset atomic.Int64 // how far the server's clock is ahead of ours, in nanoseconds
}

// ErrBaseURL says that Config.BaseURL is not the address of a service.
var ErrBaseURL = errors.New("client: BaseURL: want an address such as https://api.example.org")

// New makes a client. The error says which field of the config is wrong.
func New(config Config) (*Client, error) {
	base, err := url.Parse(config.BaseURL)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" ||
		base.RawQuery != "" || base.ForceQuery || base.Fragment != "" || base.User != nil {
		return nil, ErrBaseURL
	}
	if !isKeyID(config.KeyID) {
		return nil, errors.New("client: KeyID: want 1 to 100 letters, digits, _ or -")
	}
	if config.Secret == "" {
		return nil, errors.New("client: Secret: is empty")
	}
	if config.Timeout < 0 || config.MaxBody < 0 {
		return nil, errors.New("client: Timeout, MaxBody: want no negative numbers")
	}
	secret := string(config.Secret)
	config.Secret = ""
	return &Client{
		config: config.withDefaults(),
		http:   newHTTP(),
		base:   base,
		prefix: strings.TrimRight(base.EscapedPath(), "/"),
		// Formatting the client shows a function as an address only.
		sign: func(canonical string) string { return signing.Sign(secret, canonical) },
	}, nil
}

// newHTTP sends a request at most once: net/http repeats by itself only what was
// lost with a connection that had been used before.
func newHTTP() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.DisableKeepAlives = true
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func (c Config) withDefaults() Config {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Timeout == 0 {
		c.Timeout = defaultTimeout
	}
	if c.MaxBody == 0 {
		c.MaxBody = defaultMaxBody
	}
	return c
}

func isKeyID(s string) bool {
	for _, r := range s {
		switch {
		case '0' <= r && r <= '9', 'A' <= r && r <= 'Z', 'a' <= r && r <= 'z', r == '_', r == '-':
		default:
			return false
		}
	}
	return s != "" && len(s) <= 100
}

// String names the service and the key.
func (c *Client) String() string {
	return fmt.Sprintf("client of %s with key %s", c.base.Redacted(), c.config.KeyID)
}

// LogValue implements slog.LogValuer.
func (c *Client) LogValue() slog.Value { return slog.StringValue(c.String()) }

// Offset is how far the server's clock is ahead of the local one. Timestamps are
// corrected by it. It is 0 until a 401 shows otherwise.
func (c *Client) Offset() time.Duration { return time.Duration(c.offset.Load()) }
