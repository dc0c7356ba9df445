package dynamo_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/engine/enginetest"
	"touchline/shared/limits/dynamo"
	"touchline/shared/store/direct"
	"touchline/shared/store/file"
)

const (
	noncesTable = "Nonces"
	quotasTable = "Quotas"
)

// database is an engine with both tables, and the wire to it.
type database struct {
	*direct.Client
	wire *wire
}

// open starts an engine of its own for the test and makes the tables as a
// deployment does.
func open(t *testing.T) *database {
	t.Helper()
	w := &wire{next: http.DefaultTransport.(*http.Transport).Clone()}
	client := dynamodb.New(dynamodb.Options{
		Region:       "local",
		BaseEndpoint: aws.String(enginetest.Start(t)),
		Credentials:  credentials.NewStaticCredentialsProvider("local", "local", ""),
		HTTPClient:   &http.Client{Transport: w},
		Retryer:      retryAtOnce(),
	})
	t.Cleanup(w.next.CloseIdleConnections)
	for _, table := range []*dynamodb.CreateTableInput{dynamo.Table(noncesTable), dynamo.Table(quotasTable)} {
		if _, err := client.CreateTable(t.Context(), table); err != nil {
			t.Fatal(err)
		}
		if _, err := client.UpdateTimeToLive(t.Context(), dynamo.TimeToLive(*table.TableName)); err != nil {
			t.Fatal(err)
		}
	}
	return &database{Client: direct.New(client), wire: w}
}

func onFile(t *testing.T) *file.File {
	t.Helper()
	f, err := file.Open(filepath.Join(t.TempDir(), "data.db"), file.Options{NoSync: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// retryAtOnce is what the SDK does by default, without its pauses.
func retryAtOnce() aws.Retryer {
	return retry.NewStandard(func(o *retry.StandardOptions) {
		o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
	})
}

// items gives all there is in a table.
func (d *database) items(t *testing.T, table string) []map[string]types.AttributeValue {
	t.Helper()
	out, err := d.Scan(t.Context(), &dynamodb.ScanInput{TableName: &table, ConsistentRead: aws.Bool(true)})
	if err != nil {
		t.Fatal(err)
	}
	return out.Items
}

// fault is what becomes of one request on its way.
type fault struct {
	// applied says that the request arrives and is answered, but what the client
	// sees is the rest of this fault.
	applied bool
	// err is a failure of the connection.
	err error
	// status and code are an answer of DynamoDB, where err is nil.
	status int
	code   string
}

// wire carries requests to the engine. It fails the first requests of one
// operation as faults says, one each, and counts all of that operation.
type wire struct {
	next *http.Transport

	mu        sync.Mutex
	operation string
	faults    []fault
	sent      int
}

// fail sets what becomes of the next requests of operation, and counts from 0.
func (w *wire) fail(operation string, faults ...fault) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.operation, w.faults, w.sent = operation, faults, 0
}

// count gives the requests of the operation since fail.
func (w *wire) count() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sent
}

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	f, faulty := w.fault(r.Header.Get("X-Amz-Target"))
	if !faulty {
		return w.next.RoundTrip(r)
	}
	if f.applied {
		if err := w.deliver(r); err != nil {
			return nil, err
		}
	}
	if f.err != nil {
		return nil, f.err
	}
	body := `{"__type":"com.amazonaws.dynamodb.v20120810#` + f.code + `","message":"as the test wants it"}`
	return &http.Response{
		StatusCode: f.status,
		Proto:      "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header:        http.Header{"Content-Type": {"application/x-amz-json-1.0"}},
		Body:          io.NopCloser(strings.NewReader(body)),
		ContentLength: int64(len(body)),
		Request:       r,
	}, nil
}

// fault counts a request and gives what becomes of it.
func (w *wire) fault(target string) (fault, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.operation == "" || !strings.HasSuffix(target, "."+w.operation) {
		return fault{}, false
	}
	w.sent++
	if w.sent > len(w.faults) {
		return fault{}, false
	}
	return w.faults[w.sent-1], true
}

// deliver brings a request to the engine and drops its answer, which must be a
// success: else nothing was applied and the test would not test.
func (w *wire) deliver(r *http.Request) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	sent := r.Clone(r.Context())
	sent.Body = io.NopCloser(bytes.NewReader(body))
	answer, err := w.next.RoundTrip(sent)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return errors.New("the write that was to be applied was refused")
	}
	return nil
}
