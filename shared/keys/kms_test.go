package keys_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/kms/types"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/keys"
)

// fakeKMS opens what begins with "kms:", and records what it is asked.
type fakeKMS struct {
	key     string
	context map[string]string
	fails   error
}

func (f *fakeKMS) Decrypt(_ context.Context, key string, sealed []byte, encryptionContext map[string]string) ([]byte, error) {
	f.key, f.context = key, encryptionContext
	return bytes.TrimPrefix(sealed, []byte("kms:")), f.fails
}

func TestKMSOpensForTheKeyOfASecret(t *testing.T) {
	fake := &fakeKMS{}
	opener := &keys.KMSOpener{Client: fake, KeyID: "alias/touchline"}
	opened, err := opener.Open(t.Context(), "tk_1", []byte("kms:the secret"))
	if err != nil || string(opened) != "the secret" {
		t.Fatalf("opened %q (%v)", opened, err)
	}
	if diff := cmp.Diff(map[string]string{"keyId": "tk_1"}, fake.context); diff != "" {
		t.Error(diff)
	}
	if fake.key != "alias/touchline" {
		t.Errorf("the KMS key %s was named", fake.key)
	}
}

func TestKMSTellsForeignFromUnreachable(t *testing.T) {
	for name, test := range map[string]struct {
		fails  error
		sealed bool
	}{
		"corrupt or of another key id": {&types.InvalidCiphertextException{}, true},
		"of another KMS key":           {&types.IncorrectKeyException{}, true},
		"a key that is disabled":       {&types.DisabledException{}, false},
		"no answer":                    {errBroken, false},
	} {
		t.Run(name, func(t *testing.T) {
			opener := &keys.KMSOpener{Client: &fakeKMS{fails: test.fails}, KeyID: "alias/touchline"}
			if _, err := opener.Open(t.Context(), "tk_1", []byte("x")); errors.Is(err, keys.ErrSealed) != test.sealed || !errors.Is(err, test.fails) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestKMSIsAskedAsByTheSDK compares the call with the SDK's, and what becomes of its
// responses.
func TestKMSIsAskedAsByTheSDK(t *testing.T) {
	type call struct {
		Method, Path, Target, Type, Scope string
		Body                              any
	}
	for name, test := range map[string]struct {
		status   int
		response string
		sealed   bool // not for this key
	}{
		"opened":                       {http.StatusOK, `{"KeyId":"arn","Plaintext":"dGhlIHNlY3JldA==","EncryptionAlgorithm":"SYMMETRIC_DEFAULT"}`, false},
		"corrupt or of another key id": {http.StatusBadRequest, `{"__type":"InvalidCiphertextException"}`, true},
		"of another KMS key":           {http.StatusBadRequest, `{"__type":"com.amazonaws.kms#IncorrectKeyException","message":"no"}`, true},
		"a key that is disabled":       {http.StatusBadRequest, `{"__type":"DisabledException","message":"no"}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			var got []call
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, scope, _ := strings.Cut(r.Header.Get("Authorization"), "/")
				_, scope, _ = strings.Cut(scope, "/") // the day
				scope, _, _ = strings.Cut(scope, ",")
				c := call{Method: r.Method, Path: r.URL.Path, Target: r.Header.Get("X-Amz-Target"), Type: r.Header.Get("Content-Type"), Scope: scope}
				if err := json.NewDecoder(r.Body).Decode(&c.Body); err != nil {
					t.Error(err)
				}
				got = append(got, c)
				w.WriteHeader(test.status)
				_, _ = io.WriteString(w, test.response)
			}))
			defer server.Close()
			config := aws.Config{
				Region: "eu-central-1", Credentials: credentials.NewStaticCredentialsProvider("test", "test", ""), HTTPClient: server.Client(),
				Retryer: func() aws.Retryer { return aws.NopRetryer{} },
			}
			encryptionContext := keys.KMSContext("tk_1")
			want, wantErr := kms.NewFromConfig(config, func(o *kms.Options) { o.BaseEndpoint = &server.URL }).Decrypt(t.Context(), &kms.DecryptInput{
				KeyId: aws.String("alias/touchline"), CiphertextBlob: []byte{0, 255}, EncryptionContext: encryptionContext,
			})
			secret, err := keys.NewKMS(config, server.URL).Decrypt(t.Context(), "alias/touchline", []byte{0, 255}, encryptionContext)
			if (err == nil) != (wantErr == nil) {
				t.Fatalf("%v; the SDK: %v", err, wantErr)
			}
			if err == nil && !bytes.Equal(secret, want.Plaintext) {
				t.Errorf("opened %q; the SDK: %q", secret, want.Plaintext)
			}
			if diff := cmp.Diff(got[0], got[1]); diff != "" {
				t.Errorf("(-the SDK +ours) %s", diff)
			}
			opener := &keys.KMSOpener{Client: keys.NewKMS(config, server.URL), KeyID: "alias/touchline"}
			if _, err := opener.Open(t.Context(), "tk_1", []byte{0, 255}); errors.Is(err, keys.ErrSealed) != test.sealed {
				t.Errorf("open: %v", err)
			}
		})
	}
}

// regions is KMS of several regions: a key with an id that begins with mrk- is the same
// in all of them, and any other in that of its ARN alone.
type regions struct{ sealedWith string }

func (r regions) Decrypt(_ context.Context, kmsKey string, sealed []byte, encryptionContext map[string]string) ([]byte, error) {
	same := kmsKey == r.sealedWith || strings.Contains(kmsKey, ":key/mrk-") && path.Base(kmsKey) == path.Base(r.sealedWith)
	if !same {
		return nil, &types.IncorrectKeyException{}
	}
	id, secret, _ := bytes.Cut(sealed, []byte(" ")) // that of the key is all of the context
	if !maps.Equal(encryptionContext, map[string]string{"keyId": string(id)}) {
		return nil, &types.InvalidCiphertextException{}
	}
	return secret, nil
}

// Where a region is lost, the records of the keys are in another one, with the replica
// of the key that has sealed their secrets.
func TestSecretsOpenWithTheReplicaInAnotherRegion(t *testing.T) {
	const ofRegion = "arn:aws:kms:%s:123456789012:key/%s"
	for id, want := range map[string]error{"mrk-0f0e": nil, "0f0e": keys.ErrSealed} {
		opener := keys.KMSOpener{Client: regions{fmt.Sprintf(ofRegion, "eu-central-1", id)}, KeyID: fmt.Sprintf(ofRegion, "eu-west-1", id)}
		secret, err := opener.Open(t.Context(), "tk_a", []byte("tk_a a secret"))
		if !errors.Is(err, want) || want == nil && string(secret) != "a secret" {
			t.Errorf("%s: %q, %v", id, secret, err)
		}
	}
}
