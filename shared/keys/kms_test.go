package keys_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/keys"
)

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
		"no answer":                    {},
	} {
		t.Run(name, func(t *testing.T) {
			calls := make(chan call, 2) // the SDK's and ours
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, scope, _ := strings.Cut(r.Header.Get("Authorization"), "/")
				_, scope, _ = strings.Cut(scope, "/") // the day
				scope, _, _ = strings.Cut(scope, ",")
				c := call{Method: r.Method, Path: r.URL.Path, Target: r.Header.Get("X-Amz-Target"), Type: r.Header.Get("Content-Type"), Scope: scope}
				if err := json.NewDecoder(r.Body).Decode(&c.Body); err != nil {
					t.Error(err)
				}
				if calls <- c; test.status == 0 {
					panic(http.ErrAbortHandler)
				}
				w.WriteHeader(test.status)
				_, _ = io.WriteString(w, test.response)
			}))
			defer server.Close()
			config := aws.Config{
				Region: "eu-central-1", Credentials: credentials.NewStaticCredentialsProvider("test", "test", ""), HTTPClient: server.Client(),
				Retryer: func() aws.Retryer { return aws.NopRetryer{} },
			}
			want, wantErr := kms.NewFromConfig(config, func(o *kms.Options) { o.BaseEndpoint = &server.URL }).Decrypt(t.Context(), &kms.DecryptInput{
				KeyId: aws.String("alias/touchline"), CiphertextBlob: []byte{0, 255}, EncryptionContext: map[string]string{"keyId": "tk_1"},
			})
			opener := &keys.KMSOpener{Client: keys.NewKMS(config, server.URL), KeyID: "alias/touchline"}
			secret, err := opener.Open(t.Context(), "tk_1", []byte{0, 255})
			if (err == nil) != (wantErr == nil) || errors.Is(err, keys.ErrSealed) != test.sealed {
				t.Fatalf("%v; the SDK: %v", err, wantErr)
			}
			if err == nil && !bytes.Equal(secret, want.Plaintext) {
				t.Errorf("opened %q; the SDK: %q", secret, want.Plaintext)
			}
			if diff := cmp.Diff(<-calls, <-calls); diff != "" {
				t.Errorf("(-the SDK +ours) %s", diff)
			}
		})
	}
}
