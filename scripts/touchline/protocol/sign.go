// Package protocol has the commands that use the signed protocol: get, sign,
// event and id, and login and logout, which keep a key for them.
//
// Get sends one signed request, sign prints the headers of one or explains how
// they are computed, and event signs a gateway event for a function that runs on
// this machine. `sign --check` needs no key: it compares a canonical string from
// somebody's program with the right one and names the usual mistakes. A target
// may contain {KIND:KEY} instead of an id ([Expand]). A secret is never printed.
//
// The key that signs comes from a profile named by --as, else from flag and
// environment, else from the profile "default". A secret is never an argument, which
// every user of the machine could see. Profiles, which login and logout keep, are in
// one file in the user's configuration folder, which is refused if others than its
// owner can read it; errors never contain anything from it.
package protocol

import (
	"crypto/sha256"
	"fmt"
	"strings"

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
	Check     bool   `xor:"form" help:"Compare a canonical string on standard input with the right one; needs no key."`
	JSON      bool   `name:"json" xor:"form" help:"Print headers and canonical string as JSON."`
	BaseURL   string `name:"base-url" placeholder:"URL" help:"Service address for --curl (default: that of --as, else TOUCHLINE_BASE_URL, else ${base_url})."`
}

// Help is shown below the flags.
func (SignCommand) Help() string {
	return `The secret is that of --as, of TOUCHLINE_SECRET or of 'touchline login', and never printed.

Examples:

    touchline sign GET '/v1/ping'
    touchline sign --explain GET '/v1/organizations/5f1d…/clubs?page=2&limit=10'
    my-program --print-canonical | touchline sign --check GET '/v1/clubs/5f1d…/teams?page=2'
`
}

// Run prints the signature in the form asked for.
func (s *SignCommand) Run(c *terminal.Terminal) error {
	target, err := Expand(s.Target)
	if err != nil {
		return err
	}
	if s.Check {
		return s.check(c, target)
	}
	key, err := s.Find(c)
	if err != nil {
		return err
	}
	r, err := sign(c, key, s.Method, target, s.Timestamp, s.Nonce)
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
		c.Printf("%s\n", curl(r, s.Address(c, s.BaseURL, key), target))
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
	dump(&b, r.Canonical)
	fmt.Fprintf(&b, "\nSHA-256 of these bytes, whose first 16 digits 'touchline why' shows of a refused signature: %x\n", sha256.Sum256([]byte(r.Canonical)))
	b.WriteString("\nSignature: lower-case hex of HMAC-SHA256, keyed with the secret's bytes as shown, over these bytes\n\n")
	for _, h := range r.Headers {
		fmt.Fprintf(&b, "  %s: %s\n", h[0], h[1])
	}
	return b.String()
}

// dump writes offset, hex and text, 16 bytes a line.
func dump(b *strings.Builder, s string) {
	for at := 0; at < len(s); at += 16 {
		line := s[at:min(at+16, len(s))]
		text := strings.Map(func(r rune) rune {
			if r == '\n' {
				return '␊'
			}
			if r < ' ' || r > '~' {
				return '·'
			}
			return r
		}, string(bytesAsRunes(line)))
		fmt.Fprintf(b, "  %04x  %-47s  %s\n", at, strings.TrimSpace(fmt.Sprintf("% x", line)), text)
	}
}

// bytesAsRunes keeps one column for each byte.
func bytesAsRunes(s string) []rune {
	out := make([]rune, len(s))
	for i := range len(s) {
		out[i] = rune(s[i])
	}
	return out
}
