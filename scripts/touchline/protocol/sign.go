// Package protocol has the command that uses the signed protocol: get, which sends one
// signed request or explains how it is signed. A target may contain {KIND:KEY}
// instead of an id ([expand]).
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

// print shows the request that would be sent.
func (g *GetCommand) print(c *terminal.Terminal) error {
	target, err := expand(g.Target)
	if err != nil {
		return err
	}
	key, err := g.find(c)
	if err != nil {
		return err
	}
	r, err := sign(key, g.message(), target, c.Now())
	if err != nil {
		return err
	}
	if g.Event {
		return c.JSON(event(r, target))
	}
	c.Printf("%s", explain(r))
	return nil
}

// event is the request as a gateway hands it to a function.
func event(r signing.Signed, target string) map[string]any {
	path, query, _ := strings.Cut(target, "?")
	headers := map[string]string{}
	for _, h := range r.Headers {
		headers[strings.ToLower(h[0])] = h[1]
	}
	return map[string]any{
		"version": "2.0", "routeKey": "$default", "rawPath": path, "rawQueryString": query, "headers": headers, "isBase64Encoded": false,
		"requestContext": map[string]any{"stage": "$default", "http": map[string]string{"method": r.Method, "path": path, "sourceIp": "127.0.0.1"}},
	}
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
	m.Timestamp = cmp.Or(m.Timestamp, strconv.FormatInt(now.Unix(), 10))
	m.Nonce = cmp.Or(m.Nonce, rand.Text())
	r, err := m.Signed(key.id, key.secret)
	if errors.Is(err, signing.ErrEscape) {
		return r, terminal.Usagef("%s: %w: a %% must be followed by two hex digits", target, err)
	}
	return r, err
}
