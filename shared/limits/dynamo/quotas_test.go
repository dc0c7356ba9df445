package dynamo_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync/atomic"
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

func quota(limit int) limits.Quota {
	return limits.Quota{
		Organization: "64b7f0c2a1d3e4f5a6b7c8d9",
		Limit:        limit,
		Now:          time.Date(2026, 1, 16, 18, 0, 0, 0, time.UTC),
		RequestID:    "3f0c2b9e-1c1d-4c57-9e0a-6a1f5d2c8b7e",
	}
}

// used gives the counter of the month as it is stored, 0 if there isn't one.
func used(t *testing.T, db *database) string {
	t.Helper()
	items := db.items(t, quotasTable)
	if len(items) == 0 {
		return "0"
	}
	if len(items) > 1 {
		t.Fatalf("%d counters, want one", len(items))
	}
	n, ok := items[0]["used"].(*types.AttributeValueMemberN)
	if !ok {
		t.Fatalf("used is %#v, want a number", items[0]["used"])
	}
	return n.Value
}

// lost are failures after which the increment may have been applied.
func lost() map[string]fault {
	return map[string]fault{
		"the connection reset":          {err: &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}},
		"the connection broken":         {err: &net.OpError{Op: "write", Net: "tcp", Err: syscall.EPIPE}},
		"the answer cut off":            {err: io.ErrUnexpectedEOF},
		"no answer at all":              {err: io.EOF},
		"the connection closed":         {err: net.ErrClosed},
		"the answer late":               {err: timeout{}},
		"answered with a 500":           {status: http.StatusInternalServerError, code: "InternalServerError"},
		"answered with a 503":           {status: http.StatusServiceUnavailable, code: "ServiceUnavailable"},
		"answered with a 502 by others": {status: http.StatusBadGateway},
	}
}

func TestALostAnswerOfAnIncrementThatWasAppliedIsServedAndChargedOnce(t *testing.T) {
	for name, f := range lost() {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			s := &dynamo.Quotas{Client: db, Table: quotasTable}
			take(t, s, "an earlier request")
			f.applied = true
			db.wire.fail("UpdateItem", f)
			if d, err := s.Take(t.Context(), quota(5)); err != nil || !d.Allowed || d.Remaining != 3 {
				t.Errorf("Take = %+v, %v; want allowed with 3 remaining", d, err)
			}
			if sent, counted := db.wire.count(), used(t, db); sent != 2 || counted != "2" {
				t.Errorf("sent %d times and %s counted, want an increment, a confirmation, and 2", sent, counted)
			}
		})
	}
}

func TestALostAnswerOfAnIncrementThatWasNotAppliedIsAnError(t *testing.T) {
	for name, f := range lost() {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			s := &dynamo.Quotas{Client: db, Table: quotasTable}
			take(t, s, "an earlier request")
			db.wire.fail("UpdateItem", f)
			if d, err := s.Take(t.Context(), quota(5)); err == nil || d.Allowed {
				t.Errorf("Take = %+v, %v; want an error", d, err)
			}
			if got := used(t, db); got != "1" {
				t.Errorf("%s counted, want 1", got)
			}
		})
	}
}

// take counts a request of that id.
func take(t *testing.T, s *dynamo.Quotas, requestID string) {
	t.Helper()
	q := quota(1000)
	q.RequestID = requestID
	if d, err := s.Take(t.Context(), q); err != nil || !d.Allowed {
		t.Fatalf("%+v, %v", d, err)
	}
}

// What was applied and then overwritten in its slot cannot be distinguished
// from what was not applied: it is not served, and not charged again either.
func TestAnIncrementThatIsNoLongerNamedStaysUndecided(t *testing.T) {
	db := open(t)
	s := &dynamo.Quotas{Client: &overtaken{db.Client, func() {
		for n := range 100 { // in every slot
			take(t, &dynamo.Quotas{Client: db, Table: quotasTable}, fmt.Sprint("another-", n))
		}
	}}, Table: quotasTable}
	db.wire.fail("UpdateItem", fault{applied: true, err: io.EOF})
	if d, err := s.Take(t.Context(), quota(1000)); !errors.Is(err, io.EOF) || d.Allowed {
		t.Errorf("Take = %+v, %v; want the failure", d, err)
	}
	if got := used(t, db); got != "101" {
		t.Errorf("%s counted, want 101", got)
	}
}

