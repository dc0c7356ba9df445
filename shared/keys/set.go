package keys

import (
	"context"
	"errors"
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
// change takes effect within 60 seconds (D10). Errors: one FieldError for each
// wrong field, joined; ErrUnknown, ErrRevoked, or a failure.
func (r *Registry) Set(ctx context.Context, id string, changes Changes) (before, after Key, err error) {
	apply, wrong := changes.check(moment(r.Now()))
	if wrong != nil {
		return Key{}, Key{}, errors.Join(wrong...)
	}
	first := true
	after, err = r.change(ctx, id, func(k Key) (Key, error) {
		if k.RevokedAt != nil {
			return k, ErrRevoked
		}
		next := k.Clone()
		apply(&next)
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

// check validates the changes and returns the function that applies them.
func (c Changes) check(now time.Time) (apply func(*Key), wrong []error) {
	var steps []func(*Key)
	add := func(field Field, err error, step func(*Key)) {
		if err != nil {
			wrong = append(wrong, &FieldError{Field: field, Reason: err.Error()})
		}
		steps = append(steps, step)
	}
	if c.Scopes != nil {
		scopes, err := parseScopes(*c.Scopes)
		add(FieldScopes, err, func(k *Key) { k.Scopes = scopes })
	}
	if c.Descendants != nil {
		add("", nil, func(k *Key) { k.Descendants = *c.Descendants })
	}
	if c.Allowlist != nil {
		list, err := parseAllowlist(*c.Allowlist)
		add(FieldAllowlist, err, func(k *Key) { k.Allowlist = list })
	}
	if c.MonthlyQuota != nil {
		quota := clonePointer(c.MonthlyQuota)
		if *quota == 0 {
			quota = nil
		}
		add(FieldMonthlyQuota, checkQuota(quota), func(k *Key) { k.MonthlyQuota = clonePointer(quota) })
	}
	if c.ExpiresAt != nil {
		var at *time.Time
		if !c.ExpiresAt.IsZero() {
			at = c.ExpiresAt
		}
		until, err := expiry(at, now)
		add(FieldExpiresAt, err, func(k *Key) { k.ExpiresAt = clonePointer(until) })
	}
	if c.Label != nil {
		add(FieldLabel, checkLabel(*c.Label), func(k *Key) { k.Label = *c.Label })
	}
	return func(k *Key) {
		for _, step := range steps {
			step(k)
		}
	}, wrong
}
