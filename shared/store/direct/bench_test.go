//go:build unix

package direct_test

import (
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"
)

// processor is the processor time of this process so far.
func processor(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkCall compares the processor time of a call by the SDK and by ours, with an
// answer in memory: 2,000 bytes of an item. Its numbers are in the comment of the
// package.
func BenchmarkCall(b *testing.B) {
	answer := `{"ConsumedCapacity":{"TableName":"sports","CapacityUnits":0.5},"Item":{"pk":{"S":"x"},"sk":{"S":"y"},"data":{"S":"` + strings.Repeat("0123456789", 200) + `"}}}`
	many := `{"ConsumedCapacity":[{"TableName":"sports","CapacityUnits":0.5}],"Responses":{"sports":[` + answer[strings.Index(answer, `{"pk"`):len(answer)-1] + `]},"UnprocessedKeys":{}}`
	over := httpClient(func(r *http.Request) (*http.Response, error) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return nil, err
		}
		body := answer
		switch strings.TrimPrefix(r.Header.Get("X-Amz-Target"), "DynamoDB_20120810.") {
		case "BatchGetItem":
			body = many
		case "PutItem", "UpdateItem":
			body = `{"ConsumedCapacity":{"TableName":"nonces","CapacityUnits":1}}`
		}
		return outcome{status: http.StatusOK, body: body}.response(r)
	})
	sdk, ours := clients(over, "a token")
	for name, call := range calls() {
		for by, db := range map[string]database{"sdk": sdk, "ours": ours} {
			b.Run(name+"/"+by, func(b *testing.B) {
				before := processor(b)
				for b.Loop() {
					if _, err := call(b.Context(), db); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64((processor(b)-before).Microseconds())/float64(b.N), "µs-processor/op")
			})
		}
	}
}
