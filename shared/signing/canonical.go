package signing

import (
	"cmp"
	"errors"
	"slices"
	"strings"
)

// ErrEscape is a percent sign that two hex digits do not follow: a 400, not a
// 401 (read-api, Failure behaviour 1; D1 step 3).
var ErrEscape = errors.New("malformed percent-encoding")

// emptyHash is the SHA-256 of no bytes, the BODY_HASH of every request that the
// service accepts.
const emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

const upperHex = "0123456789ABCDEF"

// Message is a request as the signature sees it, which has no body.
type Message struct {
	// Method is the HTTP method, in any case.
	Method string
	// Path is the path as sent, from /v1, without the query.
	Path string
	// Query is what follows the question mark, as sent; empty without one.
	Query string
	// Timestamp and Nonce are the header values as sent.
	Timestamp, Nonce string
}

// Canonical returns the string that is signed: six fields, five line feeds, none
// at the end (read-api, Canonical string). The error is ErrEscape.
func (m Message) Canonical() (string, error) {
	path, err := CanonicalPath(m.Path)
	if err != nil {
		return "", err
	}
	query, err := CanonicalQuery(m.Query)
	if err != nil {
		return "", err
	}
	fields := []string{strings.ToUpper(m.Method), path, query, m.Timestamp, m.Nonce, emptyHash}
	return strings.Join(fields, "\n"), nil
}

// CanonicalPath returns the PATH field: raw with the hex digits of its percent
// escapes in upper case, and nothing else changed. The error is ErrEscape.
func CanonicalPath(raw string) (string, error) {
	if err := CheckEscapes(raw); err != nil {
		return "", err
	}
	if strings.IndexByte(raw, '%') < 0 {
		return raw, nil
	}
	path := []byte(raw)
	for i := range path {
		if path[i] == '%' {
			path[i+1], path[i+2] = upperHex[unhex(path[i+1])], upperHex[unhex(path[i+2])]
		}
	}
	return string(path), nil
}

// CanonicalQuery returns the SORTED_ENCODED_QUERY field of raw, the part after
// the question mark. The error is ErrEscape.
func CanonicalQuery(raw string) (string, error) {
	if err := CheckEscapes(raw); err != nil {
		return "", err
	}
	pairs := pairsOf(raw)
	slices.SortFunc(pairs, comparePairs)
	return joinPairs(pairs), nil
}

// CheckEscapes reports ErrEscape if a percent sign in s, a path, a query or a
// whole request target, is not followed by two hex digits (D1 step 3).
func CheckEscapes(s string) error {
	for {
		i := strings.IndexByte(s, '%')
		if i < 0 {
			return nil
		}
		if len(s) < i+3 || !isHex(s[i+1]) || !isHex(s[i+2]) {
			return ErrEscape
		}
		s = s[i+3:]
	}
}

// pair is a query parameter, key and value encoded.
type pair struct{ key, value string }

// pairsOf are the parameters of a query in the order sent. Its escapes have been checked.
func pairsOf(raw string) []pair {
	pairs := make([]pair, 0, strings.Count(raw, "&")+1)
	for part := range strings.SplitSeq(raw, "&") {
		if part == "" {
			continue
		}
		key, value, _ := strings.Cut(part, "=")
		pairs = append(pairs, pair{key: encode(key), value: encode(value)})
	}
	return pairs
}

// comparePairs orders by encoded key, then by encoded value, byte by byte. The
// joined text would not do: "=" sorts after "-", so a-b=1 would precede a=2.
func comparePairs(a, b pair) int {
	return cmp.Or(strings.Compare(a.key, b.key), strings.Compare(a.value, b.value))
}

func joinPairs(pairs []pair) string {
	size := 0
	for _, p := range pairs {
		size += len(p.key) + len(p.value) + len("=&")
	}
	var b strings.Builder
	b.Grow(size)
	for i, p := range pairs {
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(p.key)
		b.WriteByte('=')
		b.WriteString(p.value)
	}
	return b.String()
}

// encode percent-decodes s and encodes it again: A-Z a-z 0-9 - . _ ~ stay, every
// other byte becomes an escape with upper-case digits; a plus is a plus (RFC
// 3986). The escapes of s have been checked.
func encode(s string) string {
	if all(s, isUnreserved) {
		return s
	}
	var b strings.Builder
	b.Grow(3 * len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '%' {
			c = unhex(s[i+1])<<4 | unhex(s[i+2])
			i += 2
		}
		if isUnreserved(c) {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(upperHex[c>>4])
		b.WriteByte(upperHex[c&0x0f])
	}
	return b.String()
}

func isUnreserved(c byte) bool {
	return isAlphanumeric(c) || c == '-' || c == '.' || c == '_' || c == '~'
}

func isAlphanumeric(c byte) bool {
	return isDigit(c) || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHex(c byte) bool {
	return isDigit(c) || 'A' <= c && c <= 'F' || 'a' <= c && c <= 'f'
}

// unhex returns the value of a hex digit.
func unhex(c byte) byte {
	switch {
	case c >= 'a':
		return c - 'a' + 10
	case c >= 'A':
		return c - 'A' + 10
	}
	return c - '0'
}
