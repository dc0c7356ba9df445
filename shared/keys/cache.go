package keys

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"golang.org/x/sync/singleflight"

	"touchline/shared/meter"
)

const (
	// CredentialTTL is how long a credential serves, counted from before its
	// record was read. A revocation counts within 60 seconds (D10); half of it
	// leaves room for the read and for clocks that are set.
	CredentialTTL = 30 * time.Second
	// SealedTTL is how long a key is refused, unread, whose secret cannot be opened.
	// Its caller is not known, so that neither the failures of an address nor a rate
	// bound how often a read and a call of KMS would be for nothing.
	SealedTTL = 10 * time.Second
	// OpenedTTL is how long a secret that was opened is not opened again where
	// its record, read again, holds the very same sealed bytes: a sealer bills
	// each call and takes longer than the read. What ends a key is its record;
	// a KMS key that is taken away counts within this time.
	OpenedTTL = time.Hour
	// loadTimeout bounds one read and unsealing, whose callers answer 503 then.
	loadTimeout = 5 * time.Second
	// DefaultCacheSize in credentials of about one kilobyte each.
	DefaultCacheSize = 10_000
)

// ErrUnavailable says that the store or the sealer could not answer, or that
// what is stored cannot be opened; the cause is wrapped for the log and holds no
// secret. The request is answered 503 integrationsUnavailable (D3).
var ErrUnavailable = errors.New("the credential store is unavailable")

// OpenError is an ErrUnavailable about a secret that was not opened. The key
// exists.
type OpenError struct {
	KeyID string
	Err   error // ErrSealed: it never will be
}

// Error implements error.
func (e *OpenError) Error() string {
	return fmt.Sprintf("%v: secret of key %s: %v", ErrUnavailable, e.KeyID, e.Err)
}

// Unwrap gives ErrUnavailable and the cause.
func (e *OpenError) Unwrap() []error { return []error{ErrUnavailable, e.Err} }

// Credential is a key with its secrets in the clear, ready to verify with. It is
// shared by all requests and must not be changed.
type Credential struct {
	Key
	secrets concealed[[]string] // nil: none
}

// Secrets gives the secrets that verify, the newest first; none where the key was
// not valid when it was read. The slice must be neither changed nor printed.
func (c *Credential) Secrets() []string {
	if c.secrets == nil {
		return nil
	}
	return c.secrets()
}

// Records is where the cache reads records; a Store is one.
type Records interface {
	// Get is Store.Get.
	Get(ctx context.Context, id string) (Key, error)
}

// Opener opens what a Sealer sealed; a Sealer is one.
type Opener interface {
	// Open is Sealer.Open.
	Open(ctx context.Context, keyID string, sealed []byte) ([]byte, error)
}

// Cache keeps the credentials a worker has seen, the most recently used where
// there is no room for all. Only keys that exist take room, so a flood of unknown
// ids displaces nothing. It is safe for concurrent use.
type Cache struct {
	Records Records
	Opener  Opener
	Now     func() time.Time
	Size    int // credentials at most; 0: DefaultCacheSize

	mu      sync.Mutex
	entries *simplelru.LRU[string, entry] // nil until the first
	flights singleflight.Group
}

type entry struct {
	credential *Credential
	err        error     // in place of the credential: its secrets can never be opened
	readAt     time.Time // by the wall clock, just before the read
	opened     []opened  // its secrets, for the next read
}

// opened is a secret in the clear, with the sealed bytes it was opened from.
type opened struct {
	sealed Ciphertext
	secret Secret
	at     time.Time // by the wall clock
}

// Lookup gives the credential of the key id. Whether it is valid now is for the
// caller to ask. Errors: ErrUnknown; ErrUnavailable, also where ctx ends first.
func (c *Cache) Lookup(ctx context.Context, id string) (*Credential, error) {
	if !IsID(id) {
		return nil, ErrUnknown
	}
	if e, ok := c.fresh(id); ok {
		meter.Hit(ctx, meter.Keys, 1)
		return e.credential, e.err
	}
	for attempt := range 2 {
		e, own, err := c.load(ctx, id)
		switch {
		case errors.Is(err, ErrUnknown) && !own && attempt == 0:
			// The read that was joined may have begun before the key was
			// created, and a key works at once. The next began after this call.
		case err == nil && !c.isFresh(e):
			// The worker was frozen while it read.
		default:
			return e.credential, cmp.Or(err, e.err)
		}
	}
	return nil, fmt.Errorf("%w: the read of a key took too long", ErrUnavailable)
}

