package keys

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// Sealer encrypts the secrets of keys for storage. What was sealed for one key
// id can be opened for that id only.
type Sealer interface {
	// Seal encrypts secret for the key of that id.
	Seal(ctx context.Context, keyID string, secret []byte) ([]byte, error)
	Opener
}

// Opener opens what a Sealer has sealed.
type Opener interface {
	// Open returns the secret. ErrSealed means that sealed can never be opened
	// with this id and this sealer; after any other error a retry may succeed.
	Open(ctx context.Context, keyID string, sealed []byte) ([]byte, error)
}

// ErrSealed says that a sealed secret cannot be opened: it is corrupt, belongs
// to another key id, or was sealed by another master key.
var ErrSealed = errors.New("the sealed secret cannot be opened")

// LocalSealer seals with AES-256-GCM and the master key of an installation that does not
// use KMS. A sealed secret is a version byte, a random nonce of 12 bytes, and the
// ciphertext with its tag; the additional data are the version byte and the key id.
type LocalSealer struct {
	redacted
	aead concealed[cipher.AEAD] // which holds the master key
}

const (
	sealVersion    = 1  // the first byte of what LocalSealer makes
	masterKeyBytes = 32 // AES-256
)

// NewLocalSealer returns the sealer for a master key: base64 of exactly 32 bytes, padded
// or not, with or without white space around it. Its errors do not include the text.
func NewLocalSealer(masterKey string) (*LocalSealer, error) {
	text := strings.TrimRight(strings.TrimSpace(masterKey), "=")
	master, err := base64.RawStdEncoding.Strict().DecodeString(text)
	if err != nil || len(master) != masterKeyBytes {
		return nil, fmt.Errorf("not base64 of %d bytes (openssl rand -base64 %[1]d makes one)", masterKeyBytes)
	}
	block, err := aes.NewCipher(master)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	return &LocalSealer{aead: conceal(aead)}, err
}

// Seal encrypts secret for the key with that id. It does no I/O.
func (s *LocalSealer) Seal(_ context.Context, keyID string, secret []byte) ([]byte, error) {
	aead := s.aead()
	nonce := randomBytes(aead.NonceSize())
	sealed := append([]byte{sealVersion}, nonce...)
	return aead.Seal(sealed, nonce, secret, additionalData(keyID)), nil
}

// Open returns the secret, or ErrSealed. It does no I/O.
func (s *LocalSealer) Open(_ context.Context, keyID string, sealed []byte) ([]byte, error) {
	aead := s.aead()
	nonceEnd := 1 + aead.NonceSize()
	if len(sealed) < nonceEnd+aead.Overhead() {
		return nil, fmt.Errorf("%w: %d bytes are too few", ErrSealed, len(sealed))
	}
	if sealed[0] != sealVersion {
		return nil, fmt.Errorf("%w: unknown format %d: was it sealed with KMS, or by a later version?", ErrSealed, sealed[0])
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
	_, _ = rand.Read(b) // never returns an error: it ends the process instead
	return b
}