// overtaken lets others go first between a lost answer and what follows it.
type overtaken struct {
	dynamo.QuotasClient
	others func()
}

func (o *overtaken) UpdateItem(ctx context.Context, in *dynamodb.UpdateItemInput, options ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	out, err := o.QuotasClient.UpdateItem(ctx, in, options...)
	if err != nil && o.others != nil {
		others := o.others
		o.others = nil
		others()
	}
	return out, err
}

func TestARefusalByDynamoDBIsNotAskedAbout(t *testing.T) {
	db := open(t)
	s := &dynamo.Quotas{Client: db, Table: quotasTable}
	db.wire.fail("UpdateItem", fault{status: http.StatusBadRequest, code: "ValidationException"})
	if d, err := s.Take(t.Context(), quota(5)); err == nil || d.Allowed || db.wire.count() != 1 {
		t.Errorf("Take = %+v, %v after %d calls; want an error after one", d, err, db.wire.count())
	}
}

type timeout struct{}

func (timeout) Error() string   { return "timeout awaiting response headers" }
func (timeout) Timeout() bool   { return true }
func (timeout) Temporary() bool { return true }

// These prove that nothing was applied; the request should not fail for them.
func TestAnIncrementThatWasNotAppliedIsSentAgain(t *testing.T) {
	refused := fault{err: &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}}
	throttled := func(code string) fault { return fault{status: http.StatusBadRequest, code: code} }
	for _, c := range []struct {
		name   string
		faults []fault
	}{
		{"no connection", []fault{refused}},
		{"no address", []fault{{err: &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host"}}}}},
		{"throttled", []fault{throttled("ThrottlingException")}},
		{"too much for the table", []fault{throttled("ProvisionedThroughputExceededException")}},
		{"too much for the account", []fault{throttled("RequestLimitExceeded")}},
		{"twice", []fault{refused, throttled("ThrottlingException")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := open(t)
			s := &dynamo.Quotas{Client: db, Table: quotasTable}
			db.wire.fail("UpdateItem", c.faults...)
			if d, err := s.Take(t.Context(), quota(5)); err != nil || !d.Allowed || d.Remaining != 4 {
				t.Errorf("Take = %+v, %v; want allowed with 4 remaining", d, err)
			}
			if got, want := db.wire.count(), len(c.faults)+1; got != want {
				t.Errorf("sent %d times, want %d", got, want)
			}
			if got := used(t, db); got != "1" {
				t.Errorf("%s counted, want 1", got)
			}
		})
	}
}

func TestAnIncrementIsGivenUpAfterThreeTries(t *testing.T) {
	db := open(t)
	s := &dynamo.Quotas{Client: db, Table: quotasTable}
	throttled := fault{status: http.StatusBadRequest, code: "ThrottlingException"}
	db.wire.fail("UpdateItem", throttled, throttled, throttled, throttled)
	if d, err := s.Take(t.Context(), quota(5)); err == nil || d.Allowed {
		t.Errorf("Take = %+v, %v; want an error", d, err)
	}
	if got := db.wire.count(); got != 3 {
		t.Errorf("sent %d times, want 3", got)
	}
}

func TestALostAnswerAfterAThrottledTryIsConfirmed(t *testing.T) {
	db := open(t)
	s := &dynamo.Quotas{Client: db, Table: quotasTable}
	throttled := fault{status: http.StatusBadRequest, code: "ThrottlingException"}
	db.wire.fail("UpdateItem", throttled, fault{applied: true, err: io.ErrUnexpectedEOF})
	if d, err := s.Take(t.Context(), quota(5)); err != nil || d.Remaining != 4 {
		t.Errorf("Take = %+v, %v; want allowed with 4 remaining", d, err)
	}
	if sent, counted := db.wire.count(), used(t, db); sent != 3 || counted != "1" {
		t.Errorf("sent %d times and %s counted, want 3 and 1", sent, counted)
	}
}

// The failures as net makes them, not as a test believes them to be.
func TestOnlyAConnectionThatWasNeverMadeIsTriedAgain(t *testing.T) {
	for _, c := range []struct {
		name string
		dial func(ctx context.Context, healthy func() (net.Conn, error)) (net.Conn, error)
		want bool
	}{
		{"refused", func(ctx context.Context, _ func() (net.Conn, error)) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, "tcp", closedPort(t))
		}, true},
		{"closed before the first byte", func(_ context.Context, healthy func() (net.Conn, error)) (net.Conn, error) {
			conn, err := healthy()
			if err != nil {
				return nil, err
			}
			return conn, conn.Close()
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := open(t)
			dial := db.wire.next.DialContext
			var dialled atomic.Int64
			db.wire.next.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
				healthy := func() (net.Conn, error) { return dial(ctx, network, address) }
				if dialled.Add(1) == 1 {
					return c.dial(ctx, healthy)
				}
				return healthy()
			}
			db.wire.next.CloseIdleConnections()
			s := &dynamo.Quotas{Client: db, Table: quotasTable}
			d, err := s.Take(t.Context(), quota(5))
			if d.Allowed != c.want || (err == nil) != c.want {
				t.Errorf("Take = %+v, %v; want allowed %v", d, err, c.want)
			}
			want := map[bool]string{true: "1", false: "0"}[c.want]
			if got := used(t, db); got != want {
				t.Errorf("%s counted, want %s", got, want)
			}
		})
	}
}

