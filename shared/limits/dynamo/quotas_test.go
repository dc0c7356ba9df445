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
	"touchline/shared/sport"
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

type timeout struct{}

func (timeout) Error() string   { return "timeout awaiting response headers" }
func (timeout) Timeout() bool   { return true }
func (timeout) Temporary() bool { return true }

// What becomes of a request whose increment meets failures on its way, after another one was counted.
func TestAnIncrementIsServedAndChargedOnceOrIsAnError(t *testing.T) {
	refused := fault{err: &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}}
	answered := func(status int, code string) fault { return fault{status: status, code: code} }
	throttled := answered(http.StatusBadRequest, "ThrottlingException")
	applied := func(f fault) fault { f.applied = true; return f }
	type outcome struct {
		faults  []fault
		served  bool
		sent    int
		counted string
	}
	rows := map[string]outcome{
		"no connection":              {[]fault{refused}, true, 2, "2"},
		"no address":                 {[]fault{{err: &net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host"}}}}, true, 2, "2"},
		"throttled":                  {[]fault{throttled}, true, 2, "2"},
		"too much for the table":     {[]fault{answered(http.StatusBadRequest, "ProvisionedThroughputExceededException")}, true, 2, "2"},
		"too much for the account":   {[]fault{answered(http.StatusBadRequest, "RequestLimitExceeded")}, true, 2, "2"},
		"twice":                      {[]fault{refused, throttled}, true, 3, "2"},
		"three times":                {[]fault{throttled, throttled, throttled, throttled}, false, 3, "1"},
		"throttled, then lost":       {[]fault{throttled, applied(fault{err: io.ErrUnexpectedEOF})}, true, 3, "2"},
		"refused by DynamoDB":        {[]fault{answered(http.StatusBadRequest, "ValidationException")}, false, 1, "1"},
		"a door that is shut":        {[]fault{{err: &tls.CertificateVerificationError{Err: errors.New("unknown authority")}}}, false, 2, "1"},
		"lost, and its confirmation": {[]fault{applied(fault{err: io.EOF}), {err: io.EOF}}, true, 3, "2"},
	}
	for name, f := range map[string]fault{ // after which it may have been applied
		"the connection reset":          {err: &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}},
		"the connection broken":         {err: &net.OpError{Op: "write", Net: "tcp", Err: syscall.EPIPE}},
		"the answer cut off":            {err: io.ErrUnexpectedEOF},
		"no answer at all":              {err: io.EOF},
		"the connection closed":         {err: net.ErrClosed},
		"the answer late":               {err: timeout{}},
		"answered with a 500":           answered(http.StatusInternalServerError, "InternalServerError"),
		"answered with a 503":           answered(http.StatusServiceUnavailable, "ServiceUnavailable"),
		"answered with a 502 by others": {status: http.StatusBadGateway},
	} {
		rows[name+", applied"], rows[name+", not applied"] = outcome{[]fault{applied(f)}, true, 2, "2"}, outcome{[]fault{f}, false, 2, "1"}
	}
	for name, want := range rows {
		t.Run(name, func(t *testing.T) {
			db := open(t)
			s := &dynamo.Quotas{Client: db, Table: quotasTable}
			take(t, s, "an earlier request")
			db.wire.fail("UpdateItem", want.faults...)
			d, err := s.Take(t.Context(), quota(5))
			if (err == nil) != want.served || d.Allowed != want.served || want.served && d.Remaining != 3 || !want.served && d != (limits.Decision{}) {
				t.Errorf("Take = %+v, %v; want served %v", d, err, want.served)
			}
			if cause := want.faults[0].err; !want.served && cause != nil && !errors.Is(err, cause) {
				t.Errorf("Take = %v, want the cause", err)
			}
			if sent, counted := db.wire.count(), used(t, db); sent != want.sent || counted != want.counted {
				t.Errorf("sent %d times and %s counted, want %d and %s", sent, counted, want.sent, want.counted)
			}
		})
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
			return (&net.Dialer{}).DialContext(ctx, "tcp", "127.0.0.1:1") // where nothing listens
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

// nonsense is an engine whose counter is no number.
type nonsense struct{}

var many = map[string]types.AttributeValue{"used": &types.AttributeValueMemberS{Value: "many"}}

func (nonsense) UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	return &dynamodb.UpdateItemOutput{Attributes: many}, nil
}

func (nonsense) Scan(context.Context, *dynamodb.ScanInput, ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	return &dynamodb.ScanOutput{Items: []map[string]types.AttributeValue{many}}, nil
}

func TestACounterThatIsNoNumberIsAnError(t *testing.T) {
	if d, err := (&dynamo.Quotas{Client: nonsense{}}).Take(t.Context(), quota(5)); err == nil || d.Allowed {
		t.Errorf("Take = %+v, %v; want an error", d, err)
	}
	if used, err := dynamo.Usage(t.Context(), nonsense{}, quotasTable, time.Now()); err == nil {
		t.Errorf("Usage = %v", used)
	}
}

func TestUsageIsOfOneMonth(t *testing.T) {
	db := open(t)
	s := &dynamo.Quotas{Client: db, Table: quotasTable}
	q := quota(5)
	later := q
	later.Now = q.Now.AddDate(0, 1, 0)
	for _, q := range []limits.Quota{q, q, later, {Organization: other, Limit: 5, Now: q.Now}} {
		decided(t, s, q)
	}
	got, err := dynamo.Usage(t.Context(), db.Client, quotasTable, q.Now)
	if diff := cmp.Diff(map[sport.ID]int{organization: 2, other: 1}, got); err != nil || diff != "" {
		t.Errorf("%v: %s", err, diff)
	}
	if got, err := dynamo.Usage(t.Context(), db.Client, "NotThere", q.Now); err == nil {
		t.Errorf("of no table: %v", got)
	}
}
