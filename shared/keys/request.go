package keys

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"touchline/shared/sport"
)

// Bounds of what an operator may ask for. They keep a record within two read
// units, and the check of the allowlist quick.
const (
	maxAllowlist    = 100
	maxLabel        = 200 // characters
	maxMonthlyQuota = 1_000_000_000
)

// Request is what an operator asks for in a new key.
type Request struct {
	Organization sport.ID
	Scopes       []string // names; none: the key can only ping
	Descendants  bool
	Allowlist    []string   // addresses and CIDR prefixes, IPv4 and IPv6; none: every address
	MonthlyQuota *int       // 1 to a billion; nil: DefaultMonthlyQuota
	ExpiresAt    *time.Time // after now; nil: never
	Label        string     // at most 200 characters, none of them control characters
}

// FieldErrors say what is wrong with the fields of a Request or of Changes. Each begins with
// the name of the flag of `touchline keys`: "scope: unknown scope …".
type FieldErrors []string

// Error has a line for each.
func (e FieldErrors) Error() string { return strings.Join(e, "\n") }

// NewKey returns the record of a new key, with a new id and without a secret. Its error is
// of type FieldErrors.
func NewKey(req Request, now time.Time) (Key, error) {
	now = moment(now)
	k := Key{ID: newID(idPrefix), Organization: req.Organization, ResourceType: ResourceOrganization, CreatedAt: now}
	asked := Changes{Scopes: &req.Scopes, Descendants: &req.Descendants, Allowlist: &req.Allowlist, MonthlyQuota: req.MonthlyQuota, ExpiresAt: req.ExpiresAt, Label: &req.Label}
	wrong := asked.apply(&k, now)
	if !sport.IsID(string(req.Organization)) {
		wrong = append(wrong, fmt.Sprintf("organization: %.80q is not an id of 24 lower-case hex digits", req.Organization))
	}
	if req.MonthlyQuota != nil && *req.MonthlyQuota == 0 {
		wrong = append(wrong, "monthly-quota: a key of 0 requests a month would never work: allow at least one")
	}
	if wrong != nil {
		return Key{}, wrong
	}
	return k, nil
}

