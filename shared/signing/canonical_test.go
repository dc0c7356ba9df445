package signing_test

import (
	"errors"
	"strings"
	"testing"

	"touchline/shared/signing"
)

func TestCanonicalQueryLeavesOnlyUnreservedBytesLiteral(t *testing.T) {
	const unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
	const digits = "0123456789ABCDEF"
	for b := range 256 {
		escape := string([]byte{'%', digits[b>>4], digits[b&15]})
		want := escape
		if strings.IndexByte(unreserved, byte(b)) >= 0 {
			want = string([]byte{byte(b)})
		}
		for _, sent := range []string{escape, strings.ToLower(escape)} {
			if got, err := signing.CanonicalQuery("k=" + sent); err != nil || got != "k="+want {
				t.Errorf("CanonicalQuery(k=%s) = %q, %v; want k=%s", sent, got, err, want)
			}
		}
	}
}

// No byte next to the digits' ranges may pass for one, in either place.
func TestCheckEscapesTakesHexDigitsOnly(t *testing.T) {
	const hexDigits = "0123456789abcdefABCDEF"
	for b := range 256 {
		c := string([]byte{byte(b)})
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
