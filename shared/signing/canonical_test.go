package signing_test

import (
	"errors"
	"strings"
	"testing"

	"touchline/shared/signing"
)

const hashOfNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

// everyByte yields all 256 of them.
func everyByte(yield func(byte) bool) {
	for b := byte(0); yield(b) && b < 255; b++ {
	}
}

// The table of read-api, Canonicalization examples, row by row.
func TestCanonicalQueryGivesTheExamplesOfTheContract(t *testing.T) {
	for sent, want := range map[string]string{
		"a=2&a=1":               "a=1&a=2",
		"a":                     "a=",
		"q=a%20b":               "q=a%20b",
		"q=a+b":                 "q=a%2Bb",
		"q=a%20b&q=a+b&q=a%20b": "q=a%20b&q=a%20b&q=a%2Bb",
		"q=!*'()":               "q=%21%2A%27%28%29",
		"q=~-._":                "q=~-._",
		"path=a%2fb":            "path=a%2Fb",
		"b=2&a=3&a=1&B=0&a=%7E": "B=0&a=1&a=3&a=~&b=2",
		"page=2&limit=10":       "limit=10&page=2",
	} {
		if got, err := signing.CanonicalQuery(sent); err != nil || got != want {
			t.Errorf("CanonicalQuery(%q) = %q, %v; want %q", sent, got, err, want)
		}
	}
}

func TestCanonicalQueryLeavesOnlyUnreservedBytesLiteral(t *testing.T) {
	const unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
	const digits = "0123456789ABCDEF"
	for b := range everyByte {
		escape := string([]byte{'%', digits[b>>4], digits[b&15]})
		want := escape
		if strings.IndexByte(unreserved, b) >= 0 {
			want = string([]byte{b})
		}
		for _, sent := range []string{escape, strings.ToLower(escape)} {
			if got, err := signing.CanonicalQuery("k=" + sent); err != nil || got != "k="+want {
				t.Errorf("CanonicalQuery(k=%s) = %q, %v; want k=%s", sent, got, err, want)
			}
		}
	}
}

func TestCanonicalPathOnlyRaisesTheDigitsOfEscapes(t *testing.T) {
	for _, c := range []struct{ name, sent, want string }{
		{"the example of the contract", "/v1/teams/a%2fb", "/v1/teams/a%2Fb"},
		{"an unreserved byte stays escaped", "/v1/%7ea", "/v1/%7Ea"},
		{"an escape is not opened twice", "/v1/%252f", "/v1/%252f"},
		{"both digits", "/v1/%ab%Cd%eF", "/v1/%AB%CD%EF"},
		{"letters outside escapes stay", "/v1/abc%2fdef", "/v1/abc%2Fdef"},
		{"a trailing slash counts", "/v1/matches/", "/v1/matches/"},
		{"dots and double slashes stay", "/v1//a/../b/.", "/v1//a/../b/."},
		{"reserved bytes stay", "/v1/!*'()+ ;=@", "/v1/!*'()+ ;=@"},
		{"bytes that are no UTF-8 stay", "/v1/\xff\x00", "/v1/\xff\x00"},
		{"empty", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := signing.CanonicalPath(c.sent); err != nil || got != c.want {
				t.Errorf("CanonicalPath(%q) = %q, %v; want %q", c.sent, got, err, c.want)
			}
		})
	}
}

func TestBodyHashIsLowerCaseHexOfSHA256(t *testing.T) {
	for _, c := range []struct {
		name string
		body []byte
		want string
	}{
		{"none", nil, hashOfNothing},
		{"empty", []byte{}, hashOfNothing},
		// FIPS 180-2, appendix B.1.
		{"abc", []byte("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := signing.BodyHash(c.body); got != c.want {
				t.Errorf("BodyHash = %s, want %s", got, c.want)
			}
		})
	}
}

