package client

import (
	"fmt"
	"io"
	"log/slog"
)

// Secret is a key's secret as it was shown to the operator. It is redacted when
// formatted, logged or encoded; string(s) reveals it.
type Secret string

const redacted = "[redacted]"

// String returns a text without the secret.
func (Secret) String() string { return redacted }

// Format writes the same for every verb.
func (Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, redacted) }

// LogValue implements slog.LogValuer.
func (Secret) LogValue() slog.Value { return slog.StringValue(redacted) }

// MarshalText implements encoding.TextMarshaler.
func (Secret) MarshalText() ([]byte, error) { return []byte(redacted), nil }
