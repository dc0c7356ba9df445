// Package protocol has the commands that use the signed protocol: get, sign,
// event and id.
//
// Get sends one signed request, sign prints the headers of one or explains how
// they are computed, and event signs a gateway event for a function that runs on
// this machine. A target may contain {KIND:KEY} instead of an id ([expand]).
//
// The key that signs comes from flag and environment, its secret from the environment
// alone: every user of the machine could see an argument. A secret is never printed.
package protocol

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/signing"
)

// SignCommand is `touchline sign`.
type SignCommand struct {
	Method string `arg:"" help:"GET or HEAD."`
	Target string `arg:"" name:"path" help:"PATH[?QUERY] as it will be sent, from /v1; quote it for the shell."`
	KeyFlags
	Timestamp string `placeholder:"SECONDS" help:"Unix time to sign with (default: now)."`
	Nonce     string `placeholder:"TEXT" help:"Nonce to sign with (default: a random one)."`
	Explain   bool   `xor:"form" help:"Show the canonical string field by field and byte by byte."`
	Curl      bool   `xor:"form" help:"Print a curl command; it works once and for five minutes."`
	JSON      bool   `name:"json" xor:"form" help:"Print headers and canonical string as JSON."`
	BaseURL   string `name:"base-url" placeholder:"URL" help:"Service address for --curl (default: TOUCHLINE_BASE_URL, else ${base_url})."`
}

// Help is shown below the flags.
func (SignCommand) Help() string {
	return `The secret is that of TOUCHLINE_SECRET, and never printed. A canonical string of yours is compared by the signature checker, a page that 'touchline docs' writes.

Examples:

    touchline sign GET '/v1/ping'
    touchline sign --explain GET '/v1/organizations/5f1d…/clubs?page=2&limit=10'
`
}

// Run prints the signature in the form asked for.
func (s *SignCommand) Run(c *terminal.Terminal) error {
	target, err := expand(s.Target)
	if err != nil {
		return err
	}
	key, err := s.find(c)
	if err != nil {
		return err
	}
	r, err := sign(key, signing.Message{Method: s.Method, Timestamp: s.Timestamp, Nonce: s.Nonce}, target, c.Now())
	if err != nil {
		return err
	}
	switch {
	case s.JSON:
		headers := map[string]string{}
		for _, h := range r.Headers {
			headers[h[0]] = h[1]
		}
		return c.JSON(map[string]any{"headers": headers, "canonical": r.Canonical})
	case s.Curl:
		c.Printf("%s\n", curl(r, address(c, s.BaseURL), target))
	case s.Explain:
		c.Printf("%s", explain(r))
	default:
		for _, h := range r.Headers {
			c.Printf("%s: %s\n", h[0], h[1])
		}
	}
	return nil
}

// curl writes the request as a command for a POSIX shell.
func curl(r signing.Signed, base, target string) string {
	var b strings.Builder
	// Without this option curl would remove dot segments from the path, which is
	// signed.
	b.WriteString("curl --path-as-is --globoff")
	if strings.EqualFold(r.Method, "HEAD") {
		b.WriteString(" --head")
	} else if !strings.EqualFold(r.Method, "GET") {
		b.WriteString(" --request " + terminal.Quote(r.Method))
	}
	for _, h := range r.Headers {
		b.WriteString(" \\\n  -H " + terminal.Quote(h[0]+": "+h[1]))
	}
	b.WriteString(" \\\n  " + terminal.Quote(strings.TrimSuffix(base, "/")+target))
	return b.String()
}

var canonicalFields = [...]string{"METHOD", "PATH", "SORTED_ENCODED_QUERY", "TIMESTAMP", "NONCE", "BODY_HASH"}

// explain shows how the signature is computed.
func explain(r signing.Signed) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Canonical string: %d bytes, six fields joined by a line feed (LF), none at the end\n\n", len(r.Canonical))
	fields := strings.SplitN(r.Canonical, "\n", len(canonicalFields))
	for i, f := range fields {
		end := " LF"
		if i == len(fields)-1 {
			end = ""
		}
		note := ""
		if f == "" {
			note = "(empty)"
		}
		fmt.Fprintf(&b, "  %-20s  %s%s%s\n", canonicalFields[i], f, note, end)
	}
	b.WriteString("\nByte by byte\n\n")
	b.WriteString(hex.Dump([]byte(r.Canonical)))
	fmt.Fprintf(&b, "\nSHA-256 of these bytes, whose first 16 digits 'touchline why' shows of a refused signature: %x\n", sha256.Sum256([]byte(r.Canonical)))
	b.WriteString("\nSignature: lower-case hex of HMAC-SHA256, keyed with the secret's bytes as shown, over these bytes\n\n")
	for _, h := range r.Headers {
		fmt.Fprintf(&b, "  %s: %s\n", h[0], h[1])
	}
	return b.String()
}

// sign signs a message for a target, PATH[?QUERY]; now and a random nonce take the
// place of a timestamp and a nonce that are empty.
func sign(key credential, m signing.Message, target string, now time.Time) (signing.Signed, error) {
	if !strings.HasPrefix(target, "/") {
		return signing.Signed{}, terminal.Usagef("the path must begin with /, such as /v1/ping")
	}
	for i := range len(target) {
		if target[i] <= ' ' || target[i] >= 0x7f {
			return signing.Signed{}, terminal.Usagef("byte %d of the path must be written as %%%02X", i, target[i])
		}
	}
	m.Path, m.Query, _ = strings.Cut(target, "?")
	r, err := signMessage(key, m, now)
	if errors.Is(err, signing.ErrEscape) {
		return r, terminal.Usagef("%s: %w: a %% must be followed by two hex digits", target, err)
	}
	return r, err
}

// signMessage is sign for a message that has its target. The error is signing.ErrEscape.
func signMessage(key credential, m signing.Message, now time.Time) (signing.Signed, error) {
	m.Timestamp = cmp.Or(m.Timestamp, strconv.FormatInt(now.Unix(), 10))
	m.Nonce = cmp.Or(m.Nonce, rand.Text())
	return m.Signed(key.id, key.secret)
}
