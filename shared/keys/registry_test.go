package keys_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"touchline/shared/keys"
)

// clock is set by tests; its zero value is a moment in 2025.
type clock struct {
	mu    sync.Mutex
	moved time.Duration
}

var start = time.Date(2025, 9, 1, 12, 0, 0, 0, time.UTC)

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return start.Add(c.moved)
}

func (c *clock) move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.moved += d
}

const masterKeyText = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

func newSealer() *keys.LocalSealer {
	sealer, err := keys.NewLocalSealer(masterKeyText)
	if err != nil {
		panic(err)
	}
	return sealer
}

func newRegistry(store keys.Store, c *clock) *keys.Registry {
	return &keys.Registry{Store: store, Sealer: newSealer(), Now: c.Now}
}

func request() keys.Request {
	return keys.Request{Organization: "0123456789abcdef01234567", Scopes: []string{"teams:read"}}
}

func create(t *testing.T, r *keys.Registry) keys.Issued {
	t.Helper()
	issued, err := r.Create(t.Context(), request())
	if err != nil {
		t.Fatal(err)
	}
	return issued
}

// verifies checks that exactly these secrets of a key verify, newest first.
func verifies(t *testing.T, store keys.Store, id string, want ...keys.Secret) {
	t.Helper()
	cache := &keys.Cache{Records: store, Opener: newSealer(), Now: (&clock{}).Now}
	c, err := cache.Lookup(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	got := c.Secrets()
	same := len(got) == len(want)
	for i := 0; same && i < len(got); i++ {
		same = got[i] == want[i].Reveal()
	}
	if !same {
		t.Fatalf("%d secrets verify, not the %d wanted in their order", len(got), len(want))
	}
}

// overStores runs a test on each store.
func overStores(t *testing.T, test func(*testing.T, keys.Store)) {
	t.Run("memory", func(t *testing.T) { test(t, newMemory()) })
	t.Run("dynamodb", func(t *testing.T) { test(t, newDynamoDB(t)) })
}

func TestAKeyLivesFromCreationToRevocation(t *testing.T) {
	overStores(t, func(t *testing.T, store keys.Store) {
		now := &clock{}
		registry := newRegistry(store, now)
		first := create(t, registry)
		id := first.Key.ID
		verifies(t, store, id, first.Secret)

		now.move(time.Hour)
		second, err := registry.Rotate(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		verifies(t, store, id, second.Secret, first.Secret)
		if _, err := registry.Rotate(t.Context(), id); !errors.Is(err, keys.ErrRotating) {
			t.Fatalf("a third secret: got %v, want ErrRotating", err)
		}
		if _, err := registry.Retire(t.Context(), id, ""); err != nil {
			t.Fatal(err)
		}
		verifies(t, store, id, second.Secret)
		if _, err := registry.Retire(t.Context(), id, ""); !errors.Is(err, keys.ErrNotRotating) {
			t.Fatalf("the last secret: got %v, want ErrNotRotating", err)
		}

		now.move(time.Hour)
		if _, err := registry.Revoke(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		now.move(time.Hour)
		if _, err := registry.Revoke(t.Context(), id); err != nil {
			t.Fatalf("revoked again: %v", err)
		}
		for name, change := range changes() {
			if _, err := change(t.Context(), registry, id); (name == "rotate" || name == "set") && !errors.Is(err, keys.ErrRevoked) {
				t.Errorf("%s of a revoked key: got %v, want ErrRevoked", name, err)
			}
			if _, err := change(t.Context(), registry, "tk_none"); !errors.Is(err, keys.ErrUnknown) {
				t.Errorf("%s of an unknown key: got %v, want ErrUnknown", name, err)
			}
		}

		got, err := store.Get(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		got.Current.Sealed, got.History = nil, nil // of TestAKeyKeepsWhoChangedIt
		revoked := start.Add(2 * time.Hour)
		want := keys.Key{
			ID: id, Organization: "0123456789abcdef01234567", ResourceType: "organization",
			Scopes: []keys.Scope{keys.TeamsRead}, CreatedAt: start, RevokedAt: &revoked,
			Current: keys.SealedSecret{ID: second.Key.Current.ID, CreatedAt: start.Add(time.Hour)},
			Version: 4,
		}
		if diff := diffKeys(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

// change is a change by an operator, to a key that has two secrets if the change
// allows it.
type change func(context.Context, *keys.Registry, string) (keys.Key, error)

func changes() map[string]change {
	return map[string]change{
		"rotate": func(ctx context.Context, r *keys.Registry, id string) (keys.Key, error) {
			issued, err := r.Rotate(ctx, id)
			return issued.Key, err
		},
		"retire": func(ctx context.Context, r *keys.Registry, id string) (keys.Key, error) { return r.Retire(ctx, id, "") },
		"revoke": func(ctx context.Context, r *keys.Registry, id string) (keys.Key, error) { return r.Revoke(ctx, id) },
		"set": func(ctx context.Context, r *keys.Registry, id string) (keys.Key, error) {
			before, after, err := r.Set(ctx, id, keys.Changes{Label: new("portal")})
			if err == nil && before.Label != "" {
				err = errors.New("the key before the change has it")
			}
			return after, err
		},
	}
}

func TestTheNewerSecretCanBeRetiredInstead(t *testing.T) {
	store := newMemory()
	registry := newRegistry(store, &clock{})
	first := create(t, registry)
	id := first.Key.ID
	second, err := registry.Rotate(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := registry.Retire(t.Context(), id, "ts_none"); !errors.Is(err, keys.ErrUnknownSecret) {
		t.Fatalf("got %v, want ErrUnknownSecret", err)
	}
	if _, err := registry.Retire(t.Context(), id, second.Key.Current.ID); err != nil {
		t.Fatal(err)
	}
	verifies(t, store, id, first.Secret)
	if _, err := registry.Retire(t.Context(), id, first.Key.Current.ID); !errors.Is(err, keys.ErrNotRotating) {
		t.Fatalf("got %v, want ErrNotRotating", err)
	}
}

func TestALostAnswerIsNeitherDoneTwiceNorCalledAFailure(t *testing.T) {
	for name, answer := range map[string]error{
		"applied, answer lost":                    errBroken,
		"applied, answer lost, retry of it fails": keys.ErrConflict,
	} {
		t.Run(name, func(t *testing.T) {
			store := &faulty{Store: newMemory()}
			registry := newRegistry(store, &clock{})
			store.meets(true, answer)
			issued := create(t, registry)
			id := issued.Key.ID
			verifies(t, store, id, issued.Secret)

			store.meets(true, answer)
			rotated, err := registry.Rotate(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			verifies(t, store, id, rotated.Secret, issued.Secret)
			for _, name := range []string{"set", "retire", "revoke"} {
				store.meets(true, answer)
				k, err := changes()[name](t.Context(), registry, id)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				stored, err := store.Get(t.Context(), id)
				if err != nil || stored.Version != k.Version {
					t.Fatalf("%s: answered version %d, stored is %d (%v)", name, k.Version, stored.Version, err)
				}
			}
			if store.puts != 5 {
				t.Fatalf("%d puts for 5 changes", store.puts)
			}
		})
	}
}

func TestAChangeThatWasNotAppliedFails(t *testing.T) {
	store := &faulty{Store: newMemory()}
	registry := newRegistry(store, &clock{})
	for _, answer := range []error{errBroken, keys.ErrConflict} {
		store.meets(false, answer)
		if _, err := registry.Create(t.Context(), request()); !errors.Is(err, answer) {
			t.Fatalf("create: got %v, want %v", err, answer)
		}
	}
	if list, _ := store.List(t.Context()); len(list) != 0 {
		t.Fatalf("%d keys, want none", len(list))
	}
	id := create(t, registry).Key.ID
	for _, name := range []string{"rotate", "set", "revoke"} {
		before, _ := store.Get(t.Context(), id)
		store.meets(false, errBroken)
		if _, err := changes()[name](t.Context(), registry, id); !errors.Is(err, errBroken) {
			t.Fatalf("%s: got %v, want the store's failure", name, err)
		}
		after, _ := store.Get(t.Context(), id)
		if diff := diffKeys(before, after); diff != "" {
			t.Fatalf("%s changed the key: %s", name, diff)
		}
	}
}

func TestAChangeThatNeverWinsGivesUp(t *testing.T) {
	store := &faulty{Store: newMemory()}
	id := create(t, newRegistry(store, &clock{})).Key.ID
	var comesLate func(context.Context, keys.Key) error
	comesLate = func(context.Context, keys.Key) error { store.next = comesLate; return keys.ErrConflict }
	store.next = comesLate
	if _, err := newRegistry(store, &clock{}).Revoke(t.Context(), id); !errors.Is(err, keys.ErrConflict) || store.puts > 100 {
		t.Fatalf("got %v after %d puts, want ErrConflict", err, store.puts)
	}
}

// TestARetriedRetirementSparesTheNextSecret: another operator rotates between a
// retirement whose response is lost and its retry.
func TestARetriedRetirementSparesTheNextSecret(t *testing.T) {
	memory := newMemory()
	other := newRegistry(memory, &clock{})
	id := create(t, other).Key.ID
	second, err := other.Rotate(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	var third keys.Issued
	store := &faulty{Store: memory, next: func(ctx context.Context, k keys.Key) error {
		if err := memory.Put(ctx, k); err != nil {
			return err
		}
		if third, err = other.Rotate(ctx, id); err != nil {
			return err
		}
		return keys.ErrConflict
	}}
	if _, err := newRegistry(store, &clock{}).Retire(t.Context(), id, ""); err != nil {
		t.Fatal(err)
	}
	verifies(t, memory, id, third.Secret, second.Secret)
}

func TestChangesAtTheSameTimeAreAllKept(t *testing.T) {
	overStores(t, func(t *testing.T, store keys.Store) {
		registry := newRegistry(store, &clock{})
		first := create(t, registry)
		id := first.Key.ID
		var (
			all     sync.WaitGroup
			mu      sync.Mutex
			rotated []keys.Issued
		)
		for range 4 {
			all.Go(func() {
				issued, err := registry.Rotate(t.Context(), id)
				if err == nil {
					mu.Lock()
					defer mu.Unlock()
					rotated = append(rotated, issued)
				} else if !errors.Is(err, keys.ErrRotating) {
					t.Error(err)
				}
			})
		}
		for i := range 4 {
			all.Go(func() {
				quota := i + 1
				if _, _, err := registry.Set(t.Context(), id, keys.Changes{MonthlyQuota: &quota}); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if len(rotated) != 1 {
			t.Fatalf("%d rotations went through, want 1", len(rotated))
		}
		verifies(t, store, id, rotated[0].Secret, first.Secret)
		k, err := store.Get(t.Context(), id)
		if err != nil || len(k.History) != 6 { // made, rotated, and four quotas
			t.Fatalf("%v, %v", k.History, err)
		}
	})
}

func TestASecretThatCannotBeSealedIsNotIssued(t *testing.T) {
	store := &faulty{Store: newMemory()}
	registry := newRegistry(store, &clock{})
	id := create(t, registry).Key.ID
	registry.Sealer = brokenSealer{}
	if _, err := registry.Create(t.Context(), request()); !errors.Is(err, errBroken) {
		t.Errorf("create: got %v", err)
	}
	if _, err := registry.Rotate(t.Context(), id); !errors.Is(err, errBroken) {
		t.Errorf("rotate: got %v", err)
	}
	if store.puts != 1 {
		t.Errorf("%d puts, want only that of the first key", store.puts)
	}
}
