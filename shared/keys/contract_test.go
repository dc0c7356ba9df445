package keys_test

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"touchline/shared/keys"
	"touchline/shared/simulation"
	"touchline/shared/store/file"
)

// fullKey returns a record with that id and every field set.
func fullKey(id string) keys.Key {
	at := time.Date(2025, 8, 1, 10, 0, 0, 123e6, time.UTC)
	expires, revoked, quota := at.AddDate(1, 0, 0), at.AddDate(0, 1, 0), 500
	return keys.Key{
		ID:           id,
		Organization: "0123456789abcdef01234567",
		ResourceType: keys.ResourceOrganization,
		Scopes:       keys.AllScopes(),
		Descendants:  true,
		Allowlist:    []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("2001:db8::1/128")},
		MonthlyQuota: &quota,
		CreatedAt:    at,
		ExpiresAt:    &expires,
		RevokedAt:    &revoked,
		Label:        "Landesverband – Büro",
		History: []keys.Event{
			{At: at, By: "op@box"},
			{At: at, By: "op@box", Changes: []keys.FieldChange{{Name: "label", After: "Landesverband – Büro"}, {Name: "revoked", After: "x"}}},
		},
		Current:  keys.SealedSecret{ID: "ts_new", CreatedAt: at, Sealed: []byte{1, 2, 3}},
		Previous: &keys.SealedSecret{ID: "ts_old", CreatedAt: at, Sealed: []byte{0, 255}},
	}
}

// diffKeys compares records as cmp.Diff does.
func diffKeys(want, got any) string {
	return cmp.Diff(want, got, cmpopts.EquateComparable(netip.Prefix{}))
}

// backends make an empty store each.
var backends = map[string]func(*testing.T) keys.Store{
	"memory":   func(*testing.T) keys.Store { return newMemory() },
	"DynamoDB": func(t *testing.T) keys.Store { return newDynamoDB(t) },
	"file":     func(t *testing.T) keys.Store { return onFile(t).Keys() },
}

func TestTheStoreKeepsTheContract(t *testing.T) {
	for name, test := range map[string]func(*testing.T, keys.Store){
		"a record is read as it was put":           roundTrip,
		"what was not read last is not changed":    conflicts,
		"of concurrent changes one wins":           oneWins,
		"a list is in order of creation, then id":  listOrder,
		"a caller cannot change a record in place": noAliases,
	} {
		for backend, open := range backends {
			t.Run(backend+"/"+name, func(t *testing.T) { test(t, open(t)) })
		}
	}
}

func roundTrip(t *testing.T, s keys.Store) {
	full := fullKey("tk_full")
	for _, want := range []keys.Key{full, {
		ID: "tk_small", Organization: full.Organization, ResourceType: full.ResourceType,
		Scopes: []keys.Scope{}, CreatedAt: full.CreatedAt, Current: full.Current,
	}} {
		if _, err := s.Get(t.Context(), want.ID); !errors.Is(err, keys.ErrUnknown) {
			t.Fatalf("got %v, want ErrUnknown", err)
		}
		put(t, s, want)
		want.Version = 1
		if diff := diffKeys(want, get(t, s, want.ID)); diff != "" {
			t.Fatal(diff)
		}
	}
}

func conflicts(t *testing.T, s keys.Store) {
	refused := func(k keys.Key, label string, version int) {
		t.Helper()
		k.Label = "refused"
		if err := s.Put(t.Context(), k); !errors.Is(err, keys.ErrConflict) {
			t.Fatalf("got %v, want ErrConflict", err)
		}
		if got := get(t, s, "tk_1"); got.Label != label || got.Version != version {
			t.Fatalf("label %q at version %d, want %q at %d", got.Label, got.Version, label, version)
		}
	}
	created := fullKey("tk_1")
	put(t, s, created)
	refused(created, created.Label, 1) // a second creation
	first := get(t, s, "tk_1")
	first.Label = "first"
	put(t, s, first)
	refused(first, "first", 2)
	missing := fullKey("tk_none")
	missing.Version = 1
	refused(missing, "first", 2)
	if _, err := s.Get(t.Context(), missing.ID); !errors.Is(err, keys.ErrUnknown) {
		t.Fatalf("got %v, want ErrUnknown", err)
	}
	put(t, s, get(t, s, "tk_1"))
}

func oneWins(t *testing.T, s keys.Store) {
	const writers, rounds = 8, 3
	for version := range rounds {
		results := make(chan error, writers)
		var all sync.WaitGroup
		for range writers {
			all.Go(func() {
				k := fullKey("tk_race")
				k.Version = version
				results <- s.Put(t.Context(), k)
			})
		}
		all.Wait()
		close(results)
		won := 0
		for err := range results {
			switch {
			case err == nil:
				won++
			case !errors.Is(err, keys.ErrConflict):
				t.Fatal(err)
			}
		}
		if won != 1 {
			t.Fatalf("%d writers won at version %d, want 1", won, version)
		}
	}
}