// closedPort is an address on which nothing listens.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return address
}

// design.md, DynamoDB: one unit for the quota, whatever the counter is.
func TestAQuotaCostsOneWriteUnit(t *testing.T) {
	db := open(t)
	used := &meter.Meter{}
	ctx := meter.With(t.Context(), used)
	s := &dynamo.Quotas{Client: db, Table: quotasTable}
	for n := range 200 { // every slot is taken, by ids as long as a UUID
		q := quota(10_000)
		q.RequestID = fmt.Sprintf("%036d", n)
		if _, err := s.Take(ctx, q); err != nil {
			t.Fatal(err)
		}
	}
	if used.Total().Trips != 200 || used.Total().WriteUnits != 200 {
		t.Errorf("%d writes of %v units, want 200 of 200", used.Total().Trips, used.Total().WriteUnits)
	}
}

func TestALimitOfNothingAsksNoStore(t *testing.T) {
	s := &dynamo.Quotas{} // would panic
	if d, err := s.Take(t.Context(), quota(0)); err != nil || d.Allowed {
		t.Errorf("Take = %+v, %v; want refused", d, err)
	}
}

func TestTheCounterIsOfAMonthAndGoesAYearAfter(t *testing.T) {
	db := open(t)
	s := &dynamo.Quotas{Client: db, Table: quotasTable}
	for range 2 {
		if _, err := s.Take(t.Context(), quota(5)); err != nil {
			t.Fatal(err)
		}
	}
	want := []map[string]types.AttributeValue{{
		"pk":        &types.AttributeValueMemberS{Value: "64b7f0c2a1d3e4f5a6b7c8d9#2026-01"},
		"used":      &types.AttributeValueMemberN{Value: "2"},
		"r4":        &types.AttributeValueMemberS{Value: quota(5).RequestID},
		"expiresAt": &types.AttributeValueMemberN{Value: fmt.Sprint(time.Date(2027, 2, 1, 0, 0, 0, 0, time.UTC).Unix())},
	}}
	if diff := cmp.Diff(want, db.items(t, quotasTable), attributes()); diff != "" {
		t.Error(diff)
	}
}

func TestAMissingQuotasTableIsAnError(t *testing.T) {
	s := &dynamo.Quotas{Client: open(t), Table: "NotThere"}
	if d, err := s.Take(t.Context(), quota(5)); err == nil || d.Allowed {
		t.Errorf("Take = %+v, %v; want an error", d, err)
	}
}

// A store that shut its door is not one that is full.
func TestAnErrorIsNeverARefusal(t *testing.T) {
	db := open(t)
	s := &dynamo.Quotas{Client: db, Table: quotasTable}
	certificate := &tls.CertificateVerificationError{Err: errors.New("unknown authority")}
	db.wire.fail("UpdateItem", fault{err: certificate})
	d, err := s.Take(t.Context(), quota(5))
	if !errors.Is(err, certificate) || d != (limits.Decision{}) {
		t.Errorf("Take = %+v, %v; want no decision and the cause", d, err)
	}
}
