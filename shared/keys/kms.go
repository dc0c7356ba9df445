package keys

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/kms/types"
)

// KMSClient is the part of the KMS client that KMSSealer uses.
type KMSClient interface {
	Encrypt(context.Context, *kms.EncryptInput, ...func(*kms.Options)) (*kms.EncryptOutput, error)
	Decrypt(context.Context, *kms.DecryptInput, ...func(*kms.Options)) (*kms.DecryptOutput, error)
}

// KMSSealer seals with AWS KMS. The encryption context {"keyId": id} binds a
// sealed secret to its key, and is visible to IAM policies and CloudTrail.
type KMSSealer struct {
	Client KMSClient
	KeyID  string // id, ARN or alias of the KMS key; secrets sealed with another are not opened
}

// encryptionContext is part of every sealed secret: changing it makes all of
// them unreadable.
func encryptionContext(keyID string) map[string]string {
	return map[string]string{"keyId": keyID}
}

// Seal encrypts secret for the key with that id.
func (s *KMSSealer) Seal(ctx context.Context, keyID string, secret []byte) ([]byte, error) {
	out, err := s.Client.Encrypt(ctx, &kms.EncryptInput{
		KeyId:             &s.KeyID,
		Plaintext:         secret,
		EncryptionContext: encryptionContext(keyID),
	})
	if err != nil {
		return nil, fmt.Errorf("seal with KMS: %w", err)
	}
	return out.CiphertextBlob, nil
}

// Open returns the secret, or ErrSealed if KMS says that the bytes do not belong
// to this KMS key and key id.
func (s *KMSSealer) Open(ctx context.Context, keyID string, sealed []byte) ([]byte, error) {
	out, err := s.Client.Decrypt(ctx, &kms.DecryptInput{
		KeyId:             &s.KeyID,
		CiphertextBlob:    sealed,
		EncryptionContext: encryptionContext(keyID),
	})
	if err == nil {
		return out.Plaintext, nil
	}
	var corrupt *types.InvalidCiphertextException
	var foreign *types.IncorrectKeyException
	if errors.As(err, &corrupt) || errors.As(err, &foreign) {
		return nil, fmt.Errorf("%w: %w", ErrSealed, err)
	}
	return nil, fmt.Errorf("open with KMS: %w", err)
}
