package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

type getCommand struct {
	Target string `arg:"" name:"path" help:"PATH[?QUERY], from /v1; quote it for the shell."`
	keyFlags
	BaseURL string        `name:"base-url" env:"TOUCHLINE_BASE_URL" default:"${base_url}" placeholder:"URL" help:"Service address (default: ${default})."`
	Head    bool          `help:"Send HEAD and print status and headers."`
	Include bool          `short:"i" help:"Print status and headers before the body."`
	Timeout time.Duration `default:"30s" help:"How long to wait for the answer (default: ${default})."`
	JSON    bool          `name:"json" help:"Print status, headers and body as one JSON document."`
}

// Help is shown below the flags.
func (getCommand) Help() string {
	return `The key comes from TOUCHLINE_KEY_ID and TOUCHLINE_SECRET. The body is printed as it came, on a terminal indented. A status of 400 or more ends with exit code 1.

Examples:

    touchline get /v1/ping
    touchline get -i '/v1/tournaments/5f1d…/standings?season=2025'
`
}

// maxBody bounds an answer; the largest that the service gives is far below.
const maxBody = 64 << 20

// Run sends the request and prints the answer.
func (g *getCommand) Run(ctx context.Context, c *console) error {
	resp, body, err := g.send(ctx, c)
	if err != nil {
		return err
	}
	switch {
	case g.JSON:
		if err := c.json(answer{resp.StatusCode, flat(resp.Header), asJSON(body)}); err != nil {
			return err
		}
	default:
		if g.Include || g.Head {
			c.printf("%s %s\n", resp.Proto, resp.Status)
			var head bytes.Buffer
			_ = resp.Header.Write(&head) // memory
			c.printf("%s\n", strings.ReplaceAll(head.String(), "\r\n", "\n"))
		}
		c.printf("%s", g.shown(c, body))
	}
	if resp.StatusCode >= http.StatusBadRequest {
		return refusal(resp, body)
	}
	return nil
}

// answer is what --json prints.
type answer struct {
	Status  int               `json:"status"`
	Headers map[string]string `json:"headers"`
	Body    any               `json:"body"`
}

func (g *getCommand) send(ctx context.Context, c *console) (*http.Response, []byte, error) {
	method := http.MethodGet
	if g.Head {
		method = http.MethodHead
	}
	r, err := g.sign(c, method, g.Target, "", "")
	if err != nil {
		return nil, nil, err
	}
	base, err := url.Parse(strings.TrimSuffix(g.BaseURL, "/"))
	if err != nil || base.Host == "" || (base.Scheme != "http" && base.Scheme != "https") || base.RawQuery != "" {
		return nil, nil, usagef("--base-url %q: want an address such as https://api.example.org", g.BaseURL)
	}
	ctx, cancel := context.WithTimeout(ctx, g.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, base.String(), nil)
	if err != nil {
		return nil, nil, err
	}
	// Opaque sends the target byte for byte as it was signed.
	req.URL = &url.URL{Scheme: base.Scheme, Host: base.Host, Opaque: base.EscapedPath() + r.message.Path}
	req.URL.RawQuery = r.message.Query
	req.URL.ForceQuery = strings.Contains(g.Target, "?")
	for _, h := range r.headers {
		req.Header.Set(h[0], h[1])
	}
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	resp, err := client.Do(req)
	if err != nil {
		return nil, nil, unreachable(g.BaseURL, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody))
	if err != nil {
		return nil, nil, fmt.Errorf("read the answer: %w", err)
	}
	return resp, body, nil
}

func unreachable(base string, err error) error {
	var inner *url.Error
	if errors.As(err, &inner) {
		err = inner.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("%s does not answer in time: try again, or give it longer with --timeout", base)
	}
	return fmt.Errorf("%s does not answer: %w: is the service running there? (touchline serve, --base-url)", base, err)
}

// shown is the body as printed: indented for a person.
func (g *getCommand) shown(c *console, body []byte) []byte {
	var b bytes.Buffer
	if !c.OutTerminal || json.Indent(&b, body, "", "  ") != nil {
		return body
	}
	b.WriteByte('\n')
	return b.Bytes()
}

// refusal says what the service answered, from its error body where it is one.
func refusal(resp *http.Response, body []byte) error {
	var doc struct {
		Error struct {
			Code, Message, Reason string
			Details               json.RawMessage
		}
	}
	text := resp.Status
	if json.Unmarshal(body, &doc) == nil && doc.Error.Code != "" {
		text = fmt.Sprintf("%d %s: %s", resp.StatusCode, doc.Error.Code, doc.Error.Message)
		if doc.Error.Reason != "" {
			text += ", reason " + doc.Error.Reason
		}
		if len(doc.Error.Details) > 0 {
			text += ", details " + string(doc.Error.Details)
		}
	}
	if after := resp.Header.Get("Retry-After"); after != "" {
		text += ", try again in " + after + " s"
	}
	if id := resp.Header.Get("X-Request-Id"); id != "" {
		text += " (request " + id + ")"
	}
	return errors.New(text)
}

// flat joins repeated headers.
func flat(h http.Header) map[string]string {
	out := map[string]string{}
	for name, values := range h {
		out[name] = strings.Join(values, ", ")
	}
	return out
}

// asJSON is the body as a value: itself where it is JSON, else its text; null
// without one.
func asJSON(body []byte) any {
	switch {
	case len(body) == 0:
		return nil
	case json.Valid(body):
		return json.RawMessage(body)
	}
	return string(body)
}
