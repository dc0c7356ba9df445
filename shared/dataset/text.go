package dataset

import (
	"bytes"
	"fmt"
	"net/url"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"touchline/shared/sport"
)

// Bounds of texts (D47), in characters after NFC; a URL's in bytes.
const (
	maxKey         = 200
	maxName        = 200
	maxDescription = 2000
	maxFormation   = 20
	maxGrid        = 7
	maxURL         = 2048
)

// text reads a string of 1 to limit characters; empty where it is faulty.
func (l *line) text(limit int) string {
	b, ok := l.chars()
	if !ok {
		return ""
	}
	if len(b) == 0 {
		l.fault("", "must not be empty")
		return ""
	}
	return l.bounded(b, limit)
}

// prose reads a string of 0 to limit characters.
func (l *line) prose(limit int) string {
	b, ok := l.chars()
	if !ok {
		return ""
	}
	return l.bounded(b, limit)
}

// bounded gives a text as it stands if D47 lets it pass; else it is empty.
func (l *line) bounded(b []byte, limit int) string {
	if message := refused(b); message != "" {
		l.fault("", message)
		return ""
	}
	if len(b) > limit && utf8.RuneCount(composed(b)) > limit {
		l.faultf("", "is longer than %d characters", limit)
		return ""
	}
	return string(b)
}

// chars reads a string; its bytes are valid until the next step.
func (l *line) chars() ([]byte, bool) {
	if l.peek() != '"' {
		l.wrong("must be a string")
		return nil, false
	}
	raw, ok := l.raw()
	if !ok {
		return nil, false
	}
	return l.unquoted(raw), true
}

// url reads an absolute http or https URL; empty where it is faulty.
func (l *line) url() string {
	b, ok := l.chars()
	if !ok {
		return ""
	}
	text := string(b)
	switch u, err := url.Parse(text); {
	case len(b) > maxURL:
		l.faultf("", "is longer than %d bytes", maxURL)
	case refused(b) != "":
		l.fault("", refused(b))
	case bytes.ContainsFunc(b, unicode.IsSpace):
		l.fault("", "must be a URL without white space")
	case err != nil, u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		l.fault("", "must be an absolute http or https URL, such as https://example.org/logo.png")
	case u.User != nil:
		l.fault("", "must be a URL without a user name or password")
	default:
		return text
	}
	return ""
}

// refused says what a text holds that D47 forbids; empty: nothing.
func refused(b []byte) string {
	for i := 0; i < len(b); {
		r, size := rune(b[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(b[i:])
		}
		switch {
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

// composed gives a text in NFC.
func composed(b []byte) []byte {
	if ascii(b) {
		return b
	}
	return norm.NFC.Bytes(b)
}

func ascii(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// key reads a key or an id as dataset.md's Ids says, in NFC (D47); false where
// it is faulty.
func (l *line) key() ([]byte, bool) {
	b, ok := l.chars()
	if !ok {
		return nil, false
	}
	b = composed(b)
	n := utf8.RuneCount(b)
	switch {
	case n < 1 || n > maxKey:
		l.faultf("", "must have 1 to %d characters", maxKey)
	case refused(b) != "":
		l.fault("", refused(b))
	case len(bytes.TrimSpace(b)) < len(b):
		l.fault("", "must not begin or end with white space")
	default:
		return b, true
	}
	return nil, false
}

// ID gives the id of what an operator calls key, as reading a dataset does: of
// its NFC form (D47). The same key gives the same id however it was typed.
func ID(kind sport.Kind, key string) sport.ID {
	return sport.IDFor(kind, norm.NFC.String(key))
}

// id reads the id of a record of a kind: the id and the key as it was given.
func (l *line) id(kind sport.Kind) (sport.ID, string) {
	b, ok := l.key()
	if !ok {
		return "", ""
	}
	return l.names.add(kind, b)
}

// ref reads a reference to a record of a kind; empty where it is faulty.
func (l *line) ref(kind sport.Kind) sport.ID {
	id, _ := l.id(kind)
	return id
}
