package signing_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/signing"
)

func wellFormed() map[string]string {
	return map[string]string{
		signing.HeaderKey:       "tk_A-9",
		signing.HeaderTimestamp: "1700000000",
		signing.HeaderNonce:     "a.B_9~-",
		signing.HeaderSignature: strings.Repeat("0af9", 16),
	}
}

func parse(sent map[string]string) (signing.Headers, *signing.HeaderError) {
	return signing.ParseHeaders(func(name string) (string, bool) { v, ok := sent[name]; return v, ok })
}

func TestWellFormedHeadersAreTakenAsSent(t *testing.T) {
	for _, c := range []struct{ name, header, value string }{
		{"key of one character", signing.HeaderKey, "k"},
		{"key of 100 characters", signing.HeaderKey, strings.Repeat("k", 100)},
		{"key of every kind of character", signing.HeaderKey, "azAZ09_-"},
		{"timestamp of one digit", signing.HeaderTimestamp, "0"},
		{"timestamp of 12 digits", signing.HeaderTimestamp, "999999999999"},
		{"timestamp with leading zeros", signing.HeaderTimestamp, "001700000000"},
		{"nonce of one character", signing.HeaderNonce, "~"},
		{"nonce of 128 characters", signing.HeaderNonce, strings.Repeat("n", 128)},
		{"nonce of every kind of character", signing.HeaderNonce, "azAZ09_.~-"},
		{"signature of every digit", signing.HeaderSignature, strings.Repeat("0123456789abcdef", 4)},
	} {
		t.Run(c.name, func(t *testing.T) {
			sent := wellFormed()
			sent[c.header] = c.value
			got, err := parse(sent)
			if err != nil {
				t.Fatal(err)
			}
			want := signing.Headers{
				Key: sent[signing.HeaderKey], Timestamp: sent[signing.HeaderTimestamp],
				Nonce: sent[signing.HeaderNonce], Signature: sent[signing.HeaderSignature],
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The error names the header and the rule that it breaks, and does not show its value.
func TestMalformedHeadersAreRefused(t *testing.T) {
	signature := wellFormed()[signing.HeaderSignature]
	type malformed struct {
		name, header, value string
		want                signing.Rule
	}
	cases := []malformed{
		{"key over 100 characters", signing.HeaderKey, strings.Repeat("k", 101), signing.RuleLength},
		{"key with a dot", signing.HeaderKey, "a.b", signing.RuleCharacter},
		{"key with a tilde", signing.HeaderKey, "a~b", signing.RuleCharacter},
		{"key of another script", signing.HeaderKey, "k\u00e9y", signing.RuleCharacter},
		{"key repeated", signing.HeaderKey, "k,k", signing.RuleSingle},
		{"timestamp of 13 digits, in milliseconds", signing.HeaderTimestamp, "1700000000000", signing.RuleLength},
		{"timestamp signed", signing.HeaderTimestamp, "+170000000", signing.RuleCharacter},
		{"timestamp negative", signing.HeaderTimestamp, "-170000000", signing.RuleCharacter},
		{"timestamp with a fraction", signing.HeaderTimestamp, "17000000.5", signing.RuleCharacter},
		{"timestamp in hex", signing.HeaderTimestamp, "0x17", signing.RuleCharacter},
		{"timestamp in digits of another script", signing.HeaderTimestamp, "\u0661\u0662", signing.RuleCharacter},
		{"nonce over 128 characters", signing.HeaderNonce, strings.Repeat("n", 129), signing.RuleLength},
		{"nonce with a plus", signing.HeaderNonce, "a+b", signing.RuleCharacter},
		{"nonce with a line feed", signing.HeaderNonce, "a\nb", signing.RuleCharacter},
		{"signature upper-case", signing.HeaderSignature, strings.ToUpper(signature), signing.RuleCharacter},
		{"signature cut short", signing.HeaderSignature, signature[:63], signing.RuleLength},
		{"signature with one digit more", signing.HeaderSignature, signature + "0", signing.RuleLength},
		{"signature in base64", signing.HeaderSignature, "3q2+7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=", signing.RuleLength},
		{"signature repeated", signing.HeaderSignature, signature + "," + signature, signing.RuleSingle},
	}
	for header, good := range wellFormed() {
		cases = append(cases,
			malformed{header + " missing", header, "", signing.RuleMissing}, malformed{header + " empty", header, "", signing.RuleEmpty},
			malformed{header + " with a comma", header, good[1:] + ",", signing.RuleSingle}, malformed{header + " with a space", header, " " + good[1:], signing.RuleCharacter},
			malformed{header + " with a NUL", header, good[1:] + "\x00", signing.RuleCharacter}, malformed{header + " that is no UTF-8", header, good[1:] + "\xff", signing.RuleCharacter},
		)
	}
	for _, c := range cases {
		sent := wellFormed()
		if sent[c.header] = c.value; c.want == signing.RuleMissing {
			delete(sent, c.header)
		}
		h, err := parse(sent)
		if err == nil || h != (signing.Headers{}) || *err != (signing.HeaderError{Header: c.header, Rule: c.want}) {
			t.Errorf("%s: %+v, %v; want %s of %s", c.name, h, err, c.want, c.header)
		} else if len(c.value) > 1 && strings.Contains(err.Error(), c.value) {
			t.Errorf("%s: the value is shown: %v", c.name, err)
		}
	}
}

func TestATimestampIsFreshWithin300SecondsInclusive(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	for _, c := range []struct {
		name, timestamp string
		now             time.Time
		want            bool
	}{
		{"the same second", "1700000000", now, true},
		{"300 s behind", "1699999700", now, true},
		{"301 s behind", "1699999699", now, false},
		{"300 s ahead", "1700000300", now, true},
		{"301 s ahead", "1700000301", now, false},
		{"300 s behind, late in the server's second", "1699999700", now.Add(999 * time.Millisecond), true},
		{"301 s ahead, late in the server's second", "1700000301", now.Add(999 * time.Millisecond), false},
		{"leading zeros", "001700000000", now, true},
		{"the largest", "999999999999", now, false},
		{"zero", "0", now, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := signing.Fresh(c.timestamp, c.now); got != c.want {
				t.Errorf("Fresh(%q) = %v, want %v", c.timestamp, got, c.want)
			}
		})
	}
	for _, none := range []string{"", "+1700000000", "now", "1700000000000"} {
		if at, ok := signing.Time(none); ok || signing.Fresh(none, time.Unix(0, 0)) {
			t.Errorf("%q is %v", none, at)
		}
	}
}
