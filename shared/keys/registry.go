package keys

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"
)

// Store keeps the records of keys. Any error other than ErrUnknown, ErrDamaged and
// ErrConflict is a failure of the store; a Put that failed may have been
// applied.
type Store interface {
	// Get returns the record with that id as last written (no stale reads), or
	// ErrUnknown, or ErrDamaged.
	Get(ctx context.Context, id string) (Key, error)
	// List returns every record without its sealed secrets, by creation and then
	// id; of one that is damaged the id alone.
	List(ctx context.Context) ([]Key, error)
	// Put stores the key as the next version, if the stored version is still the
	// one that was read (k.Version; 0: there must be none; Unread: whatever is there).
	// Otherwise it changes nothing and returns ErrConflict.
	Put(ctx context.Context, k Key) error
}

var (
	// ErrUnknown says that there is no key with the id.
	ErrUnknown = errors.New("no such key")
	// ErrDamaged says that the record of a key cannot be read.
	ErrDamaged = errors.New("the record of the key cannot be read")
	// ErrConflict says that a key has changed since it was read.
	ErrConflict = errors.New("the key was changed at the same time")
)

// Registry makes the changes that operators ask for. They may run concurrently,
// and a lost response does no harm: if the store fails, the record is read back
// before the change is reported as failed.
type Registry struct {
	Store  Store
	Sealer Sealer
	Now    func() time.Time
	// By says who asks for a change, for the history of the key; nil: nobody knows.
	By func(context.Context) string
}

// event is a change that is made now.
func (r *Registry) event(ctx context.Context, changes []FieldChange) Event {
	e := Event{At: moment(r.Now()), Changes: changes}
	if r.By != nil {
		e.By = r.By(ctx)
	}
	return e
}

// Issued is a key with the secret that was made for it, which is shown now and
// never again.
type Issued struct {
	Key    Key
	Secret Secret
}

var (
	// ErrRotating says that a key has two secrets already: one must be retired
	// before the next rotation.
	ErrRotating = errors.New("the key has two secrets, retire one first")
	// ErrNotRotating says that a key has only one secret, which stays.
	ErrNotRotating = errors.New("the key has one secret only")
	// ErrUnknownSecret says that the key has no secret with that id.
	ErrUnknownSecret = errors.New("the key has no such secret")
	// ErrRevoked says that a revoked key gets no new secret.
	ErrRevoked = errors.New("the key is revoked")
)

// Create makes a key with a new id and secret. It works at once (D10). Errors:
// FieldErrors (see NewKey), or a failure of the sealer or the store.
func (r *Registry) Create(ctx context.Context, req Request) (Issued, error) {
	k, err := NewKey(req, r.Now())
	if err != nil {
		return Issued{}, err
	}
	secret, sealed, err := r.newSecret(ctx, k.ID)
	if err != nil {
		return Issued{}, err
	}
	k.Current = sealed
	k.note(r.event(ctx, nil))
	if failed := r.Store.Put(ctx, k); failed != nil {
		stored, err := r.Store.Get(ctx, k.ID)
		if err != nil || !stored.HasSecret(sealed.ID) {
			return Issued{}, fmt.Errorf("create key: %w", failed)
		}
		return Issued{Key: stored.withoutSealed(), Secret: secret}, nil
	}
	k.Version++
	return Issued{Key: k.withoutSealed(), Secret: secret}, nil
}

// Rotate gives the key a new secret. The old one stays valid until it is
// retired. Errors: ErrUnknown, ErrRevoked, ErrRotating, or a failure.
func (r *Registry) Rotate(ctx context.Context, id string) (Issued, error) {
	secret, sealed, err := r.newSecret(ctx, id)
	if err != nil {
		return Issued{}, err
	}
	k, err := r.change(ctx, id, func(k Key) (Key, error) {
		switch {
		case k.HasSecret(sealed.ID):
			return k, errDone
		case k.RevokedAt != nil:
			return k, ErrRevoked
		case k.Previous != nil:
			return k, ErrRotating
		}
		previous := k.Current
		k.Previous, k.Current = &previous, sealed
		return k, nil
	})
	if err != nil {
		return Issued{}, err
	}
	return Issued{Key: k, Secret: secret}, nil
}