func listOrder(t *testing.T, s keys.Store) {
	if list, err := s.List(t.Context()); err != nil || len(list) != 0 {
		t.Fatalf("got %d keys and %v, want none", len(list), err)
	}
	at := fullKey("").CreatedAt
	var want []string
	for i := range 4 {
		for _, id := range []string{"b", "a"} {
			k := fullKey(fmt.Sprintf("tk_%s%d", id, 9-i))
			k.CreatedAt = at.Add(time.Duration(i) * time.Millisecond)
			put(t, s, k)
		}
		want = append(want, fmt.Sprintf("tk_a%d", 9-i), fmt.Sprintf("tk_b%d", 9-i))
	}
	list, err := s.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, k := range list {
		got = append(got, k.ID)
		whole := fullKey(k.ID)
		whole.CreatedAt, whole.Version, whole.Current.Sealed, whole.Previous.Sealed = k.CreatedAt, 1, nil, nil
		if diff := diffKeys(whole, k); diff != "" {
			t.Error(diff)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatal(diff)
	}
}

func noAliases(t *testing.T, s keys.Store) {
	k := fullKey("tk_alias")
	put(t, s, k)
	for _, k := range []keys.Key{k, get(t, s, k.ID)} {
		k.Scopes[0], k.Allowlist[0], k.Current.Sealed[0] = "x", netip.Prefix{}, 9
		k.Previous.Sealed[0], *k.MonthlyQuota, *k.ExpiresAt, *k.RevokedAt = 9, 9, time.Time{}, time.Time{}
	}
	want := fullKey("tk_alias")
	want.Version = 1
	if diff := diffKeys(want, get(t, s, k.ID)); diff != "" {
		t.Fatal(diff)
	}
}

// costsItself: a record that cannot be read lets nobody in, is listed by its id beside the
// others, and can be ended.
func costsItself(t *testing.T, s keys.Store, id string) {
	t.Helper()
	cache := keys.Cache{Records: s, Now: time.Now}
	if k, err := cache.Lookup(t.Context(), id); !errors.Is(err, keys.ErrUnavailable) {
		t.Errorf("a request gets %+v, %v", k, err)
	}
	list, err := s.List(t.Context())
	damaged := keys.Damaged(list)
	if err != nil || len(list) != 2 || len(damaged) != 1 || damaged[0] != id || list[0].Valid(time.Time{}) || list[0].ID != id {
		t.Fatalf("listed are %+v, %v", list, err)
	}
	r := &keys.Registry{Store: s, Now: time.Now}
	if k, err := r.Revoke(t.Context(), id); err != nil || k.RevokedAt == nil {
		t.Fatal(k, err)
	}
	if k := get(t, s, id); k.RevokedAt == nil || k.Version != 1 || len(k.History) != 1 {
		t.Errorf("it is %+v", k)
	}
	if k, err := r.Revoke(t.Context(), id); err != nil || k.Version != 1 {
		t.Errorf("revoked again it is %+v, %v", k, err)
	}
	if list, err := s.List(t.Context()); err != nil || len(list) != 2 || keys.Damaged(list) != nil {
		t.Errorf("listed are %+v, %v", list, err)
	}
}

// Each byte that the file has of a record may have changed: of its checksum, and of what it
// says.
func TestADamagedRecordInTheFileCostsItself(t *testing.T) {
	for _, at := range []int{-1, 0, 40} {
		path := filepath.Join(t.TempDir(), "data.db")
		open := func() *file.File {
			f, err := file.Open(path, file.Options{NoSync: true})
			if err != nil {
				t.Fatal(err)
			}
			return f
		}
		f := open()
		put(t, f.Keys(), fullKey("tk_1"))
		put(t, f.Keys(), fullKey("tk_2"))
		content, err := os.ReadFile(path)
		if err = errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
		row := []byte("\x04tk_1")
		for n := 0; ; { // in each page that has it, also in one that is free
			next := bytes.Index(content[n:], row)
			if next < 0 {
				break
			}
			n += next + len(row)
			content[n+1+at] ^= 1
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		f = open()
		if r, err := f.Check(t.Context()); err != nil || r.Keys != 1 || len(r.Damage) > 0 {
			t.Errorf("%+v, %v", r, err)
		}
		if name, r, err := f.Backup(t.Context()); err != nil || name == "" || r.Keys != 1 {
			t.Errorf("a backup is %+v, %v", r, err)
		}
		costsItself(t, f.Keys(), "tk_1")
		if r, err := f.Check(t.Context()); err != nil || r.Keys != 0 || len(r.Damage) > 0 {
			t.Errorf("after it was ended: %+v, %v", r, err)
		}
		_ = f.Close()
	}
}

func put(t *testing.T, s keys.Store, k keys.Key) {
	t.Helper()
	if err := s.Put(t.Context(), k); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, s keys.Store, id string) keys.Key {
	t.Helper()
	k, err := s.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func onFile(t *testing.T) *file.File {
	t.Helper()
	f, err := file.Open(filepath.Join(t.TempDir(), "data.db"), file.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// newMemory returns a store without an engine.
func newMemory() keys.Store { return simulation.NewDatabase().Keys() }
