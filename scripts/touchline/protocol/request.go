package protocol

import (
	"cmp"
	"crypto/rand"
	"errors"
	"strconv"
	"strings"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/signing"
)

// splitTarget splits PATH[?QUERY] at the first question mark.
func splitTarget(target string) (path, query string, err error) {
	path, query, _ = strings.Cut(target, "?")
	if !strings.HasPrefix(path, "/") {
		return "", "", terminal.Usagef("the path must begin with /, such as /v1/ping")
	}
	for i := range len(target) {
		if target[i] <= ' ' || target[i] >= 0x7f {
			return "", "", terminal.Usagef("byte %d of the path must be written as %%%02X", i, target[i])
		}
	}
	return path, query, nil
}

// sign makes the headers of a request. It generates timestamp and nonce if they
// are empty.
func sign(c *terminal.Terminal, key Profile, method, target, timestamp, nonce string) (signing.Signed, error) {
	path, query, err := splitTarget(target)
	if err != nil {
		return signing.Signed{}, err
	}
	r, err := signMessage(c, key, signing.Message{Method: method, Path: path, Query: query, Timestamp: timestamp, Nonce: nonce})
	if errors.Is(err, signing.ErrEscape) {
		return r, terminal.Usagef("%s: %w: a %% must be followed by two hex digits", target, err)
	}
	return r, err
}

// signMessage is sign for a message, whose target it does not change. The error is
// signing.ErrEscape.
func signMessage(c *terminal.Terminal, key Profile, m signing.Message) (signing.Signed, error) {
	m.Timestamp = cmp.Or(m.Timestamp, strconv.FormatInt(c.Now().Unix(), 10))
	m.Nonce = cmp.Or(m.Nonce, rand.Text())
	return m.Signed(key.KeyID, key.Secret)
}