// moment is the precision of the times in a record: UTC, milliseconds.
func moment(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// parseScopes returns the named scopes in the order of AllScopes, each once.
func parseScopes(names []string) ([]Scope, error) {
	for _, name := range names {
		if !slices.Contains(AllScopes(), Scope(name)) {
			return nil, fmt.Errorf("unknown scope %.80q, the scopes are %v", name, AllScopes())
		}
	}
	return slices.DeleteFunc(AllScopes(), func(s Scope) bool { return !slices.Contains(names, string(s)) }), nil
}

func parseAllowlist(entries []string) ([]netip.Prefix, error) {
	if len(entries) > maxAllowlist {
		return nil, fmt.Errorf("%d entries, at most %d", len(entries), maxAllowlist)
	}
	var list []netip.Prefix
	for _, entry := range entries {
		prefix, err := ParsePrefix(entry)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(list, prefix) {
			list = append(list, prefix)
		}
	}
	return list, nil
}

// ParsePrefix reads an entry of an allowlist: an address, or a prefix in CIDR
// form. It clears the bits after the prefix and turns an IPv4-mapped IPv6 entry
// into the IPv4 entry that it means. A zone is an error.
func ParsePrefix(s string) (netip.Prefix, error) {
	prefix, err := netip.ParsePrefix(s)
	if !strings.Contains(s, "/") {
		var addr netip.Addr
		addr, err = netip.ParseAddr(s)
		if err == nil && addr.Zone() == "" {
			return netip.PrefixFrom(addr.Unmap(), addr.Unmap().BitLen()), nil
		}
	}
	if err != nil || !prefix.IsValid() {
		return netip.Prefix{}, fmt.Errorf("%.80q is neither an address such as 192.0.2.1 or 2001:db8::1"+
			" nor a prefix such as 192.0.2.0/24 or 2001:db8::/32", s)
	}
	const mapped = 96 // bits before the IPv4 address in a mapped one
	if prefix.Addr().Is4In6() && prefix.Bits() >= mapped {
		prefix = netip.PrefixFrom(prefix.Addr().Unmap(), prefix.Bits()-mapped)
	}
	return prefix.Masked(), nil
}

func checkQuota(quota *int) error {
	if quota != nil && (*quota < 1 || *quota > maxMonthlyQuota) {
		return fmt.Errorf("%d is not between 1 and %d", *quota, maxMonthlyQuota)
	}
	return nil
}

// expiry is nil for the zero time.
func expiry(expires, now time.Time) (*time.Time, error) {
	if expires.IsZero() {
		return nil, nil
	}
	at := moment(expires)
	if !at.After(now) {
		return nil, fmt.Errorf("%s is in the past", at.Format(time.RFC3339))
	}
	if at.Year() > 9999 {
		return nil, errors.New("the year has more than four digits")
	}
	return &at, nil
}

func checkLabel(label string) error {
	if !utf8.ValidString(label) || strings.ContainsFunc(label, unicode.IsControl) {
		return errors.New("holds a control character or is not UTF-8")
	}
	if n := utf8.RuneCountInString(label); n > maxLabel {
		return fmt.Errorf("%d characters, at most %d", n, maxLabel)
	}
	return nil
}

// Changes are the changes that an operator makes to a key. A nil field is left
// as it is.
type Changes struct {
	Scopes       *[]string // names; none: the key can only ping
	Descendants  *bool
	Allowlist    *[]string  // addresses and CIDR prefixes; none: every address
	MonthlyQuota *int       // 1 to a billion; 0: DefaultMonthlyQuota
	ExpiresAt    *time.Time // after now; the zero time: never
	Label        *string    // empty: none
}

// Set changes a key, and returns it as it was before and as it is after. The
// change takes effect within 60 seconds (D10). Errors: FieldErrors, ErrUnknown,
// ErrRevoked, or a failure.
func (r *Registry) Set(ctx context.Context, id string, changes Changes) (before, after Key, err error) {
	now := moment(r.Now())
	if wrong := changes.apply(&Key{}, now); wrong != nil {
		return Key{}, Key{}, wrong
	}
	first := true
	after, err = r.change(ctx, id, func(k Key) (Key, error) {
		if k.RevokedAt != nil {
			return k, ErrRevoked
		}
		next := k
		_ = changes.apply(&next, now) // nothing is wrong: see above
		if first {
			first, before = false, k.withoutSealed()
		}
		if reflect.DeepEqual(k, next) {
			return k, errDone
		}
		return next, nil
	})
	return before, after, err
}

// apply makes the changes to a key, with values that nothing else shares, and says which
// fields are wrong.
func (c Changes) apply(k *Key, now time.Time) (wrong FieldErrors) {
	check := func(field string, err error) {
		if err != nil {
			wrong = append(wrong, field+": "+err.Error())
		}
	}
	var err error
	if c.Scopes != nil {
		k.Scopes, err = parseScopes(*c.Scopes)
		check("scope", err)
	}
	if c.Descendants != nil {
		k.Descendants = *c.Descendants
	}
	if c.Allowlist != nil {
		k.Allowlist, err = parseAllowlist(*c.Allowlist)
		check("allow-ip", err)
	}
	if c.MonthlyQuota != nil {
		if k.MonthlyQuota = new(*c.MonthlyQuota); *k.MonthlyQuota == 0 {
			k.MonthlyQuota = nil
		}
		check("monthly-quota", checkQuota(k.MonthlyQuota))
	}
	if c.ExpiresAt != nil {
		k.ExpiresAt, err = expiry(*c.ExpiresAt, now)
		check("expires", err)
	}
	if c.Label != nil {
		k.Label = *c.Label
		check("label", checkLabel(k.Label))
	}
	return wrong
}
