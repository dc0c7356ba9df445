package apikeys

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"

	"touchline/scripts/touchline/database"
	"touchline/shared/keys"
)

// kmsSealer is the Sealer that the functions on AWS open for.
type kmsSealer struct {
	keys.KMSOpener
	client keys.KMS
}

func newKMSSealer(ctx context.Context, config aws.Config, kmsKey string) *kmsSealer {
	client := keys.NewKMS(config, database.EndpointOf(ctx, config, "KMS"))
	return &kmsSealer{keys.KMSOpener{Client: client, KeyID: kmsKey}, client}
}

// Seal implements keys.Sealer.
func (s *kmsSealer) Seal(ctx context.Context, keyID string, secret []byte) ([]byte, error) {
	in := map[string]any{"KeyId": s.KeyID, "Plaintext": secret, "EncryptionContext": keys.KMSContext(keyID)}
	var out struct{ CiphertextBlob []byte }
	if err := s.client.Call(ctx, "Encrypt", in, &out); err != nil {
		return nil, fmt.Errorf("seal with KMS: %w", err)
	}
	return out.CiphertextBlob, nil
}
