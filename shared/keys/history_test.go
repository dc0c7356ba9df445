package keys_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/keys"
)

func TestAKeyKeepsWhoChangedIt(t *testing.T) {
	now, who := time.Date(2026, 3, 14, 15, 9, 26, 0, time.UTC), "ann@box"
	store := newMemory()
	r := &keys.Registry{Store: store, Sealer: newSealer(), Now: func() time.Time { return now }, By: func(context.Context) string { return who }}
	issued := create(t, r)
	id := issued.Key.ID
	step := func(_ any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		now = now.Add(time.Hour)
	}
	now, who = now.Add(time.Hour), "ben@box"
	quota, scopes := 5, []string{"players:read"}
	_, _, err := r.Set(t.Context(), id, keys.Changes{MonthlyQuota: &quota, Scopes: &scopes})
	step(nil, err)
	_, _, err = r.Set(t.Context(), id, keys.Changes{MonthlyQuota: &quota}) // which changes nothing
	step(nil, err)
	rotated, err := r.Rotate(t.Context(), id)
	step(nil, err)
	step(r.Retire(t.Context(), id, ""))
	step(r.Revoke(t.Context(), id))
	k, err := store.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range k.History {
		got = append(got, fmt.Sprint(e.At.Format("15:04"), " ", e.By, " ", e.Changes))
	}
	first, second := issued.Key.Current.ID, rotated.Key.Current.ID
	want := []string{
		"15:09 ann@box []",
		"16:09 ben@box [{scopes teams:read players:read} {quota 10000 a month 5 a month}]",
		"18:09 ben@box [{secret id " + first + " " + second + "} {older id  " + first + "}]",
		"19:09 ben@box [{older id " + first + " }]",
		"20:09 ben@box [{revoked  2026-03-14T20:09:26Z}]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A record stays within a unit of 4 KB: the oldest changes go.
func TestAHistoryIsBounded(t *testing.T) {
	for name, tt := range map[string]struct {
		label string
		lists bool // of addresses and scopes change, too
		most  int  // events
	}{"short": {"%d", false, 20}, "long": {"%d" + strings.Repeat("ä", 95), false, 4}, "long, and more with it": {"%d" + strings.Repeat("ä", 95), true, 1}} {
		t.Run(name, func(t *testing.T) {
			r := newRegistry(newMemory(), &clock{})
			r.By = func(context.Context) string { return strings.Repeat("b", 1000) }
			id := create(t, r).Key.ID
			for i := range 30 {
				changes := keys.Changes{Label: new(fmt.Sprintf(tt.label, i))}
				if tt.lists {
					changes.Allowlist, changes.Scopes = &[]string{}, new(keys.AllScopeNames()[i%2:6])
					for n := range 20 {
						*changes.Allowlist = append(*changes.Allowlist, fmt.Sprintf("2001:db8:%d::%d", i, n))
					}
				}
				if _, _, err := r.Set(t.Context(), id, changes); err != nil {
					t.Fatal(err)
				}
			}
			k := get(t, r.Store, id)
			bytes := 0
			for _, e := range k.History {
				bytes += len(fmt.Sprint(e))
			}
			last := k.History[len(k.History)-1].Changes[0]
			if len(k.History) > tt.most || bytes > 2500 || !strings.HasPrefix(last.After, "29") {
				t.Errorf("%d events of %d bytes, the last %+v", len(k.History), bytes, last)
			}
		})
	}
}
