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

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/limits"
	"touchline/shared/limits/dynamo"
	"touchline/shared/limits/limitstest"
	"touchline/shared/meter"
)

func quota(limit int) limits.Quota {
	return limits.Quota{
		Organization: "64b7f0c2a1d3e4f5a6b7c8d9",
		Limit:        limit,
		Now:          time.Date(2026, 1, 16, 18, 0, 0, 0, time.UTC),
	}
}

// used gives the counter of the month as it is stored, 0 where there is none.
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

func TestQuotasHoldTheContract(t *testing.T) {
	limitstest.Quotas(t, func(t *testing.T) limits.QuotaStore {
		return &dynamo.Quotas{Client: open(t), Table: quotasTable}
	})
}

// After these the increment may have been applied, so it is not sent again and
// the caller hears of it; charged is what it happens to have cost.
func TestAnIncrementThatMayHaveBeenAppliedIsNotSentAgain(t *testing.T) {
	written := &net.OpError{Op: "write", Net: "tcp", Err: syscall.EPIPE}
	read := &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	for _, c := range []struct {
		name    string
		fault   fault
		charged string
	}{
		{"applied, the connection reset", fault{applied: true, err: read}, "1"},
		{"applied, the connection broken", fault{applied: true, err: written}, "1"},
		{"applied, the answer cut off", fault{applied: true, err: io.ErrUnexpectedEOF}, "1"},
		{"applied, no answer at all", fault{applied: true, err: io.EOF}, "1"},
		{"applied, the connection closed", fault{applied: true, err: net.ErrClosed}, "1"},
		{"applied, the answer late", fault{applied: true, err: timeout{}}, "1"},
		{"applied, answered with a 500", fault{applied: true, status: http.StatusInternalServerError, code: "InternalServerError"}, "1"},
		{"applied, answered with a 503", fault{applied: true, status: http.StatusServiceUnavailable, code: "ServiceUnavailable"}, "1"},
		{"applied, answered with a 502 by someone else", fault{applied: true, status: http.StatusBadGateway}, "1"},
		{"not applied, the connection reset", fault{err: read}, "0"},
		{"not applied, the connection broken", fault{err: written}, "0"},
		{"not applied, answered with a 500", fault{status: http.StatusInternalServerError, code: "InternalServerError"}, "0"},
		{"not applied, refused for another reason", fault{status: http.StatusBadRequest, code: "ValidationException"}, "0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := open(t)
			s := &dynamo.Quotas{Client: db, Table: quotasTable}
			db.wire.fail("UpdateItem", c.fault)
			if d, err := s.Take(t.Context(), quota(5)); err == nil || d.Allowed {
				t.Errorf("Take = %+v, %v; want an error", d, err)
			}
			if got := db.wire.count(); got != 1 {
				t.Errorf("sent %d times, want once", got)
			}
			if got := used(t, db); got != c.charged {
				t.Errorf("%s counted, want %s", got, c.charged)
			}
		})
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

// After a try that may have been applied, one that was not changes nothing.
func TestNothingFollowsATryThatMayHaveBeenApplied(t *testing.T) {
	db := open(t)
	s := &dynamo.Quotas{Client: db, Table: quotasTable}
	throttled := fault{status: http.StatusBadRequest, code: "ThrottlingException"}
	db.wire.fail("UpdateItem", throttled, fault{applied: true, err: io.ErrUnexpectedEOF})
	if d, err := s.Take(t.Context(), quota(5)); err == nil || d.Allowed {
		t.Errorf("Take = %+v, %v; want an error", d, err)
	}
	if sent, counted := db.wire.count(), used(t, db); sent != 2 || counted != "1" {
		t.Errorf("sent %d times and %s counted, want 2 and 1", sent, counted)
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

// design.md, DynamoDB: one unit for the quota, whatever the counter stands at.
func TestAQuotaCostsOneWriteUnit(t *testing.T) {
	db := open(t)
	used := &meter.Meter{}
	ctx := meter.With(t.Context(), used)
	s := &dynamo.Quotas{Client: db, Table: quotasTable}
	for range 3 {
		if _, err := s.Take(ctx, quota(10_000)); err != nil {
			t.Fatal(err)
		}
	}
	if used.Total().Trips != 3 || used.Total().WriteUnits != 3 {
		t.Errorf("%d writes of %v units, want 3 of 3", used.Total().Trips, used.Total().WriteUnits)
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
