package keys

import (
	"context"
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/smithy-go"

	"touchline/shared/awsjson"
)

// KMSClient is the part of AWS KMS that KMSOpener uses.
type KMSClient interface {
	// Decrypt opens what was sealed with a KMS key (id, ARN or alias) in an
	// encryption context. If KMS refuses, the error is a smithy.APIError.
	Decrypt(ctx context.Context, kmsKey string, sealed []byte, encryptionContext map[string]string) ([]byte, error)
}

// KMS is the KMSClient of AWS.
type KMS struct{ *awsjson.Service }

// NewKMS makes a client for KMS in the region of config, or for a compatible
// service at endpoint, if not empty.
func NewKMS(config aws.Config, endpoint string) KMS {
	return KMS{&awsjson.Service{Name: "kms", Target: "TrentService", Version: "1.1", Config: config, Endpoint: endpoint}}
}

// Decrypt implements KMSClient.
func (k KMS) Decrypt(ctx context.Context, kmsKey string, sealed []byte, encryptionContext map[string]string) ([]byte, error) {
	in := struct {
		CiphertextBlob    []byte
		EncryptionContext map[string]string
		KeyID             string `json:"KeyId"`
	}{sealed, encryptionContext, kmsKey}
	out := struct{ Plaintext []byte }{}
	err := k.Call(ctx, "Decrypt", in, &out)
	return out.Plaintext, err
}

// KMSOpener opens what was sealed with AWS KMS. The encryption context {"keyId":
// id} binds a sealed secret to its key, and is visible to IAM policies and
// CloudTrail.
type KMSOpener struct {
	Client KMSClient
	KeyID  string // id, ARN or alias of the KMS key; secrets sealed with another are not opened
}

// KMSContext is the encryption context of every sealed secret of the key with an
// id: changing it makes all of them unreadable.
func KMSContext(keyID string) map[string]string {
	return map[string]string{"keyId": keyID}
}

// Open returns the secret, or ErrSealed if KMS says that the bytes do not belong
// to this KMS key and key id.
func (o *KMSOpener) Open(ctx context.Context, keyID string, sealed []byte) ([]byte, error) {
	secret, err := o.Client.Decrypt(ctx, o.KeyID, sealed, KMSContext(keyID))
	if err == nil {
		return secret, nil
	}
	var refused smithy.APIError
	if errors.As(err, &refused) && (refused.ErrorCode() == "InvalidCiphertextException" || refused.ErrorCode() == "IncorrectKeyException") {
		return nil, fmt.Errorf("%w: %w", ErrSealed, err)
	}
	return nil, fmt.Errorf("open with KMS: %w", err)
}
