package keys_test

import (
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/keys"
)

func TestNewKeyNamesEachFieldThatIsWrong(t *testing.T) {
	past, later := start, start.Add(time.Hour)
	many := make([]string, 101)
	for i := range many {
		many[i] = fmt.Sprintf("192.0.2.%d", i)
	}
	never := time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)
	minus, zero, huge := -1, 0, 1_000_000_001
	for name, test := range map[string]struct {
		edit func(*keys.Request)
		want []string
	}{
		"nothing wrong":                  {func(*keys.Request) {}, nil},
		"no scope":                       {func(r *keys.Request) { r.Scopes = nil }, nil},
		"an expiry to come":              {func(r *keys.Request) { r.ExpiresAt = &later }, nil},
		"no requests a month":            {func(r *keys.Request) { r.MonthlyQuota = &zero }, []string{"monthly-quota"}},
		"an organization's own key":      {func(r *keys.Request) { r.Organization = "oefb" }, []string{"organization"}},
		"an id in upper case":            {func(r *keys.Request) { r.Organization = "0123456789ABCDEF01234567" }, []string{"organization"}},
		"a scope that does not exist":    {func(r *keys.Request) { r.Scopes = []string{"teams:read", "teams:write"} }, []string{"scope"}},
		"a scope in another case":        {func(r *keys.Request) { r.Scopes = []string{"Teams:read"} }, []string{"scope"}},
		"an entry that is no address":    {func(r *keys.Request) { r.Allowlist = []string{"192.0.2.1", "office"} }, []string{"allow-ip"}},
		"more entries than there may be": {func(r *keys.Request) { r.Allowlist = many }, []string{"allow-ip"}},
		"a quota below zero":             {func(r *keys.Request) { r.MonthlyQuota = &minus }, []string{"monthly-quota"}},
		"a quota beyond the bound":       {func(r *keys.Request) { r.MonthlyQuota = &huge }, []string{"monthly-quota"}},
		"an expiry now":                  {func(r *keys.Request) { r.ExpiresAt = &past }, []string{"expires"}},
		"an expiry no record can hold":   {func(r *keys.Request) { r.ExpiresAt = &never }, []string{"expires"}},
		"a label with a line feed":       {func(r *keys.Request) { r.Label = "a\nb" }, []string{"label"}},
		"a label that is not UTF-8":      {func(r *keys.Request) { r.Label = "a\xff" }, []string{"label"}},
		"a label too long":               {func(r *keys.Request) { r.Label = fmt.Sprintf("%201s", "ü") }, []string{"label"}},
		"a label just short enough":      {func(r *keys.Request) { r.Label = fmt.Sprintf("%200s", "ü") }, nil},
		"three things at once": {
			func(r *keys.Request) { *r = keys.Request{Scopes: []string{"x"}, MonthlyQuota: &minus} },
			[]string{"scope", "monthly-quota", "organization"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			req := request()
			test.edit(&req)
			_, err := keys.NewKey(req, start)
			if diff := cmp.Diff(test.want, fields(err)); diff != "" {
				t.Fatalf("%v: %s", err, diff)
			}
		})
	}
}

// fields returns the fields that an error of NewKey names.
func fields(err error) []string {
	if err == nil {
		return nil
	}
	var named []string
	all, _ := errors.AsType[keys.FieldErrors](err)
	for _, wrong := range all {
		if field, reason, _ := strings.Cut(wrong, ": "); reason != "" {
			named = append(named, field)
		}
	}
	return named
}

func TestNewKeyKeepsWhatWasAsked(t *testing.T) {
	quota, expires := 5, start.Add(time.Hour+time.Microsecond).In(time.FixedZone("", 7200))
	k, err := keys.NewKey(keys.Request{
		Organization: "0123456789abcdef01234567",
		Scopes:       []string{"players:read", "organizations:read", "players:read"},
		Descendants:  true,
		Allowlist:    []string{"192.0.2.7", "2001:db8::/32", "::ffff:192.0.2.7"},
		MonthlyQuota: &quota, ExpiresAt: &expires, Label: "Büro",
	}, start.Add(time.Nanosecond))
	if err != nil {
		t.Fatal(err)
	}
	until := start.Add(time.Hour)
	want := keys.Key{
		ID: k.ID, Organization: "0123456789abcdef01234567", ResourceType: "organization",
		Scopes: []keys.Scope{keys.OrganizationsRead, keys.PlayersRead}, Descendants: true,
		Allowlist:    []netip.Prefix{netip.MustParsePrefix("192.0.2.7/32"), netip.MustParsePrefix("2001:db8::/32")},
		MonthlyQuota: &quota, CreatedAt: start, ExpiresAt: &until, Label: "Büro",
	}
	if diff := diffKeys(want, k); diff != "" {
		t.Fatal(diff)
	}
	if len(k.ID) != len("tk_")+20 || k.ID[:3] != "tk_" || !keys.IsID(k.ID) {
		t.Fatalf("id %q", k.ID)
	}
}

func TestParsePrefixReadsAddressesAndPrefixes(t *testing.T) {
	for in, want := range map[string]string{
		"192.0.2.1":               "192.0.2.1/32",
		"192.0.2.0/24":            "192.0.2.0/24",
		"192.0.2.77/24":           "192.0.2.0/24",
		"0.0.0.0/0":               "0.0.0.0/0",
		"2001:db8::1":             "2001:db8::1/128",
		"2001:DB8::1/32":          "2001:db8::/32",
		"::/0":                    "::/0",
		"::ffff:192.0.2.1":        "192.0.2.1/32",
		"::ffff:192.0.2.77/120":   "192.0.2.0/24",
		"::ffff:0:0/96":           "0.0.0.0/0",
		"":                        "",
		"/24":                     "",
		"192.0.2.0/":              "",
		"192.0.2.0/33":            "",
		"192.0.2.0/-1":            "",
		"192.0.2.0/024":           "",
		"192.0.2":                 "",
		"192.0.2.01":              "",
		" 192.0.2.1":              "",
		"fe80::1%eth0":            "",
		"fe80::1%eth0/64":         "",
		"example.org":             "",
		"192.0.2.1-192.0.2.9":     "",
		strings.Repeat("1", 9999): "",
	} {
		got, err := keys.ParsePrefix(in)
		switch {
		case want == "" && err == nil:
			t.Errorf("%.50q: got %s, want an error", in, got)
		case want != "" && (err != nil || got.String() != want):
			t.Errorf("%q: got %s and %v, want %s", in, got, err, want)
		case err != nil && len(err.Error()) > 300:
			t.Errorf("%.50q: an error of %d bytes", in, len(err.Error()))
		}
	}
}

func FuzzParsePrefix(f *testing.F) {
	for _, s := range []string{"192.0.2.77/24", "::ffff:192.0.2.1", "::ffff:0:0/95", "fe80::1%eth0", "::/0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := keys.ParsePrefix(s)
		if err != nil {
			return
		}
		if again, err := keys.ParsePrefix(p.String()); err != nil || again != p {
			t.Fatalf("%q gives %s, which gives %s and %v", s, p, again, err)
		}
		named, err := netip.ParseAddr(strings.SplitN(s, "/", 2)[0])
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		k := keys.Key{Allowlist: []netip.Prefix{p}}
		wider := named.Is4In6() && p.Addr().Is6() // than the mapped addresses: IPv6 only
		if !wider && !k.Allows(named) {
			t.Fatalf("%q gives %s, which does not allow %s", s, p, named)
		}
	})
}