// load reads and opens a credential. Callers that ask for one id at the same time
// share one read, which does not end when one of them leaves. own reports whether
// the read began in this call.
func (c *Cache) load(ctx context.Context, id string) (_ entry, own bool, _ error) {
	began := false
	result := c.flights.DoChan(id, func() (any, error) {
		began = true
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), loadTimeout)
		defer cancel()
		return c.read(ctx, id)
	})
	select {
	case r := <-result:
		e, _ := r.Val.(entry)
		return e, began, r.Err
	case <-ctx.Done(): // began is the other goroutine's still
		return entry{}, false, fmt.Errorf("%w: %w", ErrUnavailable, context.Cause(ctx))
	}
}

// read asks the store and the sealer, and keeps what they say.
func (c *Cache) read(ctx context.Context, id string) (_ entry, err error) {
	defer func() {
		// In a goroutine of its own a panic would end the worker.
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: panic in the read of a key", ErrUnavailable)
		}
	}()
	now := c.wallClock()
	k, err := c.Records.Get(ctx, id)
	if errors.Is(err, ErrUnknown) {
		return entry{}, ErrUnknown
	}
	if err != nil {
		return entry{}, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	e := entry{readAt: now}
	e.credential, e.opened, err = c.open(ctx, k, now)
	if err != nil {
		e.err = &OpenError{KeyID: k.ID, Err: err}
	}
	if err != nil && !errors.Is(err, ErrSealed) {
		return entry{}, e.err // it may pass
	}
	c.keep(id, e)
	return e, nil
}

// open unseals the secrets of a key. A key that is no longer valid (revoked,
// expired, of another resource type) needs none, and is refused with 401 even
// if its secrets cannot be opened any more.
func (c *Cache) open(ctx context.Context, k Key, now time.Time) (*Credential, []opened, error) {
	if !k.Valid(now) {
		return &Credential{Key: k.withoutSealed()}, nil, nil
	}
	sealed := []SealedSecret{k.Current}
	if k.Previous != nil {
		sealed = append(sealed, *k.Previous)
	}
	before := c.openedBefore(k.ID)
	secrets, all := make([]string, 0, len(sealed)), make([]opened, 0, len(sealed))
	for _, s := range sealed {
		o, err := c.openOne(ctx, k.ID, s.Sealed, before, now)
		if err != nil {
			return nil, nil, err
		}
		secrets, all = append(secrets, o.secret.Reveal()), append(all, o)
	}
	return &Credential{Key: k.withoutSealed(), secrets: conceal(secrets)}, all, nil
}

// openOne finds a secret among those opened before, else opens it.
func (c *Cache) openOne(ctx context.Context, id string, sealed Ciphertext, before []opened, now time.Time) (opened, error) {
	for _, o := range before {
		if age := now.Sub(o.at); bytes.Equal(o.sealed, sealed) && age >= 0 && age < OpenedTTL {
			meter.Hit(ctx, meter.Secrets, 1)
			return o, nil
		}
	}
	call := meter.Begin(ctx, meter.Secrets)
	plain, err := c.Opener.Open(ctx, id, sealed)
	call.End(1)
	if err != nil {
		return opened{}, err
	}
	secret, err := SecretFrom(string(plain))
	return opened{sealed, secret, now}, err
}

// openedBefore are the secrets of a key that the last read of it opened.
func (c *Cache) openedBefore(id string) []opened {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries == nil {
		return nil
	}
	kept, _ := c.entries.Peek(id)
	return kept.opened
}

// fresh gives the entry kept, if there is one that is not too old. One that is
// keeps its place for the secrets it holds.
func (c *Cache) fresh(id string) (entry, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries == nil {
		return entry{}, false
	}
	kept, ok := c.entries.Get(id)
	if !ok || !c.isFresh(kept) {
		return entry{}, false
	}
	return kept, true
}

// isFresh reports whether an entry may serve. An age below zero means that the
// clock was set, and proves nothing.
func (c *Cache) isFresh(e entry) bool {
	life := CredentialTTL
	if e.err != nil {
		life = SealedTTL
	}
	age := c.wallClock().Sub(e.readAt)
	return age >= 0 && age < life
}

func (c *Cache) keep(id string, e entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries == nil {
		size := c.Size
		if size <= 0 {
			size = DefaultCacheSize
		}
		c.entries, _ = simplelru.NewLRU[string, entry](size, nil) // fails for no size above zero
	}
	c.entries.Add(id, e)
}

// wallClock leaves the monotonic clock out: it stops while a worker is frozen
// between requests.
func (c *Cache) wallClock() time.Time { return c.Now().Round(0) }
