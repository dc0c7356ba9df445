package apikeys

import (
	"context"
	"fmt"

	"touchline/scripts/touchline/database"
	"touchline/shared/keys"
)

// kmsSealer is the Sealer that the functions on AWS open for.
type kmsSealer struct {
	keys.KMSOpener
	client keys.KMS
	doctor string // the line of the command
}

func newKMSSealer(ctx context.Context, d *database.Database) *kmsSealer {
	config := d.Deployed.Config
	client := keys.NewKMS(config, database.EndpointOf(ctx, config, "KMS"))
	return &kmsSealer{keys.KMSOpener{Client: client, KeyID: d.Deployed.SecretsKey}, client, d.Hint("doctor")}
}

// Seal implements keys.Sealer.
func (s *kmsSealer) Seal(ctx context.Context, keyID string, secret []byte) ([]byte, error) {
	in := map[string]any{"KeyId": s.KeyID, "Plaintext": secret, "EncryptionContext": keys.KMSContext(keyID)}
	var out struct{ CiphertextBlob []byte }
	if err := s.client.Call(ctx, "Encrypt", in, &out); err != nil {
		return nil, fmt.Errorf("KMS key %s did not (`%s` looks at it): %w", s.KeyID, s.doctor, err)
	}
	return out.CiphertextBlob, nil
}
