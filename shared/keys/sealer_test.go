package keys_test

import (
	"bytes"
	"encoding/hex"
	"errors"
	"testing"

	"touchline/shared/keys"
)

// TestLocalSealerOpensOnlyWhatItSealed, for the same key id and unchanged.
func TestLocalSealerOpensOnlyWhatItSealed(t *testing.T) {
	sealer, secret := newSealer(), []byte("the secret")
	other, err := keys.NewLocalSealer("ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=")
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := sealer.Seal(t.Context(), "tk_1", secret)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := sealer.Open(t.Context(), "tk_1", sealed); err != nil || !bytes.Equal(got, secret) {
		t.Fatalf("a round trip fails: %v", err)
	}
	if bytes.Contains(sealed, secret) {
		t.Fatal("the secret is in the clear")
	}
	again, err := sealer.Seal(t.Context(), "tk_1", secret)
	if err != nil || bytes.Equal(sealed, again) {
		t.Fatalf("the same twice: no random nonce (%v)", err)
	}
	type opening struct {
		sealer keys.Sealer
		id     string
		sealed []byte
	}
	cases := map[string]opening{
		"another key id":         {sealer, "tk_2", sealed},
		"no key id":              {sealer, "", sealed},
		"another master key":     {other, "tk_1", sealed},
		"nothing":                {sealer, "tk_1", nil},
		"one byte short":         {sealer, "tk_1", sealed[:len(sealed)-1]},
		"one byte long":          {sealer, "tk_1", append(bytes.Clone(sealed), 0)},
		"cut to version, nonce":  {sealer, "tk_1", sealed[:13]},
		"two sealed, joined":     {sealer, "tk_1", append(bytes.Clone(sealed), again...)},
		"the nonce of the other": {sealer, "tk_1", append(bytes.Clone(again[:13]), sealed[13:]...)},
	}
	for i := range sealed {
		flipped := bytes.Clone(sealed)
		flipped[i] ^= 0x80
		cases["byte "+string(rune('A'+i))+" flipped"] = opening{sealer, "tk_1", flipped}
	}
	for name, c := range cases {
		if got, err := c.sealer.Open(t.Context(), c.id, c.sealed); !errors.Is(err, keys.ErrSealed) || got != nil {
			t.Errorf("%s: got %d bytes and %v, want ErrSealed", name, len(got), err)
		}
	}
}

// TestLocalSealerOpensWhatEarlierVersionsSealed fixes the stored format: master
// key 00..1f, nonce 00..0b, made by another implementation of AES-256-GCM.
func TestLocalSealerOpensWhatEarlierVersionsSealed(t *testing.T) {
	sealed, err := hex.DecodeString("01" + "000102030405060708090a0b" +
		"2622bd75aa92ac3bfe24f4f9d49d" + "5cbd0099ce78a13d90458517218ef4d8")
	if err != nil {
		t.Fatal(err)
	}
	got, err := newSealer().Open(t.Context(), "tk_known", sealed)
	if err != nil || string(got) != "a known secret" {
		t.Fatalf("got %q and %v", got, err)
	}
}
