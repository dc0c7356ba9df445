package signing_test

import (
	"strings"
	"testing"

	"touchline/shared/signing"
)

// RFC 4231, test case 2: a key that is text, shorter than the digest.
func TestSignIsHMACSHA256(t *testing.T) {
	const want = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
	if got := signing.Sign("Jefe", "what do ya want for nothing?"); got != want {
		t.Errorf("Sign = %s, want %s", got, want)
	}
}

func TestVerifyTakesAnyOfTheSecretsAndNothingElse(t *testing.T) {
	const canonical = "GET\n/v1/ping\n\n1\nn\nhash"
	by := func(secret string) string { return signing.Sign(secret, canonical) }
	for _, c := range []struct {
		name      string
		secrets   []string
		signature string
		want      bool
	}{
		{"the secret", []string{"a"}, by("a"), true},
		{"the first of two", []string{"a", "b"}, by("a"), true},
		{"the second of two", []string{"a", "b"}, by("b"), true},
		{"the third of three", []string{"a", "b", "c"}, by("c"), true},
		{"the same secret twice", []string{"a", "a"}, by("a"), true},
		{"another secret", []string{"a"}, by("b"), false},
		{"a secret retired", []string{"b"}, by("a"), false},
		{"an unknown key", nil, by("a"), false},
		{"an unknown key, signed with nothing", nil, by(""), false},
		{"an empty secret", []string{""}, by(""), false},
		{"an empty secret and another", []string{"a", ""}, by(""), false},
		{"an unknown key, signed with the secret that spends time", nil, by(strings.Repeat("0", 43)), false},
		{"a known key, signed with the secret that spends time", []string{"a"}, by(strings.Repeat("0", 43)), false},
		{"upper-case hex", []string{"a"}, strings.ToUpper(by("a")), false},
		{"cut short", []string{"a"}, by("a")[:63], false},
		{"one more digit", []string{"a"}, by("a") + "0", false},
		{"empty", []string{"a"}, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := signing.Verify(c.secrets, canonical, c.signature); got != c.want {
				t.Errorf("Verify = %v, want %v", got, c.want)
			}
		})
	}
}

// Time itself is no test; what each case allocates is the number of codes made.
func TestVerifyDoesTheSameWorkWhateverIsKnown(t *testing.T) {
	const canonical = "GET\n/v1/ping\n\n1\nn\nhash"
	secret := strings.Repeat("s", 43)
	good := signing.Sign(secret, canonical)
	work := func(secrets []string, signature string) float64 {
		return testing.AllocsPerRun(100, func() { signing.Verify(secrets, canonical, signature) })
	}
	want := work([]string{secret}, good)
	if want == 0 {
		t.Fatal("nothing to compare by")
	}
	for _, c := range []struct {
		name      string
		secrets   []string
		signature string
	}{
		{"unknown key", nil, good},
		{"wrong secret", []string{"another secret of any length at all, as ever"}, good},
		{"rotated, the first matches", []string{secret, "other"}, good},
		{"rotated, the second matches", []string{"other", secret}, good},
		{"rotated, none matches", []string{"other", "third"}, good},
	} {
		if got := work(c.secrets, c.signature); got != want {
			t.Errorf("%s: %v allocations, %v for a known key", c.name, got, want)
		}
	}
}
