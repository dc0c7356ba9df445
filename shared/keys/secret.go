package keys

import (
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
)

// secretBytes is how many random bytes a secret has (design.md, Keys).
const secretBytes = 32

// Secret is the signing secret of a key, in the clear. Only Reveal returns it:
// printing, logging or marshalling a Secret gives "[redacted]". The zero Secret
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

// SecretFrom wraps an existing secret. It refuses the empty string, with which
// anybody could sign.
func SecretFrom(s string) (Secret, error) {
	if s == "" {
		return Secret{}, errors.New("a secret must not be empty")
	}
	return Secret{value: conceal(s)}, nil
}

// Reveal returns the secret as the operator sees it. Its UTF-8 bytes are the
// HMAC key (D30).
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

// concealed is a value behind a func, which is the only kind of value that fmt
// never looks into. It does look into unexported fields, by reflection, and so
// without calling their methods, and into what a pointer points to if the verb
// does not apply to the pointer.
type concealed[T any] func() T

func conceal[T any](v T) concealed[T] { return func() T { return v } }

// redactedText is printed instead of a secret.
const redactedText = "[redacted]"

// redacted, when embedded, makes every way of printing a value print
// redactedText.
type redacted struct{}

// Format implements fmt.Formatter for every verb.
func (redacted) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redactedText) }

// String implements fmt.Stringer.
func (redacted) String() string { return redactedText }

// GoString implements fmt.GoStringer.
func (redacted) GoString() string { return redactedText }

// LogValue implements slog.LogValuer.
func (redacted) LogValue() slog.Value { return slog.StringValue(redactedText) }

// MarshalJSON implements json.Marshaler.
func (redacted) MarshalJSON() ([]byte, error) { return []byte(`"` + redactedText + `"`), nil }

// MarshalText implements encoding.TextMarshaler, for the other encoders.
func (redacted) MarshalText() ([]byte, error) { return []byte(redactedText), nil }