// Retire ends a rotation: it drops the secret with that id, such as the newer one if it
// was never delivered; for no id the older one. It takes effect within 60 seconds (D10).
// It drops no other: a retry after the next rotation must not drop a secret that is in
// use. Errors: ErrUnknown, ErrUnknownSecret, ErrNotRotating, or a failure.
func (r *Registry) Retire(ctx context.Context, id, secretID string) (Key, error) {
	k, err := r.Store.Get(ctx, id)
	switch {
	case err != nil:
		return Key{}, err
	case secretID != "" && !k.HasSecret(secretID):
		return Key{}, ErrUnknownSecret
	case k.Previous == nil:
		return Key{}, ErrNotRotating
	case secretID == "":
		secretID = k.Previous.ID
	}
	return r.change(ctx, id, func(k Key) (Key, error) {
		if !k.HasSecret(secretID) {
			return k, errDone
		}
		if k.Previous == nil {
			return k, ErrNotRotating
		}
		if k.Current.ID == secretID {
			k.Current = *k.Previous
		}
		k.Previous = nil
		return k, nil
	})
}

// Revoke ends a key for good, within 60 seconds (D10). Revoking it again keeps
// the first time. In the place of a damaged record comes one that says that it is revoked,
// and nothing else. Errors: ErrUnknown, or a failure.
func (r *Registry) Revoke(ctx context.Context, id string) (Key, error) {
	now := moment(r.Now())
	k, err := r.change(ctx, id, func(k Key) (Key, error) {
		if k.RevokedAt != nil {
			return k, errDone
		}
		k.RevokedAt = &now
		return k, nil
	})
	if errors.Is(err, ErrDamaged) {
		k = Key{ID: id, Scopes: []Scope{}, CreatedAt: now, RevokedAt: &now, Version: Unread}
		k.note(r.event(ctx, []FieldChange{{Name: "record", Before: "damaged"}, {Name: "revoked", After: Stamp(&now)}}))
		err = r.Store.Put(ctx, k)
	}
	return k, err
}

func (r *Registry) newSecret(ctx context.Context, keyID string) (Secret, SealedSecret, error) {
	secret := NewSecret()
	sealed, err := r.Sealer.Seal(ctx, keyID, []byte(secret.Reveal()))
	if err != nil {
		return Secret{}, SealedSecret{}, fmt.Errorf("seal a new secret: %w", err)
	}
	return secret, SealedSecret{
		ID: newID(secretIDPrefix), CreatedAt: moment(r.Now()), Sealed: sealed,
	}, nil
}

// errDone is what an edit returns if the record has the change already.
var errDone = errors.New("applied already")

// maxAttempts is how often a change is tried. An attempt fails only if another
// change won, and operators do not make this many at once.
const maxAttempts = 20

// change reads the record, edits it and writes it back, and starts over if
// another change came first. edit has to recognize from the record that its
// change was applied (errDone): after a failed Put, whose response may have been
// lost, this is how to tell success from failure without writing twice.
func (r *Registry) change(ctx context.Context, id string, edit func(Key) (Key, error)) (Key, error) {
	var failed error
	for range maxAttempts {
		k, err := r.Store.Get(ctx, id)
		if err != nil {
			return Key{}, cmp.Or(failed, err)
		}
		next, err := edit(k)
		if errors.Is(err, errDone) {
			return k.withoutSealed(), nil
		}
		if err = cmp.Or(failed, err); err != nil {
			return Key{}, err
		}
		if changes := Differences(k, next); changes != nil {
			next.note(r.event(ctx, changes))
		}
		err = r.Store.Put(ctx, next)
		if err == nil {
			next.Version++
			return next.withoutSealed(), nil
		}
		if !errors.Is(err, ErrConflict) {
			failed = fmt.Errorf("change key: %w", err)
		}
	}
	return Key{}, cmp.Or(failed, ErrConflict)
}
