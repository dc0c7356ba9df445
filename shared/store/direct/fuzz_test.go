package direct_test

import (
	"io"
	"net/http"
	"reflect"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// FuzzResponse holds every response that is understood here to what the SDK makes
// of it.
func FuzzResponse(f *testing.F) {
	names := []string{"PutItem", "UpdateItem", "GetItem", "BatchGetItem"}
	for i, name := range names {
		for _, o := range outcomes(name) {
			if o.err == nil {
				f.Add(i, []byte(o.body))
			}
		}
	}
	f.Add(2, []byte(`{"Item":{"a":{"S":"\ud800"},"b":{"N":""},"c":{"B":"AA=\n="},"d":{"M":{}},"e":{"L":[]},"":{"NULL":false}}}`))
	f.Fuzz(func(t *testing.T, which int, body []byte) {
		if which < 0 || which >= len(names) {
			t.Skip("there is no such call")
		}
		call := calls()[names[which]]
		asked := false
		answer := httpClient(func(r *http.Request) (*http.Response, error) {
			_, _ = io.Copy(io.Discard, r.Body)
			return outcome{status: 200, body: string(body)}.response(r)
		})
		sdk, ours := clients(answer, "")
		got, err := call(t.Context(), ours, func(*dynamodb.Options) { asked = true })
		if asked {
			return // not understood: it is the SDK's
		}
		want, wantErr := call(t.Context(), sdk)
		if err != nil || wantErr != nil {
			t.Fatalf("%v; the SDK: %v", err, wantErr)
		}
		for _, out := range []any{want, got} { // but for where it came from
			reflect.ValueOf(out).Elem().FieldByName("ResultMetadata").SetZero()
		}
		// cmp takes time that doubles with each level of lists.
		if !reflect.DeepEqual(want, got) {
			t.Errorf("%+v; the SDK: %+v", got, want)
		}
	})
}
