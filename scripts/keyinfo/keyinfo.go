// Package keyinfo is what the touchline command and its console show about API
// keys and the quotas of their organizations. It shows no secrets, sealed or
// not.
package keyinfo

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"touchline/shared/keys"
	"touchline/shared/sport"
)

// State is the state of a key: active; active, rotating; expired; revoked.
func State(k keys.Key, now time.Time) string {
	switch {
	case k.RevokedAt != nil:
		return "revoked"
	case !k.Valid(now):
		return "expired"
	case k.Previous != nil:
		return "active, rotating"
	}
	return "active"
}

// Scopes are the names of a key's scopes, or none or all.
func Scopes(k keys.Key, separator string) string {
	switch len(k.Scopes) {
	case 0:
		return "none"
	case len(keys.AllScopes()):
		return "all"
	}
	names := make([]string, len(k.Scopes))
	for i, s := range k.Scopes {
		names[i] = string(s)
	}
	return strings.Join(names, separator)
}

// Allowlist are the addresses from which a key may be used; none: any.
func Allowlist(k keys.Key) []string {
	var allowed []string
	for _, p := range k.Allowlist {
		allowed = append(allowed, p.String())
	}
	return allowed
}

// Stamp is a time in RFC 3339; empty for nil.
func Stamp(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.Format(time.RFC3339)
}

// Field is a field of a key that can be changed; an empty value means none.
type Field struct{ Name, Value string }

// Fields are what can be changed about a key, always in the same order.
func Fields(k keys.Key) []Field {
	return []Field{
		{"label", k.Label},
		{"descendants", map[bool]string{true: "yes", false: "no"}[k.Descendants]},
		{"scopes", Scopes(k, " ")},
		{"allowed from", strings.Join(Allowlist(k), " ")},
		{"quota", fmt.Sprintf("%d a month", k.Quota())},
		{"expires", Stamp(k.ExpiresAt)},
	}
}

// Change is a field of a key before and after a change.
type Change struct{ Name, Before, After string }

// Changes are the fields that differ.
func Changes(before, after keys.Key) []Change {
	var changes []Change
	old := Fields(before)
	for i, f := range Fields(after) {
		if f.Value != old[i].Value {
			changes = append(changes, Change{f.Name, old[i].Value, f.Value})
		}
	}
	return changes
}

// MonthForm is the format of a month.
const MonthForm = "2006-01"

// Use is an organization's use in a UTC month.
type Use struct {
	Organization sport.ID `json:"organization"`
	Name         string   `json:"name,omitempty"`  // empty: not in the data
	Month        string   `json:"month"`           // YYYY-MM
	Used         int      `json:"used"`            // requests counted
	Quota        int      `json:"quota,omitempty"` // the largest of its valid keys; 0: it has none
}

// Uses are the counts of a month by organization, with names and quotas, highest
// count first. If name fails the use has no name, unless ctx has ended.
func Uses(ctx context.Context, counts map[sport.ID]int, list []keys.Key, month, now time.Time, name func(context.Context, sport.ID) (string, error)) ([]Use, error) {
	quotas := map[sport.ID]int{}
	for _, k := range list {
		if k.Valid(now) {
			quotas[k.Organization] = max(quotas[k.Organization], k.Quota())
		}
	}
	uses := []Use{}
	for _, id := range slices.Sorted(maps.Keys(counts)) {
		called, err := name(ctx, id)
		if err != nil && ctx.Err() != nil {
			return nil, err
		}
		uses = append(uses, Use{Organization: id, Name: called, Month: month.Format(MonthForm), Used: counts[id], Quota: quotas[id]})
	}
	slices.SortStableFunc(uses, func(a, b Use) int { return cmp.Compare(b.Used, a.Used) })
	return uses, nil
}
