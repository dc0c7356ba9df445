package protocol

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"

	"touchline/scripts/touchline/credentials"
	"touchline/scripts/touchline/terminal"
	"touchline/shared/signing"
)

// request is one signed request.
type request struct {
	message   signing.Message
	key       credentials.Profile
	headers   [4][2]string // name, value
	canonical string
}

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
func sign(c *terminal.Terminal, k credentials.KeyFlags, method, target, timestamp, nonce string) (request, error) {
	path, query, err := splitTarget(target)
	if err != nil {
		return request{}, err
	}
	r, err := signMessage(c, k, signing.Message{Method: method, Path: path, Query: query, Timestamp: timestamp, Nonce: nonce})
	if errors.Is(err, signing.ErrEscape) {
		return request{}, terminal.Usagef("%s: %w: a %% must be followed by two hex digits", target, err)
	}
	return r, err
}

// signMessage is sign for a message, whose target it does not change. Errors:
// signing.ErrEscape, or what is missing for signing.
func signMessage(c *terminal.Terminal, k credentials.KeyFlags, m signing.Message) (request, error) {
	key, err := k.Find(c)
	if err != nil {
		return request{}, err
	}
	if m.Timestamp == "" {
		m.Timestamp = strconv.FormatInt(c.Now().Unix(), 10)
	}
	if m.Nonce == "" {
		m.Nonce = newNonce()
	}
	r := request{message: m, key: key}
	if r.canonical, err = m.Canonical(); err != nil {
		return request{}, err
	}
	r.headers = [4][2]string{
		{signing.HeaderKey, key.KeyID},
		{signing.HeaderTimestamp, m.Timestamp},
		{signing.HeaderNonce, m.Nonce},
		{signing.HeaderSignature, signing.Sign(key.Secret, r.canonical)},
	}
	return r, nil
}

// newNonce makes a nonce of 16 random bytes.
func newNonce() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}
