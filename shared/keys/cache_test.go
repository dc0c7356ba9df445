package keys_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"touchline/shared/keys"
	"touchline/shared/meter"
)

// records is a store that counts reads, and can fail or wait.
type records struct {
	keys.Store
	reads  atomic.Int64
	before func(ctx context.Context) error // called before each read returns; nil: not
}

func (r *records) Get(ctx context.Context, id string) (keys.Key, error) {
	r.reads.Add(1)
	k, err := r.Store.Get(ctx, id)
	if r.before != nil {
		if err := r.before(ctx); err != nil {
			return keys.Key{}, err
		}
	}
	return k, err
}

// worker is a cache over records, with a registry that changes them.
type worker struct {
	*keys.Cache
	records  *records
	registry *keys.Registry
	clock    *clock
	spent    *meter.Meter
}

func newWorker(size int) worker {
	store, now := &records{Store: newMemory()}, &clock{}
	return worker{
		Cache:    &keys.Cache{Records: store, Opener: newSealer(), Now: now.Now, Size: size},
		records:  store,
		registry: newRegistry(store.Store, now),
		clock:    now,
		spent:    &meter.Meter{Now: now.Now},
	}
}

// lookup fails the test unless it finds a credential, after the given number of
// reads since the worker was made.
func (w worker) lookup(t *testing.T, id string, reads int64) *keys.Credential {
	t.Helper()
	c, err := w.Lookup(meter.With(t.Context(), w.spent), id)
	if err != nil {
		t.Fatal(err)
	}
	if got := w.records.reads.Load(); got != reads {
		t.Fatalf("%d reads, want %d", got, reads)
	}
	return c
}

func TestACredentialServesUntilItIsTooOld(t *testing.T) {
	w := newWorker(0)
	issued := create(t, w.registry)
	id := issued.Key.ID
	w.lookup(t, id, 1)
	w.clock.move(keys.CredentialTTL - 1)
	c := w.lookup(t, id, 1)
	if got := c.Secrets(); len(got) != 1 || got[0] != issued.Secret.Reveal() {
		t.Fatalf("%d secrets, want the one issued", len(got))
	}
	issued.Key.History = nil // which a worker does not keep
	if diff := diffKeys(issued.Key, c.Key); diff != "" {
		t.Fatal(diff)
	}
	w.clock.move(1)
	w.lookup(t, id, 2)
	w.clock.move(-time.Hour) // a clock set back proves no age
	w.lookup(t, id, 3)
	if use := w.spent.Uses(); use[meter.Keys].Hits != 1 || use[meter.Secrets].Hits != 1 || use[meter.Secrets].Trips != 2 {
		t.Errorf("%+v", use)
	}
}

