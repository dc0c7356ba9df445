package dynamo_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/limits"
	"touchline/shared/limits/dynamo"
	"touchline/shared/meter"
	"touchline/shared/store/direct"
)

// nonce is one that no engine removes meanwhile: AWS's deletes what has expired.
func nonce(request string) limits.Nonce {
	return limits.Nonce{KeyID: "key", Value: "value", RequestID: request, Timestamp: time.Unix(4_000_000_000, 0)}
}

// Every failure that a write can meet on its way, applied or not: the request
// that sent it is served, and any other is a replay.
func TestAFailureOnTheWayIsNoReplayToTheRequestItself(t *testing.T) {
	for _, c := range []struct {
		name   string
		faults []fault
	}{
		{"no failure", nil},
		{"applied, the connection reset", []fault{{applied: true, err: syscall.ECONNRESET}}},
		{"applied, the answer cut off", []fault{{applied: true, err: io.ErrUnexpectedEOF}}},
		{"applied, the connection closed", []fault{{applied: true, err: net.ErrClosed}}},
		{"applied, answered with a 500", []fault{{applied: true, status: http.StatusInternalServerError, code: "InternalServerError"}}},
		{"not applied, the connection reset", []fault{{err: syscall.ECONNRESET}}},
		{"not applied, answered with a 500", []fault{{status: http.StatusInternalServerError, code: "InternalServerError"}}},
		{"not applied, throttled", []fault{{status: http.StatusBadRequest, code: "ThrottlingException"}}},
		{"not applied, then applied and lost", []fault{{err: syscall.ECONNRESET}, {applied: true, err: io.ErrUnexpectedEOF}}},
		{"applied and lost, then not applied", []fault{{applied: true, err: io.ErrUnexpectedEOF}, {err: syscall.ECONNRESET}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := open(t)
			s := &dynamo.Nonces{Client: db, Table: noncesTable}
			db.wire.fail("PutItem", c.faults...)
			if err := s.Consume(t.Context(), nonce("first")); err != nil {
				t.Errorf("the request that wrote it: %v", err)
			}
			if got, want := db.wire.count(), len(c.faults)+1; got != want {
				t.Errorf("sent %d times, want %d", got, want)
			}
			if err := s.Consume(t.Context(), nonce("second")); !errors.Is(err, limits.ErrReplayed) {
				t.Errorf("another request: %v, want ErrReplayed", err)
			}
		})
	}
}

// The answer of another request's write is lost in between; its nonce stays its.
func TestALostAnswerToAReplayIsStillAReplay(t *testing.T) {
	db := open(t)
	s := &dynamo.Nonces{Client: db, Table: noncesTable}
	if err := s.Consume(t.Context(), nonce("first")); err != nil {
		t.Fatal(err)
	}
	db.wire.fail("PutItem", fault{err: io.ErrUnexpectedEOF})
	if err := s.Consume(t.Context(), nonce("second")); !errors.Is(err, limits.ErrReplayed) {
		t.Errorf("Consume = %v, want ErrReplayed", err)
	}
}

func TestAStoreThatStaysDownIsNeitherUsedNorReplayed(t *testing.T) {
	db := open(t)
	s := &dynamo.Nonces{Client: db, Table: noncesTable}
	down := fault{status: http.StatusInternalServerError, code: "InternalServerError"}
	db.wire.fail("PutItem", down, down, down)
	if err := s.Consume(t.Context(), nonce("first")); err == nil || errors.Is(err, limits.ErrReplayed) {
		t.Errorf("Consume = %v, want another error", err)
	}
}

func TestAMissingTableIsAnError(t *testing.T) {
	s := &dynamo.Nonces{Client: open(t), Table: "NotThere"}
	if err := s.Consume(t.Context(), nonce("first")); err == nil || errors.Is(err, limits.ErrReplayed) {
		t.Errorf("Consume = %v, want another error", err)
	}
}

// D31 and the time to live: the record is one of three attributes, expires in
// whole Unix seconds and not before 600 s after the timestamp.
func TestTheRecordNamesItsRequestAndWhenItMayGo(t *testing.T) {
	db := open(t)
	s := &dynamo.Nonces{Client: db, Table: noncesTable}
	n := nonce("request")
	n.Timestamp = n.Timestamp.Add(time.Nanosecond)
	if err := s.Consume(t.Context(), n); err != nil {
		t.Fatal(err)
	}
	want := []map[string]types.AttributeValue{{
		"pk":        &types.AttributeValueMemberS{Value: "key#value"},
		"requestId": &types.AttributeValueMemberS{Value: "request"},
		"expiresAt": &types.AttributeValueMemberN{Value: "4000000601"},
	}}
	if diff := cmp.Diff(want, db.items(t, noncesTable), attributes()); diff != "" {
		t.Error(diff)
	}
}

