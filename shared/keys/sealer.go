package keys

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"errors"
	"fmt"
)

// Sealer encrypts the secrets of keys for storage. What it seals for one key id
// opens for that id only.
type Sealer interface {
	// Seal encrypts secret for the key of that id.
	Seal(ctx context.Context, keyID string, secret []byte) ([]byte, error)
	// Open gives the secret back. ErrSealed means that sealed can never be
	// opened with this id and this sealer; any other error may pass.
	Open(ctx context.Context, keyID string, sealed []byte) ([]byte, error)
}

// ErrSealed says that a sealed secret cannot be opened: it is corrupt, belongs
// to another key id, or was sealed by another master key.
var ErrSealed = errors.New("the sealed secret cannot be opened")

// LocalSealer seals with AES-256-GCM and a local master key. A sealed secret is
// one version byte, a random nonce of 12 bytes, and the ciphertext with its tag;
// version byte and key id are the additional data.
type LocalSealer struct {
	redacted
	aead concealed[cipher.AEAD] // which holds the master key
}

// sealVersion is the first byte of what LocalSealer makes.
const sealVersion = 1

// NewLocalSealer gives the sealer of a master key.
func NewLocalSealer(master MasterKey) (*LocalSealer, error) {
	if master.bytes == nil {
		return nil, errors.New("no master key")
	}
	block, err := aes.NewCipher(master.bytes())
	if err != nil {
		return nil, fmt.Errorf("make the local sealer: %w", err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, fmt.Errorf("make the local sealer: %w", err)
	}
	return &LocalSealer{aead: conceal(aead)}, nil
}

// Seal encrypts secret for the key of that id. It does no I/O.
func (s *LocalSealer) Seal(_ context.Context, keyID string, secret []byte) ([]byte, error) {
	aead := s.aead()
	nonce := randomBytes(aead.NonceSize())
	sealed := append([]byte{sealVersion}, nonce...)
	return aead.Seal(sealed, nonce, secret, additionalData(keyID)), nil
}

// Open gives the secret back, or ErrSealed. It does no I/O.
func (s *LocalSealer) Open(_ context.Context, keyID string, sealed []byte) ([]byte, error) {
	aead := s.aead()
	nonceEnd := 1 + aead.NonceSize()
	if len(sealed) < nonceEnd+aead.Overhead() {
		return nil, fmt.Errorf("%w: %d bytes are too few", ErrSealed, len(sealed))
	}
	if sealed[0] != sealVersion {
		return nil, fmt.Errorf("%w: form %d is not known, sealed with KMS or by a later version?", ErrSealed, sealed[0])
	}
	secret, err := aead.Open(nil, sealed[1:nonceEnd], sealed[nonceEnd:], additionalData(keyID))
	if err != nil {
		return nil, fmt.Errorf("%w: corrupt, or sealed for another key id or with another master key", ErrSealed)
	}
	return secret, nil
}

func additionalData(keyID string) []byte {
	return append([]byte{sealVersion}, keyID...)
}

func randomBytes(n int) []byte {
	b := make([]byte, n)
	_, _ = rand.Read(b) // never fails: it ends the process instead
	return b
}
