package keys

import (
	"context"
	"reflect"
	"time"
)

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
		next := k.Clone()
		changes.apply(&next, now)
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

// apply makes the changes to a key, and says which fields are wrong.
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
		if k.MonthlyQuota = clonePointer(c.MonthlyQuota); *k.MonthlyQuota == 0 {
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