func TestARevocationCountsWithinSixtySeconds(t *testing.T) {
	w := newWorker(0)
	id := create(t, w.registry).Key.ID
	w.lookup(t, id, 1)
	w.clock.move(time.Second)
	if _, err := w.registry.Revoke(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if c := w.lookup(t, id, 1); !c.Valid(w.clock.Now()) {
		t.Fatal("revoked in a cache that cannot know")
	}
	w.clock.move(59 * time.Second)
	if c := w.lookup(t, id, 2); c.Valid(w.clock.Now()) || len(c.Secrets()) != 0 {
		t.Fatal("still valid 59 seconds after the revocation")
	}
}

// openings counts the secrets that are opened.
type openings struct {
	keys.Opener
	count atomic.Int64
}

func (o *openings) Open(ctx context.Context, keyID string, sealed []byte) ([]byte, error) {
	o.count.Add(1)
	return o.Opener.Open(ctx, keyID, sealed)
}

func TestASecretIsOpenedAgainOnlyWhenItIsAnotherOrAnHourHasPassed(t *testing.T) {
	w := newWorker(0)
	opener := &openings{Opener: w.Opener}
	w.Opener = opener
	first := create(t, w.registry)
	id := first.Key.ID
	steps := []struct {
		name   string
		do     func() error
		after  time.Duration
		opened int64 // from the beginning
		want   int   // secrets
	}{
		{"the first time", nil, 0, 1, 1},
		{"the record read again", nil, keys.CredentialTTL, 1, 1},
		{"rotated: the new one alone", func() error { _, err := w.registry.Rotate(t.Context(), id); return err }, keys.CredentialTTL, 2, 2},
		{"retired: neither", func() error { _, err := w.registry.Retire(t.Context(), id, ""); return err }, keys.CredentialTTL, 2, 1},
		{"an hour later", nil, keys.OpenedTTL, 3, 1},
		{"the clock set back", nil, -time.Minute, 4, 1},
	}
	for i, step := range steps {
		if step.do != nil {
			if err := step.do(); err != nil {
				t.Fatalf("%s: %v", step.name, err)
			}
		}
		w.clock.move(step.after)
		c := w.lookup(t, id, int64(i+1))
		if got := opener.count.Load(); got != step.opened || len(c.Secrets()) != step.want {
			t.Errorf("%s: %d secrets, %d opened since the beginning; want %d and %d", step.name, len(c.Secrets()), got, step.want, step.opened)
		}
	}
	w.clock.move(time.Minute)
	if _, err := w.registry.Revoke(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if c := w.lookup(t, id, int64(len(steps)+1)); len(c.Secrets()) != 0 {
		t.Error("a revoked key keeps the secret that was opened")
	}
}

// putSealed stores a key with one secret.
func putSealed(t *testing.T, w worker, k keys.Key) {
	t.Helper()
	sealed, err := newSealer().Seal(t.Context(), k.ID, []byte("a secret"))
	if err != nil {
		t.Fatal(err)
	}
	k.Current.Sealed, k.Previous = sealed, nil
	if err := w.records.Put(t.Context(), k); err != nil {
		t.Fatal(err)
	}
}

func TestAnIDOfAnotherFormIsUnknownWithoutARead(t *testing.T) {
	w := newWorker(0)
	for _, id := range []string{"", "a b", "tk_é", "a/b", strings.Repeat("a", 101)} {
		if _, err := w.Lookup(t.Context(), id); !errors.Is(err, keys.ErrUnknown) {
			t.Errorf("%.20q: got %v, want ErrUnknown", id, err)
		}
	}
	if n := w.records.reads.Load(); n != 0 {
		t.Fatalf("%d reads", n)
	}
}

func TestTheCacheIsBoundedAndUnknownIdsTakeNoRoom(t *testing.T) {
	w := newWorker(2)
	a, b := create(t, w.registry).Key.ID, create(t, w.registry).Key.ID
	w.lookup(t, a, 1)
	w.lookup(t, b, 2)
	for i := range 100 {
		if _, err := w.Lookup(t.Context(), fmt.Sprintf("tk_flood%d", i)); !errors.Is(err, keys.ErrUnknown) {
			t.Fatalf("got %v, want ErrUnknown", err)
		}
	}
	w.lookup(t, b, 102)
	w.lookup(t, a, 102)
	c := create(t, w.registry).Key.ID
	w.lookup(t, c, 103)
	w.lookup(t, a, 103)
	w.lookup(t, b, 104) // the least recently used was evicted
}

func TestAFailureIsUnavailableAndNeverAnOldCredential(t *testing.T) {
	w := newWorker(0)
	id := create(t, w.registry).Key.ID
	w.lookup(t, id, 1)
	w.records.before = func(context.Context) error { return errBroken }
	w.lookup(t, id, 1)
	w.clock.move(keys.CredentialTTL)
	if c, err := w.Lookup(t.Context(), id); !errors.Is(err, keys.ErrUnavailable) || !errors.Is(err, errBroken) || c != nil {
		t.Fatalf("got %v and %v, want ErrUnavailable with its cause", c, err)
	}
	w.records.before = nil
	w.lookup(t, id, 3) // a failure is not cached
}

func TestASecretThatCannotBeOpenedIsUnavailable(t *testing.T) {
	const plain = "open sesame"
	for name, test := range map[string]struct {
		opener keys.Opener
		spoil  func(*keys.Key)
		cause  error
		reads  int64 // of two lookups: what can never be opened is not read again
	}{
		"the sealer fails":     {brokenSealer{}, func(*keys.Key) {}, errBroken, 2},
		"a flipped bit":        {newSealer(), func(k *keys.Key) { k.Current.Sealed[20] ^= 1 }, keys.ErrSealed, 1},
		"nothing sealed":       {newSealer(), func(k *keys.Key) { k.Current.Sealed = nil }, keys.ErrSealed, 1},
		"another key's secret": {newSealer(), func(k *keys.Key) { k.ID = "tk_other" }, keys.ErrSealed, 1},
		"the older secret of two": {newSealer(), func(k *keys.Key) {
			k.Previous = &keys.SealedSecret{Sealed: []byte(plain)}
		}, keys.ErrSealed, 1},
		"an empty secret": {emptySecret{}, func(*keys.Key) {}, nil, 2},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorker(0)
			w.Opener = test.opener
			k := fullKey("tk_1")
			sealed, err := newSealer().Seal(t.Context(), k.ID, []byte(plain))
			if err != nil {
				t.Fatal(err)
			}
			k.RevokedAt, k.Previous, k.Current.Sealed = nil, nil, sealed
			test.spoil(&k)
			if err := w.records.Put(t.Context(), k); err != nil {
				t.Fatal(err)
			}
			c, err := w.Lookup(t.Context(), k.ID)
			if !errors.Is(err, keys.ErrUnavailable) || c != nil || test.cause != nil && !errors.Is(err, test.cause) {
				t.Fatalf("got %v and %v, want ErrUnavailable", c, err)
			}
			if strings.Contains(err.Error(), plain) || !strings.Contains(err.Error(), k.ID) {
				t.Fatalf("%v: should name the key and not the secret", err)
			}
			if _, again := w.Lookup(t.Context(), k.ID); again == nil || w.records.reads.Load() != test.reads {
				t.Errorf("again: %v, %d reads, want %d", again, w.records.reads.Load(), test.reads)
			}
		})
	}
}

