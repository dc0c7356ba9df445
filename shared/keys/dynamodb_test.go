package keys_test

import (
	"context"
	"errors"
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

// capacity counts the read units of each get.
type capacity struct {
	keys.DynamoDBClient
	units float64
}

func (c *capacity) GetItem(ctx context.Context, in *dynamodb.GetItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	in.ReturnConsumedCapacity = types.ReturnConsumedCapacityTotal
	out, err := c.DynamoDBClient.GetItem(ctx, in, opts...)
	if err == nil {
		c.units = *out.ConsumedCapacity.CapacityUnits
	}
	return out, err
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
	client := &capacity{DynamoDBClient: store.Client}
	store.Client = client
	spent := &meter.Meter{Now: time.Now}
	if _, err := store.Get(meter.With(t.Context(), spent), k.ID); err != nil {
		t.Fatal(err)
	}
	if client.units > 2 || client.units == 0 {
		t.Fatalf("%v read units", client.units)
	}
	if use := spent.Uses()[meter.Keys]; use.Trips != 1 || use.ReadUnits != client.units || use.Open != 0 {
		t.Errorf("logged: %+v, consumed: %v", use, client.units)
	}
}

// TestARecordThatCannotBeReadInFullIsRefused: leaving out a restriction would
// widen the key.
func TestARecordThatCannotBeReadInFullIsRefused(t *testing.T) {
	store := newDynamoDB(t)
	if err := store.Put(t.Context(), fullKey("tk_1")); err != nil {
		t.Fatal(err)
	}
	list := &types.AttributeValueMemberL{Value: []types.AttributeValue{
		&types.AttributeValueMemberS{Value: "192.0.2.0/24"}, &types.AttributeValueMemberS{Value: "192.0.2.0/33"},
	}}
	for name, value := range map[string]struct {
		attribute string
		value     types.AttributeValue
	}{
		"an allowlist entry that is no prefix": {"allowlist", list},
		"an allowlist that is no list":         {"allowlist", &types.AttributeValueMemberN{Value: "1"}},
		"an unreadable time of revocation":     {"revokedAt", &types.AttributeValueMemberS{Value: "yesterday"}},
	} {
		t.Run(name, func(t *testing.T) {
			client := store.Client.(*dynamodb.Client)
			damaged := &keys.DynamoDB{Client: damage{client, value.attribute, value.value}, Table: tableName}
			if k, err := damaged.Get(t.Context(), "tk_1"); err == nil || errors.Is(err, keys.ErrUnknown) {
				t.Fatalf("got %+v and %v, want a failure", k, err)
			}
			if _, err := damaged.List(t.Context()); err == nil {
				t.Fatal("the list left out the damaged record")
			}
		})
	}
}

// damage replaces an attribute of what is read.
type damage struct {
	keys.DynamoDBClient
	attribute string
	value     types.AttributeValue
}

func (d damage) GetItem(ctx context.Context, in *dynamodb.GetItemInput, opts ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	out, err := d.DynamoDBClient.GetItem(ctx, in, opts...)
	if err == nil {
		out.Item[d.attribute] = d.value
	}
	return out, err
}

func (d damage) Scan(ctx context.Context, in *dynamodb.ScanInput, opts ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	out, err := d.DynamoDBClient.Scan(ctx, in, opts...)
	if err == nil {
		out.Items[0][d.attribute] = d.value
	}
	return out, err
}

func TestAFailingTableIsNeitherUnknownNorAConflict(t *testing.T) {
	store := &keys.DynamoDB{
		Client: newClient("http://127.0.0.1:1", fails{errors.New("no route")}), Table: tableName,
	}
	_, err := store.Get(t.Context(), "tk_1")
	putErr := store.Put(t.Context(), fullKey("tk_1"))
	_, listErr := store.List(t.Context())
	for _, err := range []error{err, putErr, listErr} {
		if err == nil || errors.Is(err, keys.ErrUnknown) || errors.Is(err, keys.ErrConflict) {
			t.Errorf("got %v", err)
		}
	}
}

type fails struct{ err error }

func (f fails) RoundTrip(*http.Request) (*http.Response, error) { return nil, f.err }

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
	for name, lost := range map[string]int64{
		"the first attempt's":  1,
		"that of each attempt": int64(retry.DefaultMaxAttempts),
	} {
		t.Run(name, func(t *testing.T) {
			transport := &losesAnswers{RoundTripper: http.DefaultTransport}
			store := &keys.DynamoDB{Client: newClient(newTable(t), transport), Table: tableName}
			registry := newRegistry(store, &clock{})

			transport.lose.Store(lost)
			created, err := registry.Create(t.Context(), request())
			if err != nil {
				t.Fatal(err)
			}
			transport.lose.Store(lost)
			rotated, err := registry.Rotate(t.Context(), created.Key.ID)
			if err != nil {
				t.Fatal(err)
			}
			if transport.puts.Load() < 4 {
				t.Fatalf("%d puts reached the engine: nothing was retried", transport.puts.Load())
			}
			verifies(t, store, created.Key.ID, rotated.Secret, created.Secret)

			transport.lose.Store(lost)
			if _, err := registry.Retire(t.Context(), created.Key.ID, ""); err != nil {
				t.Fatal(err)
			}
			verifies(t, store, created.Key.ID, rotated.Secret)
			list, err := store.List(t.Context())
			if err != nil || len(list) != 1 {
				t.Fatalf("%d keys and %v, want one key", len(list), err)
			}
		})
	}
}
