package keys_test

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"touchline/shared/engine/enginetest"
	"touchline/shared/keys"
	"touchline/shared/meter"
)

const tableName = "Keys"

// newClient returns the SDK's client with its retries, but without the waits
// between them.
func newClient(endpoint string, transport http.RoundTripper) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		Region:       "eu-central-1",
		BaseEndpoint: &endpoint,
		Credentials:  credentials.NewStaticCredentialsProvider("local", "local", ""),
		HTTPClient:   &http.Client{Transport: transport},
		Retryer: retry.NewStandard(func(o *retry.StandardOptions) {
			o.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
		}),
	})
}

// newTable starts an engine and makes the table.
func newTable(t *testing.T) (endpoint string) {
	t.Helper()
	endpoint = enginetest.Start(t)
	if _, err := newClient(endpoint, http.DefaultTransport).CreateTable(t.Context(), keys.KeysTable(tableName)); err != nil {
		t.Fatal(err)
	}
	return endpoint
}

func newDynamoDB(t *testing.T) *keys.DynamoDB {
	t.Helper()
	return &keys.DynamoDB{Client: newClient(newTable(t), http.DefaultTransport), Table: tableName}
}

// pagesOfTwo makes a scan return two items a page.
type pagesOfTwo struct {
	keys.DynamoDBClient
	pages int
}

func (p *pagesOfTwo) Scan(ctx context.Context, in *dynamodb.ScanInput, opts ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	p.pages++
	limited := *in
	limited.Limit = aws.Int32(2)
	return p.DynamoDBClient.Scan(ctx, &limited, opts...)
}

func TestListReadsEveryPage(t *testing.T) {
	store := newDynamoDB(t)
	for _, id := range []string{"tk_5", "tk_3", "tk_1", "tk_4", "tk_2"} {
		if err := store.Put(t.Context(), fullKey(id)); err != nil {
			t.Fatal(err)
		}
	}
	client := &pagesOfTwo{DynamoDBClient: store.Client}
	store.Client = client
	list, err := store.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, k := range list {
		ids = append(ids, k.ID)
	}
	if got := strings.Join(ids, " "); got != "tk_1 tk_2 tk_3 tk_4 tk_5" || client.pages < 3 {
		t.Fatalf("got %q in %d pages", got, client.pages)
	}
}

func TestTheLargestRecordCostsTwoReadUnitsAtMost(t *testing.T) {
	store := newDynamoDB(t)
	k := fullKey(strings.Repeat("k", 100))
	k.Label = strings.Repeat("𝔏", 200)
	k.Current.Sealed, k.Previous.Sealed = make([]byte, 300), make([]byte, 300)
	for len(k.Allowlist) < 100 {
		k.Allowlist = append(k.Allowlist, netip.MustParsePrefix("2001:db8:1111:2222:3333:4444:5555:6666/128"))
	}
	if err := store.Put(t.Context(), k); err != nil {
		t.Fatal(err)
	}
	spent := &meter.Meter{Now: time.Now}
	if _, err := store.Get(meter.With(t.Context(), spent), k.ID); err != nil {
		t.Fatal(err)
	}
	if use := spent.Uses()[meter.Keys]; use.Trips != 1 || use.ReadUnits == 0 || use.ReadUnits > 2 {
		t.Errorf("%+v", use)
	}
}

// TestARecordThatCannotBeReadInFullIsRefused: leaving out a restriction would
// widen the key.
func TestARecordThatCannotBeReadInFullIsRefused(t *testing.T) {
	list := &types.AttributeValueMemberL{Value: []types.AttributeValue{
		&types.AttributeValueMemberS{Value: "192.0.2.0/24"}, &types.AttributeValueMemberS{Value: "192.0.2.0/33"},
	}}
	for name, damage := range map[string]map[string]types.AttributeValue{
		"an allowlist entry that is no prefix": {"allowlist": list},
		"an allowlist that is no list":         {"allowlist": &types.AttributeValueMemberN{Value: "1"}},
		"an unreadable time of revocation":     {"revokedAt": &types.AttributeValueMemberS{Value: "yesterday"}},
		"no version":                           {"version": &types.AttributeValueMemberNULL{Value: true}},
	} {
		stored := fullKey("tk_1")
		stored.Version = 1
		item, err := keys.Encode(stored)
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(item, damage)
		if k, err := keys.Decode(item); !errors.Is(err, keys.ErrDamaged) {
			t.Errorf("%s: got %+v and %v, want a failure", name, k, err)
		}
		store := newDynamoDB(t)
		put(t, store, fullKey("tk_2"))
		if _, err := store.Client.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: &store.Table, Item: item}); err != nil {
			t.Fatal(err)
		}
		costsItself(t, store, "tk_1")
	}
}

// losesAnswers sends every put, and drops the responses of the first few.
type losesAnswers struct {
	http.RoundTripper
	lose atomic.Int64
	puts atomic.Int64
}

func (l *losesAnswers) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := l.RoundTripper.RoundTrip(r)
	if err != nil || !strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".PutItem") {
		return answer, err
	}
	l.puts.Add(1)
	if l.lose.Add(-1) < 0 {
		return answer, nil
	}
	_ = answer.Body.Close()
	return nil, errors.New("connection reset by peer")
}

func TestAPutWhoseAnswerIsLostOnTheWireIsDoneOnce(t *testing.T) {
	const lost = int64(retry.DefaultMaxAttempts) // that of each attempt
	transport := &losesAnswers{RoundTripper: http.DefaultTransport}
	store := &keys.DynamoDB{Client: newClient(newTable(t), transport), Table: tableName}
	registry := newRegistry(store, &clock{})
	transport.lose.Store(lost)
	created := create(t, registry)
	id := created.Key.ID
	transport.lose.Store(lost)
	rotated, err := registry.Rotate(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if transport.puts.Load() != 2*lost {
		t.Fatalf("%d puts reached the engine, want %d", transport.puts.Load(), 2*lost)
	}
	verifies(t, store, id, rotated.Secret, created.Secret)
	transport.lose.Store(lost)
	if _, err := registry.Retire(t.Context(), id, ""); err != nil {
		t.Fatal(err)
	}
	verifies(t, store, id, rotated.Secret)
	if list, err := store.List(t.Context()); err != nil || len(list) != 1 {
		t.Fatalf("%d keys and %v, want one key", len(list), err)
	}
	store.Table = "NotThere"
	_, err = store.Get(t.Context(), id)
	_, listErr := store.List(t.Context())
	for _, err := range []error{err, listErr, store.Put(t.Context(), fullKey(id))} {
		if err == nil || errors.Is(err, keys.ErrUnknown) || errors.Is(err, keys.ErrConflict) {
			t.Errorf("a failing table: got %v", err)
		}
	}
}
