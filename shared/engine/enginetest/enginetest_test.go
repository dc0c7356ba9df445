package enginetest_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"touchline/shared/engine/enginetest"
)

// call sends a request with an access key, and returns the body.
func call(t *testing.T, endpoint, accessKey, region, operation, body string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, endpoint, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Amz-Target", "DynamoDB_20120810."+operation)
	req.Header.Set("Content-Type", "application/x-amz-json-1.0")
	req.Header.Set("X-Amz-Date", "20260101T000000Z")
	req.Header.Set("Authorization", fmt.Sprintf(
		"AWS4-HMAC-SHA256 Credential=%s/20260101/%s/dynamodb/aws4_request, SignedHeaders=host, Signature=00", accessKey, region))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s %v", operation, resp.StatusCode, data, err)
	}
	return string(data)
}

// Two tests with tables of the same names must not share them, and two clients
// of one test must, whatever their credentials.
func TestEveryStartHasTablesOfItsOwn(t *testing.T) {
	one, other := enginetest.Start(t), enginetest.Start(t)
	call(t, one, "local", "us-east-1", "CreateTable", `{"TableName":"numbers","BillingMode":"PAY_PER_REQUEST",
		"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]}`)
	if got := call(t, one, "not-only_letters.", "eu-central-1", "ListTables", `{}`); !strings.Contains(got, "numbers") {
		t.Errorf("another client of the test sees %s", got)
	}
	if got := call(t, other, "local", "us-east-1", "ListTables", `{}`); strings.Contains(got, "numbers") {
		t.Errorf("another test sees %s", got)
	}
}
