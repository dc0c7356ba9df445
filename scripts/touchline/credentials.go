package main

import (
	"cmp"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"touchline/shared/keys"
	"touchline/shared/service"
	"touchline/shared/signing"
)

// keyFlags name the key that signs. The secret has no flag: an argument is
// seen by every user of the machine.
type keyFlags struct {
	KeyID string `name:"key-id" env:"TOUCHLINE_KEY_ID" placeholder:"ID" help:"Id of the key that signs; its secret is read from TOUCHLINE_SECRET, or from the profile that has the key."`
	As    string `name:"as" placeholder:"NAME" help:"Profile whose key signs: see touchline login (default: the key of the environment, else the profile default)."`
}

// The variables that hold the secret of the key that signs, and the address of
// the service.
const (
	secretVariable  = "TOUCHLINE_SECRET"
	baseURLVariable = "TOUCHLINE_BASE_URL"
)

func checkKeyID(id string) error {
	if !keys.IsID(id) {
		return usagef("key id %q: want 1 to 100 of A-Z a-z 0-9 _ and -", id)
	}
	return nil
}

// credentials finds the key that signs: that of the profile named, else the one
// of flag and environment, else that of the default profile.
func (k keyFlags) credentials(c *console) (profile, error) {
	secret := c.Getenv(secretVariable)
	if k.As == "" && k.KeyID != "" && secret != "" {
		return profile{KeyID: k.KeyID, Secret: secret}, checkKeyID(k.KeyID)
	}
	path, err := credentialsPath()
	if err != nil {
		return profile{}, err
	}
	all, err := readProfiles(path)
	if err != nil {
		return profile{}, err
	}
	switch {
	case k.As != "":
		p, ok := all[k.As]
		if !ok {
			return profile{}, all.unknown(k.As)
		}
		return p, nil
	case k.KeyID != "":
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if all[name].KeyID == k.KeyID {
				return all[name], nil
			}
		}
		return profile{}, fmt.Errorf("no secret of key %s: set %s, or keep it with `touchline login --key-id %[1]s`", k.KeyID, secretVariable)
	}
	if p, ok := all[defaultProfile]; ok {
		return p, nil
	}
	return profile{}, errors.New("no key: run `touchline login`, or set TOUCHLINE_KEY_ID and TOUCHLINE_SECRET (touchline keys create makes a key)")
}

// baseURL is the address of the service: the one given, that of the profile
// named, of the environment, of the default profile, else serve's.
func (k keyFlags) baseURL(c *console, given string, p profile) string {
	if k.As != "" {
		return cmp.Or(given, p.BaseURL, c.Getenv(baseURLVariable), "http://"+defaultAddr)
	}
	return cmp.Or(given, c.Getenv(baseURLVariable), p.BaseURL, "http://"+defaultAddr)
}

func isWebURL(text string) bool { return service.IsURL(text) }

// request is one signed request.
type request struct {
	message   signing.Message
	key       profile
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
	key, err := k.credentials(c)
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
