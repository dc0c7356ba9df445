package keys_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/keys"
	"touchline/shared/sport"
)

func TestUsesNameTheKeysThatAreKeptOut(t *testing.T) {
	key := func(id string, organization sport.ID, edit func(*keys.Key)) keys.Key {
		k := keys.Key{ID: id, Organization: organization, ResourceType: keys.ResourceOrganization}
		edit(&k)
		return k
	}
	const a, b, c = sport.ID("0123456789abcdef0123456a"), sport.ID("0123456789abcdef0123456b"), sport.ID("0123456789abcdef0123456c")
	list := []keys.Key{
		key("spent", a, func(k *keys.Key) { k.MonthlyQuota = new(5) }), key("own", a, func(k *keys.Key) { k.MonthlyQuota = new(6) }),
		key("revoked", a, func(k *keys.Key) { k.MonthlyQuota, k.RevokedAt = new(1), &start }), key("default", b, func(*keys.Key) {}),
		key("over", c, func(k *keys.Key) { k.ExpiresAt = &start }),
	}
	names, counts := map[sport.ID]string{a: "A"}, map[sport.ID]int{a: 5, b: 10_000, c: 1}
	want := []keys.Use{
		{Organization: b, Month: "2025-09", Used: 10_000, Quota: 10_000},
		{Organization: a, Name: "A", Month: "2025-09", Used: 5, Quota: 6},
		{Organization: a, Name: "A", Month: "2025-09", Used: 5, Quota: 5, Key: "spent"},
		{Organization: c, Month: "2025-09", Used: 1},
	}
	if diff := cmp.Diff(want, keys.Uses(counts, list, start, start, names)); diff != "" {
		t.Error(diff)
	}
	if before := keys.Uses(counts, list, start.AddDate(0, -1, 0), start, names); len(before) != 3 {
		t.Errorf("a month that is over: %+v", before)
	}
	for id, want := range map[int]string{0: "active", 2: "revoked", 4: "expired"} {
		if got := keys.State(list[id], start); got != want {
			t.Errorf("%s: %s", list[id].ID, got)
		}
	}
	rotating := key("", a, func(k *keys.Key) { k.Previous = &keys.SealedSecret{} })
	if got := keys.State(rotating, start); got != "active, rotating" {
		t.Error(got)
	}
	full := fullKey("tk_1")
	if diff := cmp.Diff([]string{"192.0.2.0/24", "2001:db8::1/128"}, keys.Allowlist(full)); diff != "" || keys.Stamp(full.ExpiresAt) != "2026-08-01T10:00:00Z" || keys.Stamp(nil) != "" {
		t.Error(diff)
	}
	if len(keys.Organizations(list)) != 5 || full.ScopeNames(" ") != "all" || list[0].ScopeNames(" ") != "none" {
		t.Error("organizations or scopes")
	}
}
