package accesslog

import (
	"net/http"
	"time"

	"touchline/shared/meter"
)

// Check is a row of D1.
type Check struct {
	Number int // 0: none
	Name   string
}

// Entry is what a line says about a request; doc.go describes its fields.
type Entry struct {
	At               time.Time // of the answer
	RequestID        string
	GatewayRequestID string
	LambdaRequestID  string
	Method           string // as it was sent; a line has a known one only
	Route            string
	KeyID            string
	Organization     string
	Status           int
	Code, Reason     string
	Check            Check
	Why              Why
	Took             time.Duration
	Bytes            int
	Dropped          string
	Spent            *meter.Meter // may be nil
	Cold             bool
	Cause, Stack     string
}

// appendMetrics adds the metrics that the entry counts for.
func (e *Entry) appendMetrics(to []Metric) []Metric {
	to = append(to, Requests)
	for _, m := range [...]struct {
		Metric
		counts bool
	}{
		{ServerErrors, e.Status >= http.StatusInternalServerError},
		{Unauthorized, e.Status == http.StatusUnauthorized},
		{RateLimited, e.Status == http.StatusTooManyRequests},
		{KeyStoreFaults, e.failed(meter.Keys) || e.failed(meter.Secrets)},
		{NonceStoreFaults, e.failed(meter.Nonces)},
		{QuotaStoreFaults, e.failed(meter.Quotas)},
		{DataFaults, e.failed(meter.Sports)},
		{ColdStarts, e.Cold},
	} {
		if m.counts {
			to = append(to, m.Metric)
		}
	}
	return to
}

// failed reports whether the answer is a 5xx for the failure of a store.
func (e *Entry) failed(s meter.Store) bool {
	return e.Status >= http.StatusInternalServerError && e.Why.Store == s.String()
}

// MethodOf is the method for a line: a caller may send any text as one.
func MethodOf(sent string) string {
	switch sent {
	case "GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "TRACE":
		return sent
	}
	return "other"
}
