package main

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"strconv"
	"strings"

	"touchline/shared/signing"
)

// keyFlags name the key that signs. The secret has no flag: an argument is
// seen by every user of the machine.
type keyFlags struct {
	KeyID string `name:"key-id" env:"TOUCHLINE_KEY_ID" placeholder:"ID" help:"Id of the key that signs; its secret is read from TOUCHLINE_SECRET."`
}

// secretVariable holds the secret of the key that signs.
const secretVariable = "TOUCHLINE_SECRET"

func (k keyFlags) secret(c *console) (string, error) {
	secret := c.Getenv(secretVariable)
	switch {
	case k.KeyID == "":
		return "", errors.New("no key: set TOUCHLINE_KEY_ID and TOUCHLINE_SECRET to those of a key (touchline keys create makes one)")
	case secret == "":
		return "", errors.New("no secret: set TOUCHLINE_SECRET to that of key " + k.KeyID)
	}
	return secret, nil
}

// request is one signed request.
type request struct {
	message   signing.Message
	headers   [4][2]string // name, value
	canonical string
}

// splitTarget takes PATH[?QUERY] apart at the first question mark.
func splitTarget(target string) (path, query string, err error) {
	path, query, _ = strings.Cut(target, "?")
	if !strings.HasPrefix(path, "/") {
		return "", "", usagef("the path must begin with /, such as /v1/ping")
	}
	for i := range len(target) {
		if target[i] <= ' ' || target[i] >= 0x7f {
			return "", "", usagef("byte %d of the path must be written as %%%02X", i, target[i])
		}
	}
	return path, query, nil
}

// sign makes the headers of a request. Timestamp and nonce are made where
// empty.
func (k keyFlags) sign(c *console, method, target, timestamp, nonce string) (request, error) {
	path, query, err := splitTarget(target)
	if err != nil {
		return request{}, err
	}
	r, err := k.signMessage(c, signing.Message{Method: method, Path: path, Query: query, Timestamp: timestamp, Nonce: nonce})
	if errors.Is(err, signing.ErrEscape) {
		return request{}, usagef("%s: %w: a %% must be followed by two hex digits", target, err)
	}
	return r, err
}

// signMessage is sign for a message, whose target is taken as it is. Errors:
// signing.ErrEscape, or what is missing to sign.
func (k keyFlags) signMessage(c *console, m signing.Message) (request, error) {
	secret, err := k.secret(c)
	if err != nil {
		return request{}, err
	}
	if m.Timestamp == "" {
		m.Timestamp = strconv.FormatInt(c.Now().Unix(), 10)
	}
	if m.Nonce == "" {
		m.Nonce = newNonce()
	}
	r := request{message: m}
	if r.canonical, err = m.Canonical(); err != nil {
		return request{}, err
	}
	r.headers = [4][2]string{
		{signing.HeaderKey, k.KeyID},
		{signing.HeaderTimestamp, m.Timestamp},
		{signing.HeaderNonce, m.Nonce},
		{signing.HeaderSignature, signing.Sign(secret, r.canonical)},
	}
	return r, nil
}

// newNonce makes a nonce of 16 random bytes.
func newNonce() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails
	return base64.RawURLEncoding.EncodeToString(b)
}
