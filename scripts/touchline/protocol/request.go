package protocol

import (
	"cmp"
	"crypto/rand"
	"errors"
	"strconv"
	"strings"
	"time"

	"touchline/scripts/touchline/terminal"
	"touchline/shared/signing"
)

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
