package keys

import (
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
)

// secretBytes is the randomness of a secret (design.md, Keys).
const secretBytes = 32

// Secret is a key's signing secret in the clear. Only Reveal gives it away:
// printing, logging or marshalling a Secret yields "[redacted]". The zero Secret
// is empty and verifies nothing.
type Secret struct {
	redacted
	value concealed[string] // nil: empty
}

// NewSecret makes a secret of 32 random bytes, written as base64url without
// padding (43 characters).
func NewSecret() Secret {
	return Secret{value: conceal(base64.RawURLEncoding.EncodeToString(randomBytes(secretBytes)))}
}

// SecretFrom wraps a secret that exists already. It refuses the empty string,
// with which anyone could sign.
func SecretFrom(s string) (Secret, error) {
	if s == "" {
		return Secret{}, errors.New("a secret must not be empty")
	}
	return Secret{value: conceal(s)}, nil
}

// Reveal gives the secret as shown to the operator. Its UTF-8 bytes are the HMAC
// key (D30).
func (s Secret) Reveal() string {
	if s.value == nil {
		return ""
	}
	return s.value()
}

// Equal compares two secrets in constant time.
func (s Secret) Equal(other Secret) bool {
	return subtle.ConstantTimeCompare([]byte(s.Reveal()), []byte(other.Reveal())) == 1
}

// concealed is a value behind a func, the one kind that fmt never looks into. It
// does look into unexported fields, by reflection and so without asking their
// methods, and into what a pointer points to where the verb does not fit one.
type concealed[T any] func() T

func conceal[T any](v T) concealed[T] { return func() T { return v } }

// redactedText stands for what must not be shown.
const redactedText = "[redacted]"

// redacted, embedded, answers every way to print a value with redactedText.
type redacted struct{}

// Format answers every verb of fmt.
func (redacted) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redactedText) }

// String is for callers that ask for a Stringer.
func (redacted) String() string { return redactedText }

// GoString is for callers that ask for a GoStringer.
func (redacted) GoString() string { return redactedText }

// LogValue is what slog writes.
func (redacted) LogValue() slog.Value { return slog.StringValue(redactedText) }

// MarshalJSON is what encoding/json writes.
func (redacted) MarshalJSON() ([]byte, error) { return []byte(`"` + redactedText + `"`), nil }

// MarshalText is what the other encoders write.
func (redacted) MarshalText() ([]byte, error) { return []byte(redactedText), nil }
