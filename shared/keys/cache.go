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

	"touchline/shared/meter"
)

const (
	// CredentialTTL is how long a credential is used, counted from just before
	// its record was read. A revocation must take effect within 60 seconds
	// (D10); half of that leaves room for the read and for clocks that are
	// adjusted.
	CredentialTTL = 30 * time.Second
	// SealedTTL is how long a key whose secret cannot be opened is refused
	// without reading it again. Nobody has authenticated yet, so no rate limit
	// bounds how often such a request would cost a read and a call to KMS.
	SealedTTL = 10 * time.Second
	// OpenedTTL is how long an opened secret is reused when its record is read
	// again and holds the same sealed bytes: opening takes longer than the read,
	// and KMS bills each call. A key ends by a change to its record; if a KMS
	// key is taken away instead, that takes effect within this time.
	OpenedTTL = time.Hour
	// loadTimeout bounds one read with its unsealing. Beyond it, callers answer
	// 503.
	loadTimeout = 5 * time.Second
	// DefaultCacheSize is a number of credentials, of about one kilobyte each.
	DefaultCacheSize = 10_000
)

// ErrUnavailable says that the store or the sealer failed, or that what is
// stored cannot be opened. It wraps the cause, for the log, which holds no
// secret. The response is 503 integrationsUnavailable (D3).
var ErrUnavailable = errors.New("the credential store is unavailable")

// OpenError is an ErrUnavailable for a key that exists but whose secret could
// not be opened.
type OpenError struct {
	KeyID string
	Err   error // ErrSealed: it can never be opened
}

// Error implements error.
func (e *OpenError) Error() string {
	return fmt.Sprintf("%v: secret of key %s: %v", ErrUnavailable, e.KeyID, e.Err)
}

// Unwrap returns ErrUnavailable and the cause.
func (e *OpenError) Unwrap() []error { return []error{ErrUnavailable, e.Err} }

// Credential is a key with its secrets in the clear, ready to verify with. It is
// shared by all requests and must not be changed.
type Credential struct {
	Key
	secrets concealed[[]string] // nil: none
}

// Secrets returns the secrets that verify a signature, newest first; none if the
// key was not valid when it was read. The caller must neither change nor print
// the slice.
func (c *Credential) Secrets() []string {
	if c.secrets == nil {
		return nil
	}
	return c.secrets()
}

// Cache keeps the credentials that a worker has seen; when it is full, the least
// recently used goes. Only keys that exist take up room, so a flood of unknown
// ids evicts nothing. It is safe for concurrent use.
type Cache struct {
	Records Store // of which it asks for Get alone
	Opener  Opener
	Now     func() time.Time
	Size    int // credentials at most; 0: DefaultCacheSize

	mu      sync.Mutex
	entries *simplelru.LRU[string, entry] // nil before the first is kept
}

type entry struct {
	credential *Credential
	err        error     // instead of a credential: its secrets can never be opened
	readAt     time.Time // by the wall clock, just before the read
	opened     []opened  // its secrets, for the next read
}

// opened is a secret in the clear, with the sealed bytes it was opened from.
type opened struct {
	sealed Ciphertext
	secret Secret
	at     time.Time // by the wall clock
}

// Lookup returns the credential of a key id. The caller checks whether it is
// valid now. Errors: ErrUnknown; ErrUnavailable, also if ctx ends first.
func (c *Cache) Lookup(ctx context.Context, id string) (*Credential, error) {
	if !IsID(id) {
		return nil, ErrUnknown
	}
	if e, ok := c.fresh(id); ok {
		meter.Hit(ctx, meter.Keys, 1)
		return e.credential, e.err
	}
	for range 2 {
		e, err := c.read(ctx, id)
		if err != nil || c.isFresh(e) { // else the worker was frozen during the read
			return e.credential, cmp.Or(err, e.err)
		}
	}
	return nil, fmt.Errorf("%w: the read of a key took too long", ErrUnavailable)
}

// read reads a record and opens its secrets, and caches the outcome.
func (c *Cache) read(ctx context.Context, id string) (entry, error) {
	ctx, cancel := context.WithTimeout(ctx, loadTimeout)
	defer cancel()
	now := c.wallClock()
	k, err := c.Records.Get(ctx, id)
	if errors.Is(err, ErrUnknown) {
		return entry{}, ErrUnknown
	}
	if err != nil {
		return entry{}, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	k.History = nil // which takes memory, and no request needs
	e := entry{readAt: now}
	e.credential, e.opened, err = c.open(ctx, k, now)
	if err != nil {
		e.err = &OpenError{KeyID: k.ID, Err: err}
	}
	if err != nil && !errors.Is(err, ErrSealed) {
		return entry{}, e.err // the next attempt may succeed
	}
	c.keep(id, e)
	return e, nil
}

// open unseals the secrets of a key. A key that is no longer valid (revoked,
// expired, of another resource type) needs none: it is refused with 401 even if
// its secrets can no longer be opened.
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

// openOne returns a secret, from those opened before if it is among them.
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

// openedBefore returns the secrets that were opened at the last read of a key.
func (c *Cache) openedBefore(id string) []opened {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries == nil {
		return nil
	}
	kept, _ := c.entries.Peek(id)
	return kept.opened
}

// fresh returns the cached entry, unless it is too old. An old entry stays in
// the cache for its opened secrets.
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

// isFresh reports whether an entry is recent enough to use. A negative age means
// that the clock was set back, and proves nothing.
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
		c.entries, _ = simplelru.NewLRU[string, entry](cmp.Or(c.Size, DefaultCacheSize), nil) // fails for no size above zero
	}
	c.entries.Add(id, e)
}

// wallClock is the time without the monotonic clock, which stops while a worker
// is frozen between requests.
func (c *Cache) wallClock() time.Time { return c.Now().Round(0) }