func TestCanonicalJoinsSixFieldsWithoutATrailingLineFeed(t *testing.T) {
	for _, c := range []struct {
		name    string
		message signing.Message
		want    string
	}{
		{
			"a plain GET",
			signing.Message{Method: "GET", Path: "/v1/ping", Timestamp: "1700000000", Nonce: "n"},
			"GET\n/v1/ping\n\n1700000000\nn\n" + hashOfNothing,
		},
		{
			"the method is upper-cased",
			signing.Message{Method: "head", Path: "/v1/ping", Timestamp: "1", Nonce: "n"},
			"HEAD\n/v1/ping\n\n1\nn\n" + hashOfNothing,
		},
		{
			"path and query in their own form",
			signing.Message{Method: "GET", Path: "/v1/a%2fb", Query: "b=%2f&a", Timestamp: "007", Nonce: "~"},
			"GET\n/v1/a%2Fb\na=&b=%2F\n007\n~\n" + hashOfNothing,
		},
		{
			"a body",
			signing.Message{Method: "GET", Path: "/v1/ping", Timestamp: "1", Nonce: "n", Body: []byte("abc")},
			"GET\n/v1/ping\n\n1\nn\nba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := c.message.Canonical(); err != nil || got != c.want {
				t.Errorf("Canonical() = %q, %v; want %q", got, err, c.want)
			}
		})
	}
}

// A front door may hand on a decoded path, line feeds and all.
func TestALineFeedInThePathCannotPassForAnotherMessage(t *testing.T) {
	forged := signing.Message{Method: "GET", Path: "/v1/teams\na=1", Timestamp: "1", Nonce: "n"}
	honest := signing.Message{Method: "GET", Path: "/v1/teams", Query: "a=1", Timestamp: "1", Nonce: "n"}
	f, err := forged.Canonical()
	if err != nil {
		t.Fatal(err)
	}
	h, err := honest.Canonical()
	if err != nil {
		t.Fatal(err)
	}
	if f == h {
		t.Errorf("both messages are %q", f)
	}
}

func TestCheckEscapesFindsAMalformedEscapeAnywhere(t *testing.T) {
	for _, c := range []struct {
		name, target string
		want         error
	}{
		{"none", "/v1/ping?a=1", nil},
		{"empty", "", nil},
		{"well-formed in both cases", "/v1/%2f%2F?%aB=%Ba", nil},
		{"an escaped percent sign", "/v1/%25zz", nil},
		{"at the end", "/v1/ping?a=%", signing.ErrEscape},
		{"one digit at the end", "/v1/ping?a=%4", signing.ErrEscape},
		{"no digits", "/v1/%zz", signing.ErrEscape},
		{"second digit wrong", "/v1/%2g", signing.ErrEscape},
		{"a percent sign as a digit", "/v1/%2%20", signing.ErrEscape},
		{"doubled", "%%20", signing.ErrEscape},
		{"after a good one", "%20%", signing.ErrEscape},
		{"bytes next to the digits", "%/0%:0%@0%G0%`0%g0", signing.ErrEscape},
		{"a digit of another script", "%\u0661\u0661", signing.ErrEscape},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := signing.CheckEscapes(c.target); !errors.Is(err, c.want) {
				t.Errorf("CheckEscapes(%q) = %v, want %v", c.target, err, c.want)
			}
		})
	}
}

// No byte next to the digits' ranges may pass for one, in either place.
func TestCheckEscapesTakesHexDigitsOnly(t *testing.T) {
	const hexDigits = "0123456789abcdefABCDEF"
	for b := range everyByte {
		c := string([]byte{b})
		var want error
		if !strings.Contains(hexDigits, c) {
			want = signing.ErrEscape
		}
		for _, escape := range []string{"%" + c + "0", "%0" + c} {
			if err := signing.CheckEscapes(escape); !errors.Is(err, want) {
				t.Errorf("CheckEscapes(%q) = %v, want %v", escape, err, want)
			}
		}
	}
}
