package jsonl

import (
	"bytes"
	"fmt"
	"net/url"
	"strconv"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"touchline/shared/dataset/slips"
	"touchline/shared/sport"
)

// MaxName bounds names and other short texts (D47), in characters after NFC.
const MaxName = 200

// Bounds of D47.
const (
	maxKey = 200  // characters, after NFC
	maxURL = 2048 // bytes
)

// Text reads a string of 1 to limit characters after NFC.
func (l *Line) Text(limit int) string {
	b, ok := l.chars()
	if !ok {
		return ""
	}
	if len(b) == 0 {
		l.Fault("", "must not be empty")
		return ""
	}
	return l.bounded(b, limit)
}

// Prose reads a string of 0 to limit characters after NFC.
func (l *Line) Prose(limit int) string {
	b, ok := l.chars()
	if !ok {
		return ""
	}
	return l.bounded(b, limit)
}

// bounded returns a text as it is given if D47 allows it; else it is empty.
func (l *Line) bounded(b []byte, limit int) string {
	if message := refused(b); message != "" {
		l.Fault("", message)
		return ""
	}
	if len(b) > limit && utf8.RuneCount(NFC(b)) > limit {
		l.Faultf("", "is longer than %d characters", limit)
		return ""
	}
	text := string(b)
	if message := slips.Wrong(text); message != "" {
		l.Fault("", message)
		return ""
	}
	if message := slips.Odd(text); message != "" {
		l.warn("", message, "")
	}
	return text
}

// chars reads a string; its bytes are valid until the next step.
func (l *Line) chars() ([]byte, bool) {
	if l.peek() != '"' {
		l.mistyped("must be a string")
		return nil, false
	}
	raw, ok := l.raw()
	if !ok {
		return nil, false
	}
	return l.unquoted(raw), true
}

// URL reads an absolute http or https URL.
func (l *Line) URL() string {
	b, ok := l.chars()
	if !ok {
		return ""
	}
	text := string(b)
	switch u, err := url.Parse(text); {
	case len(b) > maxURL:
		l.Faultf("", "is longer than %d bytes", maxURL)
	case refused(b) != "":
		l.Fault("", refused(b))
	case bytes.ContainsFunc(b, unicode.IsSpace):
		l.Fault("", "must be a URL without white space")
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		l.Fault("", "must be an absolute http or https URL, such as https://example.org/logo.png")
	case u.User != nil:
		l.Fault("", "must be a URL without a user name or password")
	default:
		return text
	}
	return ""
}

// refused says what a text holds that D47 forbids; it is empty for a good text.
func refused(b []byte) string {
	for i := 0; i < len(b); {
		r, size := rune(b[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(b[i:])
		}
		switch {
		case r == '\t':
			return "holds a tab: put a space in its place"
		case r == '\n', r == '\r':
			return "holds a line break: put a space in its place"
		case r < 0x20, r >= 0x7f && r <= 0x9f:
			return fmt.Sprintf("holds the control character %U", r)
		case r == 0x2028, r == 0x2029:
			return fmt.Sprintf("holds the line or paragraph separator %U", r)
		case r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return fmt.Sprintf("holds %U, which changes the direction of the text around it", r)
		}
		i += size
	}
	return ""
}

// NFC returns a text in Unicode normalization form C.
func NFC(b []byte) []byte { return norm.NFC.Bytes(b) }

// Key reads a key or an id (dataset.md, Ids), in NFC (D47); false if it is faulty.
func (l *Line) Key() ([]byte, bool) {
	b, ok := l.chars()
	if !ok {
		return nil, false
	}
	b = NFC(b)
	switch {
	case len(b) == 0:
		l.Fault("", "is empty: an id has 1 to "+strconv.Itoa(maxKey)+" characters")
	case utf8.RuneCount(b) > maxKey:
		l.Faultf("", "must have 1 to %d characters", maxKey)
	case bytes.ContainsAny(b, "\r\n"):
		l.Fault("", "holds a line break: take it out")
	case refused(b) != "":
		l.Fault("", refused(b))
	case len(bytes.TrimSpace(b)) < len(b):
		l.Fault("", "must not begin or end with white space")
	case slips.WrongKey(string(b)) != "":
		l.Fault("", slips.WrongKey(string(b)))
	default:
		if message := slips.Odd(string(b)); message != "" {
			l.warn("", message, "")
		}
		return b, true
	}
	return nil, false
}

// ID reads the id of a record of a kind, and returns it with the key as it was
// given.
func (l *Line) ID(kind sport.Kind) (sport.ID, string) {
	b, ok := l.Key()
	if !ok {
		return "", ""
	}
	return l.ids.Add(kind, b), string(b)
}

// Ref reads a reference to a record of a kind.
func (l *Line) Ref(kind sport.Kind) sport.ID {
	b, ok := l.Key()
	if !ok {
		return ""
	}
	return l.ids.Add(kind, b)
}
