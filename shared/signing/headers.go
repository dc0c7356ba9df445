package signing

import (
	"strconv"
	"strings"
	"time"
)

// The names of the headers of a signed request, each sent once. Names are
// case-insensitive (D6).
const (
	HeaderKey       = "X-Service-Key"
	HeaderTimestamp = "X-Service-Timestamp"
	HeaderNonce     = "X-Service-Nonce"
	HeaderSignature = "X-Service-Signature"
)

// Signed is a request with the string that was signed, and the headers that it is sent
// with: name and value.
type Signed struct {
	Message
	Canonical string
	Headers   [4][2]string
}

// Signed signs the request with a key. The error is ErrEscape.
func (m Message) Signed(keyID, secret string) (Signed, error) {
	text, err := m.Canonical()
	return Signed{m, text, [4][2]string{
		{HeaderKey, keyID}, {HeaderTimestamp, m.Timestamp}, {HeaderNonce, m.Nonce}, {HeaderSignature, Sign(secret, text)},
	}}, err
}

// Longest values, in characters (read-api, Request headers; D6). All are under
// the general bound of 200, which therefore needs no check of its own.
const (
	maxKey       = 100
	maxTimestamp = 12
	maxNonce     = 128
	lenSignature = 2 * 32 // hex of a SHA-256
)

// Skew is how far a timestamp may be from the server's clock, either way and
// inclusive (read-api, Request headers).
const Skew = 300 * time.Second

// HeaderError is a header that is missing, repeated or not of its form: a 401 with reason
// malformedHeader (D1 step 7). It says more than a caller learns.
type HeaderError struct {
	Header string // its name
	Rule   Rule   // that it breaks
}

// Error implements error. It does not show the value.
func (e *HeaderError) Error() string { return e.Header + " is malformed: " + string(e.Rule) }

// Rule is what a header breaks.
type Rule string

// The rules, in the order in which they are looked at.
const (
	RuleMissing   Rule = "missing"
	RuleEmpty     Rule = "empty"
	RuleSingle    Rule = "repeated"  // sent more than once, or with a comma in it
	RuleLength    Rule = "length"    // too long, or a signature of another length than 64
	RuleCharacter Rule = "character" // holds one that its form does not allow
)

// Rules lists the rules.
func Rules() []Rule {
	return []Rule{RuleMissing, RuleEmpty, RuleSingle, RuleLength, RuleCharacter}
}

// brokenRule is the first rule that a malformed value breaks.
func brokenRule(value string, present bool, shortest, longest int) Rule {
	switch {
	case !present:
		return RuleMissing
	case value == "":
		return RuleEmpty
	case strings.Contains(value, ","):
		return RuleSingle
	case len(value) < shortest || len(value) > longest:
		return RuleLength
	}
	return RuleCharacter
}

// Headers are the values of the four headers, each of the form that read-api
// states for it. ParseHeaders makes them.
type Headers struct {
	Key, Timestamp, Nonce, Signature string
}

// ParseHeaders reads the four headers with get, which looks a name up without
// regard to case and returns its raw value; of a header sent more than once it
// gives the values joined by a comma. No header's form allows a comma, so both
// faults show as one. The error is about the first of them that is malformed.
func ParseHeaders(get func(name string) (value string, present bool)) (Headers, *HeaderError) {
	var h Headers
	for _, f := range [...]struct {
		name   string
		value  *string
		min    int
		max    int
		allows func(byte) bool
	}{
		{HeaderKey, &h.Key, 1, maxKey, isKeyByte},
		{HeaderTimestamp, &h.Timestamp, 1, maxTimestamp, isDigit},
		{HeaderNonce, &h.Nonce, 1, maxNonce, isUnreserved},
		{HeaderSignature, &h.Signature, lenSignature, lenSignature, isLowerHex},
	} {
		v, present := get(f.name)
		if !present || len(v) < f.min || len(v) > f.max || !all(v, f.allows) {
			return Headers{}, &HeaderError{f.name, brokenRule(v, present, f.min, f.max)}
		}
		*f.value = v
	}
	return h, nil
}

// Time returns the moment a timestamp header names, Unix time in whole seconds,
// and false for what is not 1 to 12 decimal digits.
func Time(timestamp string) (time.Time, bool) {
	seconds, err := strconv.ParseUint(timestamp, 10, 63) // takes no sign
	if err != nil || len(timestamp) > maxTimestamp {
		return time.Time{}, false
	}
	return time.Unix(int64(seconds), 0), true // #nosec G115 -- 63 bits
}

// Fresh reports whether timestamp is within Skew of now, inclusive both ways
// (D1 step 9). Both are compared as Unix time in whole seconds, the precision of the
// header, so that the fraction of now does not narrow one side.
func Fresh(timestamp string, now time.Time) bool {
	sent, ok := Time(timestamp)
	if !ok {
		return false
	}
	const skew = int64(Skew / time.Second)
	apart := now.Unix() - sent.Unix()
	return -skew <= apart && apart <= skew
}

func isKeyByte(c byte) bool { return isAlphanumeric(c) || c == '_' || c == '-' }

func isLowerHex(c byte) bool { return isDigit(c) || 'a' <= c && c <= 'f' }

func all(s string, allows func(byte) bool) bool {
	for i := range len(s) {
		if !allows(s[i]) {
			return false
		}
	}
	return true
}
