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

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/limits"
	"touchline/shared/limits/dynamo"
	"touchline/shared/meter"
)

// nonce is one that no engine removes meanwhile: AWS's deletes what has expired.
func nonce(request string) limits.Nonce {
	return limits.Nonce{KeyID: "key", Value: "value", RequestID: request, Timestamp: time.Unix(4_000_000_000, 0)}
}

// Every failure that a write can meet on its way, applied or not: the request
// that sent it is served, and any other is a replay, even if its first answer is lost.
func TestAFailureOnTheWayIsNoReplayToTheRequestItself(t *testing.T) {
	down := fault{status: http.StatusInternalServerError, code: "InternalServerError"}
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
		{"not applied, answered with a 500", []fault{down}},
		{"not applied, throttled", []fault{{status: http.StatusBadRequest, code: "ThrottlingException"}}},
		{"not applied, then applied and lost", []fault{{err: syscall.ECONNRESET}, {applied: true, err: io.ErrUnexpectedEOF}}},
		{"applied and lost, then not applied", []fault{{applied: true, err: io.ErrUnexpectedEOF}, {err: syscall.ECONNRESET}}},
		{"down", []fault{down, down, down}},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := open(t)
			s := &dynamo.Nonces{Client: db, Table: noncesTable}
			db.wire.fail("PutItem", c.faults...)
			err := s.Consume(t.Context(), nonce("first"))
			if err != nil != (len(c.faults) == 3) || errors.Is(err, limits.ErrReplayed) {
				t.Errorf("the request that wrote it: %v", err)
			}
			if got, want := db.wire.count(), min(len(c.faults)+1, 3); got != want {
				t.Errorf("sent %d times, want %d", got, want)
			}
			db.wire.fail("PutItem", fault{err: io.ErrUnexpectedEOF})
			if again := s.Consume(t.Context(), nonce("second")); errors.Is(again, limits.ErrReplayed) != (err == nil) {
				t.Errorf("another request: %v", again)
			}
		})
	}
}

func TestAMissingTableIsAnError(t *testing.T) {
	spent := &meter.Meter{Now: time.Now}
	ctx, db := meter.With(t.Context(), spent), open(t)
	if err := (&dynamo.Nonces{Client: db, Table: "NotThere"}).Consume(ctx, nonce("first")); err == nil || errors.Is(err, limits.ErrReplayed) {
		t.Errorf("Consume = %v, want another error", err)
	}
	if d, err := (&dynamo.Quotas{Client: db, Table: "NotThere"}).Take(ctx, quota(5)); err == nil || d.Allowed {
		t.Errorf("Take = %+v, %v; want an error", d, err)
	}
	for _, store := range []meter.Store{meter.Nonces, meter.Quotas} {
		if use := spent.Uses()[store]; use.Trips != 1 || use.WriteUnits != 0 {
			t.Errorf("%s: %+v", store, use)
		}
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
	if by := *dynamo.TimeToLive(noncesTable).TimeToLiveSpecification.AttributeName; by != "expiresAt" {
		t.Errorf("records expire by %s", by)
	}
}

func attributes() cmp.Option {
	return cmp.Options{
		cmp.Comparer(func(a, b *types.AttributeValueMemberS) bool { return a.Value == b.Value }),
		cmp.Comparer(func(a, b *types.AttributeValueMemberN) bool { return a.Value == b.Value }),
	}
}

// design.md, DynamoDB: one unit for the nonce, also for the longest.
func TestANonceCostsOneWriteUnit(t *testing.T) {
	db := open(t)
	used := &meter.Meter{}
	ctx := meter.With(t.Context(), used)
	s := &dynamo.Nonces{Client: db, Table: noncesTable}
	n := limits.Nonce{
		KeyID: strings.Repeat("k", 100), Value: strings.Repeat("n", 128),
		RequestID: "00000000-0000-4000-8000-000000000000", Timestamp: time.Unix(1_700_000_000, 0),
	}
	if err := s.Consume(ctx, n); err != nil {
		t.Fatal(err)
	}
	if u := used.Total(); u.Trips != 1 || u.WriteUnits != 1 || u.ReadUnits != 0 {
		t.Errorf("%+v; want one write of one unit", u)
	}
}

// taciturn is an engine whose refusal does not show the record.
type taciturn struct{}

func (taciturn) PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	return nil, &types.ConditionalCheckFailedException{}
}

func TestARecordThatIsNotShownIsNeitherOursNorAReplay(t *testing.T) {
	s := &dynamo.Nonces{Client: taciturn{}, Table: noncesTable}
	if err := s.Consume(t.Context(), nonce("")); err == nil || errors.Is(err, limits.ErrReplayed) {
		t.Errorf("Consume = %v, want another error", err)
	}
}
