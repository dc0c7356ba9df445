package keys_test

import (
	"net/netip"
	"strings"
	"testing"

	"touchline/shared/keys"
)

func TestValidAppliesEachRuleOfTheList(t *testing.T) {
	past, now, later := start.Add(-1), start, start.Add(1)
	for name, test := range map[string]struct {
		edit func(*keys.Key)
		want bool
	}{
		"no end":                        {func(*keys.Key) {}, true},
		"before its expiry":             {func(k *keys.Key) { k.ExpiresAt = &later }, true},
		"at its expiry":                 {func(k *keys.Key) { k.ExpiresAt = &now }, false},
		"after its expiry":              {func(k *keys.Key) { k.ExpiresAt = &past }, false},
		"revoked":                       {func(k *keys.Key) { k.RevokedAt = &past }, false},
		"revoked by a clock ahead":      {func(k *keys.Key) { k.RevokedAt = &later }, false},
		"of a competition":              {func(k *keys.Key) { k.ResourceType = "competition" }, false},
		"of nothing":                    {func(k *keys.Key) { k.ResourceType = "" }, false},
		"of an organization without id": {func(k *keys.Key) { k.Organization = "" }, false},
	} {
		t.Run(name, func(t *testing.T) {
			k := fullKey("tk_1")
			k.ExpiresAt, k.RevokedAt = nil, nil
			test.edit(&k)
			if got := k.Valid(start); got != test.want {
				t.Fatalf("got %t", got)
			}
		})
	}
}

func TestAllowsKnowsBothFormsOfAnAddress(t *testing.T) {
	offices := []string{"192.0.2.0/24", "198.51.100.7", "2001:db8:1::/48", "::ffff:203.0.113.0/124", "fe80::1"}
	for caller, want := range map[string]bool{
		"192.0.2.255":         true,
		"192.0.3.0":           false,
		"198.51.100.7":        true,
		"198.51.100.8":        false,
		"::ffff:192.0.2.1":    true,
		"::ffff:198.51.100.8": false,
		"::192.0.2.1":         false, // not a mapped address
		"203.0.113.15":        true,
		"203.0.113.16":        false,
		"::ffff:203.0.113.15": true,
		"2001:db8:1::42":      true,
		"2001:db8:2::42":      false,
		"fe80::1%eth0":        true,
		"::ffff:192.0.2.1%lo": true,
		"fe80::2%eth0":        false,
		"64:ff9b::192.0.2.1":  false,
		"2002:c000:0201::1":   false,
		"0.0.0.0":             false,
		"::":                  false,
		"255.255.255.255":     false,
		"":                    false,
	} {
		k, err := keys.NewKey(keys.Request{Organization: "0123456789abcdef01234567", Allowlist: offices}, start)
		if err != nil {
			t.Fatal(err)
		}
		addr, _ := netip.ParseAddr(caller)
		if got := k.Allows(addr); got != want {
			t.Errorf("%s: got %t", caller, got)
		}
		if !(keys.Key{}).Allows(addr) {
			t.Errorf("%s: refused without an allowlist", caller)
		}
	}
}

func TestIsIDFollowsTheHeadersForm(t *testing.T) {
	for id, want := range map[string]bool{
		"a": true, "AZaz09_-": true, strings.Repeat("x", 100): true,
		"": false, strings.Repeat("x", 101): false, "a.b": false, "a b": false, "a\x00": false, "ä": false, "a~": false,
	} {
		if keys.IsID(id) != want {
			t.Errorf("%.20q: not %t", id, want)
		}
	}
}

func TestOnlyAnIDThatIsOursIsShownInPart(t *testing.T) {
	for id, want := range map[string]string{
		"tk_AbCdEfGhIjKlMnOpQrSt": "tk_AbCd", "tk_AbCdEfGhIjKlMnOpQrStu": "", "tk_AbCd": "", "ts_AbCdEfGhIjKlMnOpQrSt": "", "": "",
	} {
		if got := keys.Start(id); got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
}

func TestNewIdsAndSecretsDiffer(t *testing.T) {
	seen := make(map[string]bool)
	for range 200 {
		k, err := keys.NewKey(request(), start)
		if err != nil {
			t.Fatal(err)
		}
		seen[k.ID], seen[keys.NewSecret().Reveal()] = true, true
	}
	if len(seen) != 400 {
		t.Fatalf("%d of 400 differ", len(seen))
	}
}
