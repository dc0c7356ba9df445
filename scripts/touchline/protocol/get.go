package protocol

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"touchline/scripts/touchline/database"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/signing"
)

// GetCommand is `touchline get`: nothing else that is installed signs a request, or shows how.
type GetCommand struct {
	Target string `arg:"" name:"path" help:"PATH[?QUERY], from /v1; quote it for the shell."`
	KeyFlags
	database.StackFlags
	BaseURL string        `name:"base-url" xor:"database" placeholder:"URL" help:"Service address (default: that of --stack, else TOUCHLINE_BASE_URL, else ${base_url})."`
	Head    bool          `help:"Send HEAD and print status and headers."`
	Include bool          `short:"i" help:"Print status and headers before the body."`
	Timeout time.Duration `default:"30s" help:"How long to wait for the answer (default: ${default})."`

	Explain   bool   `xor:"form" help:"Send nothing: show the canonical string field by field and byte by byte, and the headers that sign it."`
	Event     bool   `xor:"form" help:"Send nothing: print an event of API Gateway's HTTP API (2.0), for a function that runs on this machine; it works once and for five minutes."`
	Timestamp string `placeholder:"SECONDS" help:"Unix time to sign with (default: now)."`
	Nonce     string `placeholder:"TEXT" help:"Nonce to sign with (default: a random one)."`
}

// Help is shown below the flags.
func (GetCommand) Help() string {
	return `The key is that of TOUCHLINE_KEY_ID and TOUCHLINE_SECRET. The body is printed as it came, on a terminal indented; a line feed ends it. {KIND:KEY} stands for the id of your own key. Whatever is no 2xx of the service, a redirect too, ends with exit code 1. A canonical string of yours is compared by the signature checker, a page that 'touchline docs' writes.

Examples:

    touchline get /v1/ping
    touchline get -i '/v1/tournaments/5f1d…/standings?season=2025'
    touchline get '/v1/tournaments/{competition:liga}/standings'
    touchline get --stack dev /v1/ping
    touchline get --explain '/v1/organizations/5f1d…/clubs?page=2&limit=10'
`
}

// Run sends the request and prints the response.
func (g *GetCommand) Run(ctx context.Context, c *terminal.Terminal) error {
	if g.Explain || g.Event {
		return g.print(c)
	}
	r, err := g.send(ctx, c)
	if err != nil {
		return err
	}
	if g.Include || g.Head {
		c.Printf("%s %d %s\n", r.proto, r.status, http.StatusText(r.status))
		var head bytes.Buffer
		_ = r.header.Write(&head) // memory
		c.Printf("%s\n", strings.ReplaceAll(head.String(), "\r\n", "\n"))
	}
	c.Printf("%s", g.shown(c, r.body))
	return r.err()
}

// message is what is signed, for a target.
func (g *GetCommand) message() signing.Message {
	m := signing.Message{Method: http.MethodGet, Timestamp: g.Timestamp, Nonce: g.Nonce}
	if g.Head {
		m.Method = http.MethodHead
	}
	return m
}

// send makes one attempt; any response is shown.
func (g *GetCommand) send(ctx context.Context, c *terminal.Terminal) (*response, error) {
	target, err := expand(g.Target)
	if err != nil {
		return nil, err
	}
	key, err := g.find(c)
	if err != nil {
		return nil, err
	}
	base, err := g.base(ctx, c)
	if err != nil {
		return nil, err
	}
	if g.Timeout <= 0 {
		return nil, terminal.Usagef("--timeout %s: want a time above zero, such as 30s", g.Timeout)
	}
	ctx, cancel := context.WithTimeout(ctx, g.Timeout)
	defer cancel()
	return (&client{base: base, key: key, now: c.Now}).send(ctx, g.message(), target)
}

// base is the address of the service.
func (g *GetCommand) base(ctx context.Context, c *terminal.Terminal) (string, error) {
	switch {
	case g.Stack != "":
		deployed, err := g.Deployment(ctx, c)
		if err != nil {
			return "", err
		}
		return deployed.BaseURL, nil
	case g.Profile != "" || g.Region != "":
		return "", terminal.Usagef("--profile and --region choose where on AWS: give --stack, too")
	}
	return address(c, g.BaseURL), nil
}

// shown is the body as printed: indented at a terminal, and with a final line
// feed.
func (g *GetCommand) shown(c *terminal.Terminal, body []byte) []byte {
	if len(body) == 0 {
		return nil
	}
	var b bytes.Buffer
	if !c.OutTerminal || json.Indent(&b, body, "", "  ") != nil {
		b.Reset()
		b.Write(body)
	}
	if !bytes.HasSuffix(b.Bytes(), []byte("\n")) {
		b.WriteByte('\n')
	}
	return b.Bytes()
}