// TestASecretThatNeverOpensIsNotTriedAtEachRequest: otherwise anybody who knows
// the id of such a key could cause a read and a call to KMS at will.
func TestASecretThatNeverOpensIsNotTriedAtEachRequest(t *testing.T) {
	w := newWorker(0)
	k := fullKey("tk_1")
	k.RevokedAt = nil
	putSealed(t, w, k)
	good, err := w.records.Store.Get(t.Context(), k.ID)
	if err != nil {
		t.Fatal(err)
	}
	spoiled := good
	spoiled.Current.Sealed = []byte("nothing of the sealer's, and long enough to be something")
	put := func(k keys.Key) {
		t.Helper()
		stored, err := w.records.Store.Get(t.Context(), k.ID)
		if err != nil {
			t.Fatal(err)
		}
		k.Version = stored.Version
		if err := w.records.Put(t.Context(), k); err != nil {
			t.Fatal(err)
		}
	}
	put(spoiled)
	opener := &openings{Opener: newSealer()}
	w.Opener = opener
	refused := func(reads int64) {
		t.Helper()
		c, err := w.Lookup(t.Context(), k.ID)
		if c != nil || !errors.Is(err, keys.ErrUnavailable) || !errors.Is(err, keys.ErrSealed) {
			t.Errorf("%v, %v", c, err)
		}
		if w.records.reads.Load() != reads || opener.count.Load() != reads {
			t.Errorf("%d reads, %d openings, want %d", w.records.reads.Load(), opener.count.Load(), reads)
		}
	}
	refused(1)
	w.clock.move(keys.SealedTTL - 1)
	refused(1)
	put(good)
	w.clock.move(1)
	w.lookup(t, k.ID, 2)
}

type emptySecret struct{}

func (emptySecret) Open(context.Context, string, []byte) ([]byte, error) { return nil, nil }

// TestAKeyThatIsOverNeedsNoSecret: it is refused like any other, also after its
// secret can no longer be opened.
func TestAKeyThatIsOverNeedsNoSecret(t *testing.T) {
	past := start.Add(-time.Second)
	for name, end := range map[string]func(*keys.Key){
		"revoked":                  func(k *keys.Key) { k.RevokedAt = &past },
		"expired":                  func(k *keys.Key) { k.ExpiresAt = &past },
		"of another resource type": func(k *keys.Key) { k.ResourceType = "competition" },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorker(0)
			w.Opener = brokenSealer{}
			k := fullKey("tk_1")
			k.RevokedAt = nil
			end(&k)
			if err := w.records.Put(t.Context(), k); err != nil {
				t.Fatal(err)
			}
			if c := w.lookup(t, k.ID, 1); c.Valid(start) || len(c.Secrets()) != 0 {
				t.Fatal("valid, or with secrets")
			}
		})
	}
}

func TestALookupOfWhatIsKeptAllocatesNothing(t *testing.T) {
	w := newWorker(0)
	id := create(t, w.registry).Key.ID
	ctx := t.Context()
	allocations := testing.AllocsPerRun(100, func() {
		c, err := w.Lookup(ctx, id)
		if err != nil || len(c.Secrets()) != 1 {
			t.Fatal("no credential")
		}
	})
	if allocations != 0 {
		t.Fatalf("%v allocations", allocations)
	}
}

func TestAStoreThatHangsIsUnavailable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorker(0)
		w.records.before = func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		}
		began := time.Now()
		if _, err := w.Lookup(t.Context(), "tk_1"); !errors.Is(err, keys.ErrUnavailable) {
			t.Fatalf("got %v, want ErrUnavailable", err)
		}
		if took := time.Since(began); took > 10*time.Second {
			t.Fatalf("after %s", took)
		}
	})
}

// TestAWorkerFrozenWhileItReadsReadsAgain: what it held may be hours old.
func TestAWorkerFrozenWhileItReadsReadsAgain(t *testing.T) {
	w := newWorker(0)
	id := create(t, w.registry).Key.ID
	freezes := 1
	w.records.before = func(context.Context) error {
		if freezes > 0 {
			freezes--
			w.clock.move(time.Hour)
		}
		return nil
	}
	w.lookup(t, id, 2)
	w.clock.move(time.Hour)
	freezes = 2
	if _, err := w.Lookup(t.Context(), id); !errors.Is(err, keys.ErrUnavailable) {
		t.Fatalf("got %v, want ErrUnavailable", err)
	}
}
