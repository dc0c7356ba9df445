package apikeys

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/kms"

	"touchline/shared/keys"
)

// kmsSealer is the Sealer that the functions on AWS open for. It calls KMS by the
// SDK, which knows profiles and endpoints.
type kmsSealer struct {
	keys.KMSOpener
	client *kms.Client
}

func newKMSSealer(config aws.Config, kmsKey string) *kmsSealer {
	client := kms.NewFromConfig(config)
	return &kmsSealer{keys.KMSOpener{Client: decrypter{client}, KeyID: kmsKey}, client}
}

// Seal implements keys.Sealer.
func (s *kmsSealer) Seal(ctx context.Context, keyID string, secret []byte) ([]byte, error) {
	out, err := s.client.Encrypt(ctx, &kms.EncryptInput{KeyId: &s.KeyID, Plaintext: secret, EncryptionContext: keys.KMSContext(keyID)})
	if err != nil {
		return nil, fmt.Errorf("seal with KMS: %w", err)
	}
	return out.CiphertextBlob, nil
}

// decrypter is the SDK's client as a keys.KMSClient.
type decrypter struct{ *kms.Client }

// Decrypt implements keys.KMSClient.
func (d decrypter) Decrypt(ctx context.Context, kmsKey string, sealed []byte, encryptionContext map[string]string) ([]byte, error) {
	out, err := d.Client.Decrypt(ctx, &kms.DecryptInput{KeyId: &kmsKey, CiphertextBlob: sealed, EncryptionContext: encryptionContext})
	if err != nil {
		return nil, err
	}
	return out.Plaintext, nil
}
