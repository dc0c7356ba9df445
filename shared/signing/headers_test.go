package signing_test

import (
	"errors"
	"maps"
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

func parse(sent map[string]string) (signing.Headers, error) {
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

func TestMalformedHeadersAreRefused(t *testing.T) {
	signature := wellFormed()[signing.HeaderSignature]
	cases := []struct{ name, header, value string }{
		{"key over 100 characters", signing.HeaderKey, strings.Repeat("k", 101)},
		{"key with a dot", signing.HeaderKey, "a.b"},
		{"key with a tilde", signing.HeaderKey, "a~b"},
		{"key of another script", signing.HeaderKey, "k\u00e9y"},
		{"key repeated", signing.HeaderKey, "k,k"},
		{"timestamp of 13 digits, in milliseconds", signing.HeaderTimestamp, "1700000000000"},
		{"timestamp signed", signing.HeaderTimestamp, "+170000000"},
		{"timestamp negative", signing.HeaderTimestamp, "-170000000"},
		{"timestamp with a fraction", signing.HeaderTimestamp, "1700000000.5"},
		{"timestamp in hex", signing.HeaderTimestamp, "0x17"},
		{"timestamp in digits of another script", signing.HeaderTimestamp, "\u0661\u0662"},
		{"nonce over 128 characters", signing.HeaderNonce, strings.Repeat("n", 129)},
		{"nonce over 200 characters", signing.HeaderNonce, strings.Repeat("n", 201)},
		{"nonce with a plus", signing.HeaderNonce, "a+b"},
		{"nonce with a line feed", signing.HeaderNonce, "a\nb"},
		{"nonce with a comma", signing.HeaderNonce, "a,b"},
		{"signature upper-case", signing.HeaderSignature, strings.ToUpper(signature)},
		{"signature cut short", signing.HeaderSignature, signature[:63]},
		{"signature with one digit more", signing.HeaderSignature, signature + "0"},
		{"signature in base64", signing.HeaderSignature, "3q2+7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="},
		{"signature repeated", signing.HeaderSignature, signature + "," + signature},
	}
	for header := range maps.Keys(wellFormed()) {
		cases = append(cases, []struct{ name, header, value string }{
			{header + " empty", header, ""},
			{header + " a comma", header, ","},
			{header + " with a leading space", header, " 1"},
			{header + " with a trailing space", header, "1 "},
			{header + " with a NUL", header, "1\x00"},
			{header + " that is no UTF-8", header, "\xff"},
		}...)
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			sent := wellFormed()
			sent[c.header] = c.value
			got, err := parse(sent)
			if !errors.Is(err, signing.ErrMalformedHeader) || got != (signing.Headers{}) {
				t.Errorf("%s %q: %+v, %v; want ErrMalformedHeader", c.header, c.value, got, err)
			}
		})
	}
}

func TestEveryHeaderIsRequired(t *testing.T) {
	for header := range maps.Keys(wellFormed()) {
		sent := wellFormed()
		delete(sent, header)
		if _, err := parse(sent); !errors.Is(err, signing.ErrMalformedHeader) {
			t.Errorf("without %s: %v, want ErrMalformedHeader", header, err)
		}
	}
}

func TestTheErrorNamesTheHeaderAndItsRuleNotItsValue(t *testing.T) {
	const secret = "hunter2"
	for _, c := range []struct {
		name, header, value string
		want                signing.Rule
	}{
		{"empty", signing.HeaderKey, "", signing.RuleEmpty},
		{"repeated", signing.HeaderNonce, secret + "," + secret, signing.RuleSingle},
		{"milliseconds", signing.HeaderTimestamp, "1700000000000", signing.RuleLength},
		{"a short signature", signing.HeaderSignature, "ab", signing.RuleLength},
		{"a long key", signing.HeaderKey, strings.Repeat(secret, 20), signing.RuleLength},
		{"a space", signing.HeaderKey, secret + " ", signing.RuleCharacter},
		{"capitals", signing.HeaderSignature, strings.Repeat("AB", 32), signing.RuleCharacter},
	} {
		t.Run(c.name, func(t *testing.T) {
			sent := wellFormed()
			sent[c.header] = c.value
			_, err := parse(sent)
			got, ok := errors.AsType[*signing.HeaderError](err)
			if !ok || got.Header != c.header || got.Rule != c.want {
				t.Errorf("%v, want %s of %s", err, c.want, c.header)
			}
			if err != nil && strings.Contains(err.Error(), secret) {
				t.Errorf("the value is shown: %v", err)
			}
		})
	}
	sent := wellFormed()
	delete(sent, signing.HeaderNonce)
	_, err := parse(sent)
	if got, ok := errors.AsType[*signing.HeaderError](err); !ok || *got != (signing.HeaderError{Header: signing.HeaderNonce, Rule: signing.RuleMissing}) {
		t.Errorf("%v", err)
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
		{"milliseconds", "1700000000000", now, false},
		{"empty", "", now, false},
		{"signed", "+1700000000", now, false},
		{"no number", "now", now, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := signing.Fresh(c.timestamp, c.now); got != c.want {
				t.Errorf("Fresh(%q) = %v, want %v", c.timestamp, got, c.want)
			}
		})
	}
}

func TestTimeReadsUnixSeconds(t *testing.T) {
	if got, ok := signing.Time("1700000000"); !ok || !got.Equal(time.Date(2023, 11, 14, 22, 13, 20, 0, time.UTC)) {
		t.Errorf("Time = %v, %v", got, ok)
	}
	for _, malformed := range []string{"", "-1", "1700000000000", "1e9", "1 "} {
		if got, ok := signing.Time(malformed); ok || !got.IsZero() {
			t.Errorf("Time(%q) = %v, %v; want none", malformed, got, ok)
		}
	}
}
