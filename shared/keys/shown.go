package keys

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"touchline/shared/sport"
)

// What the touchline command and its console show about keys and the quotas of
// their organizations, without secrets.

// State is the state of a key: active; active, rotating; expired; revoked; damaged.
func State(k Key, now time.Time) string {
	switch {
	case k.Damaged:
		return "damaged"
	case k.RevokedAt != nil:
		return "revoked"
	case !k.Valid(now):
		return "expired"
	case k.Previous != nil:
		return "active, rotating"
	}
	return "active"
}

// Allowlist are the addresses from which a key may be used; none: any.
func Allowlist(k Key) []string {
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

// MonthForm is the format of a month.
const MonthForm = "2006-01"

// Use is an organization's use in a UTC month, or one of its keys that this keeps out.
type Use struct {
	Organization sport.ID `json:"organization"`
	Name         string   `json:"name,omitempty"`  // empty: not in the data
	Month        string   `json:"month"`           // YYYY-MM
	Used         int      `json:"used"`            // requests counted
	Quota        int      `json:"quota,omitempty"` // the key's, or the largest of the valid keys; 0: it has none
	Key          string   `json:"key,omitempty"`   // which is refused until the month ends
}

// Organizations are those that keys belong to.
func Organizations(list []Key) (ids []sport.ID) {
	for _, k := range list {
		if k.Organization != "" {
			ids = append(ids, k.Organization)
		}
	}
	return ids
}

// Damaged are the ids of the keys whose records cannot be read.
func Damaged(list []Key) (ids []string) {
	for _, k := range list {
		if k.Damaged {
			ids = append(ids, k.ID)
		}
	}
	return ids
}

// Uses are the counts of a month by organization, with names and quotas, highest
// count first. In the present month each is followed by the valid keys of the
// organization whose own number keeps them out (D9).
func Uses(counts map[sport.ID]int, list []Key, month, now time.Time, names map[sport.ID]string) []Use {
	quotas := map[sport.ID]int{}
	for _, k := range list {
		if k.Valid(now) {
			quotas[k.Organization] = max(quotas[k.Organization], k.Quota())
		}
	}
	uses := []Use{}
	for _, id := range slices.Sorted(maps.Keys(counts)) {
		use := Use{Organization: id, Name: names[id], Month: month.Format(MonthForm), Used: counts[id], Quota: quotas[id]}
		uses = append(uses, use)
		for _, k := range list {
			if k.Organization == id && k.Valid(now) && k.MonthlyQuota != nil && k.Quota() <= use.Used && use.Month == now.UTC().Format(MonthForm) {
				use.Key, use.Quota = k.ID, k.Quota()
				uses = append(uses, use)
			}
		}
	}
	slices.SortStableFunc(uses, func(a, b Use) int { return cmp.Compare(b.Used, a.Used) })
	return uses
}