func attributes() cmp.Option {
	return cmp.Options{
		cmp.Comparer(func(a, b *types.AttributeValueMemberS) bool { return a.Value == b.Value }),
		cmp.Comparer(func(a, b *types.AttributeValueMemberN) bool { return a.Value == b.Value }),
	}
}

// design.md, DynamoDB: one unit for the nonce and no read, also for the longest.
func TestANonceCostsOneWriteUnit(t *testing.T) {
	db := open(t)
	used := &meter.Meter{}
	ctx := meter.With(t.Context(), used)
	db.wire.fail("GetItem")
	s := &dynamo.Nonces{Client: db, Table: noncesTable}
	n := limits.Nonce{
		KeyID: strings.Repeat("k", 100), Value: strings.Repeat("n", 128),
		RequestID: "00000000-0000-4000-8000-000000000000", Timestamp: time.Unix(1_700_000_000, 0),
	}
	if err := s.Consume(ctx, n); err != nil {
		t.Fatal(err)
	}
	if used.Total().Trips != 1 || used.Total().WriteUnits != 1 {
		t.Errorf("%d writes of %v units, want 1 of 1", used.Total().Trips, used.Total().WriteUnits)
	}
	n.RequestID = "another"
	if err := s.Consume(ctx, n); !errors.Is(err, limits.ErrReplayed) {
		t.Fatal(err)
	}
	if got := db.wire.count(); got != 0 {
		t.Errorf("%d reads, want none", got)
	}
}

// taciturn is an engine whose refusals do not show the item.
type taciturn struct {
	*direct.Client
	reads []*dynamodb.GetItemInput
	fails error
}

func (c *taciturn) PutItem(ctx context.Context, in *dynamodb.PutItemInput, options ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	out, err := c.Client.PutItem(ctx, in, options...)
	var refused *types.ConditionalCheckFailedException
	if errors.As(err, &refused) {
		return nil, &types.ConditionalCheckFailedException{Message: refused.Message}
	}
	return out, err
}

func (c *taciturn) GetItem(ctx context.Context, in *dynamodb.GetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	c.reads = append(c.reads, in)
	if c.fails != nil {
		return nil, c.fails
	}
	return c.Client.GetItem(ctx, in, options...)
}

func TestWhereTheRefusalDoesNotShowTheRecordOneReadDoes(t *testing.T) {
	db := open(t)
	engine := &taciturn{Client: db.Client}
	s := &dynamo.Nonces{Client: engine, Table: noncesTable}
	db.wire.fail("PutItem", fault{applied: true, err: io.ErrUnexpectedEOF})
	if err := s.Consume(t.Context(), nonce("first")); err != nil {
		t.Errorf("the request that wrote it: %v", err)
	}
	if err := s.Consume(t.Context(), nonce("second")); !errors.Is(err, limits.ErrReplayed) {
		t.Errorf("another request: %v, want ErrReplayed", err)
	}
	if len(engine.reads) != 2 {
		t.Fatalf("%d reads, want one for each refusal", len(engine.reads))
	}
	for _, read := range engine.reads {
		if !aws.ToBool(read.ConsistentRead) {
			t.Error("the read is not consistent: it may miss the record")
		}
	}
	engine.fails = errors.New("store down")
	if err := s.Consume(t.Context(), nonce("third")); !errors.Is(err, engine.fails) || errors.Is(err, limits.ErrReplayed) {
		t.Errorf("Consume = %v, want %v", err, engine.fails)
	}
}

// vanished is an engine that drops the record between the refusal and the read.
type vanished struct{ dynamo.NoncesClient }

func (vanished) PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	return nil, &types.ConditionalCheckFailedException{}
}

func (vanished) GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	return &dynamodb.GetItemOutput{}, nil
}

func TestARecordThatIsGoneWhenReadWasAReplay(t *testing.T) {
	s := &dynamo.Nonces{Client: vanished{}, Table: noncesTable}
	for _, request := range []string{"first", ""} {
		if err := s.Consume(t.Context(), nonce(request)); !errors.Is(err, limits.ErrReplayed) {
			t.Errorf("request %q: %v, want ErrReplayed", request, err)
		}
	}
}

func TestTheTablesDropWhatHasExpired(t *testing.T) {
	db := open(t)
	for _, table := range []string{noncesTable, quotasTable} {
		out, err := db.DescribeTimeToLive(t.Context(), &dynamodb.DescribeTimeToLiveInput{TableName: &table})
		if err != nil {
			t.Fatal(err)
		}
		if got := aws.ToString(out.TimeToLiveDescription.AttributeName); got != dynamo.ExpiresAt {
			t.Errorf("%s: items expire by %q, want %q", table, got, dynamo.ExpiresAt)
		}
	}
}
