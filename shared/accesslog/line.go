package accesslog

import (
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"touchline/shared/meter"
)

// Line is the line of a request, as it is written and read back; doc.go describes its
// fields. Whoever writes one leaves what [Log.Write] fills in.
type Line struct {
	Time             time.Time `json:"time"`
	Level            string    `json:"level"` // filled in
	Msg              string    `json:"msg"`   // filled in
	RequestID        string    `json:"requestId,omitempty"`
	GatewayRequestID string    `json:"gatewayRequestId,omitempty"`
	LambdaRequestID  string    `json:"lambdaRequestId,omitempty"`
	Function         string    `json:"function,omitempty"` // filled in
	Stage            string    `json:"stage,omitempty"`    // filled in
	Method           string    `json:"method"`             // written as it was sent only where it is one of HTTP's own
	Route            string    `json:"route,omitempty"`
	KeyID            string    `json:"keyId,omitempty"`
	Organization     string    `json:"organization,omitempty"`
	Status           int       `json:"status"`
	Code             string    `json:"code,omitempty"`
	Reason           string    `json:"reason,omitempty"`
	Check            int       `json:"check,omitempty"`
	RefusedBy        string    `json:"refusedBy,omitempty"`
	Why              Word      `json:"why,omitempty"`
	Details          Why       `json:"details,omitzero"`
	DurationMicros   int64     `json:"durationMicros"`
	Bytes            int       `json:"bytes,omitempty"`
	Keys             LineUse   `json:"keys,omitzero"` // this and the other stores are filled in
	Secrets          LineUse   `json:"secrets,omitzero"`
	Nonces           LineUse   `json:"nonces,omitzero"`
	Quotas           LineUse   `json:"quotas,omitzero"`
	Sports           LineUse   `json:"sports,omitzero"`
	Cold             bool      `json:"cold,omitempty"`
	StartMicros      int64     `json:"startMicros,omitempty"` // filled in
	Cause            string    `json:"cause,omitempty"`
	Stack            string    `json:"stack,omitempty"`
}

// LineUse is what a store was asked for.
type LineUse struct {
	Calls      int     `json:"calls,omitempty"`
	Hits       int     `json:"hits,omitempty"`
	Micros     int64   `json:"micros,omitempty"`
	ReadUnits  float64 `json:"readUnits,omitempty"`
	WriteUnits float64 `json:"writeUnits,omitempty"`
}

// ErrNoLine says that a line of a log is not that of a request: it is another
// program's, or was cut short.
var ErrNoLine = errors.New("not the line of a request")

// Parse reads a line back. The error is ErrNoLine.
func Parse(text []byte) (Line, error) {
	var l Line
	if err := json.Unmarshal(text, &l); err != nil || l.Msg != message || l.RequestID == "" {
		return Line{}, ErrNoLine
	}
	return l, nil
}

// Use is what a store was asked for.
func (l *Line) Use(s meter.Store) *LineUse {
	return [...]*LineUse{meter.Keys: &l.Keys, meter.Secrets: &l.Secrets, meter.Nonces: &l.Nonces, meter.Quotas: &l.Quotas, meter.Sports: &l.Sports}[s]
}

// Refuse notes in which way a check was not passed.
func (l *Line) Refuse(w Why) {
	l.Why, w.Word = w.Word, ""
	l.Details = w
}

// appendMetrics adds the metrics that the line counts for.
func (l *Line) appendMetrics(to []Metric) []Metric {
	broken := l.Status >= http.StatusInternalServerError
	failed := func(s meter.Store) bool { return broken && l.Details.Store == s.String() }
	to = append(to, Requests)
	for _, m := range [...]struct {
		Metric
		counts bool
	}{
		{Unauthorized, l.Status == http.StatusUnauthorized},
		{RateLimited, l.Status == http.StatusTooManyRequests},
		{KeyStoreFaults, failed(meter.Keys) || failed(meter.Secrets)},
		{NonceStoreFaults, failed(meter.Nonces)},
		{QuotaStoreFaults, failed(meter.Quotas)},
		{DataFaults, failed(meter.Sports)},
	} {
		if m.counts {
			to = append(to, m.Metric)
		}
	}
	return to
}

// methodOf is the method for a line: a caller may send any text as one.
func methodOf(sent string) string {
	switch sent {
	case "GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE", "CONNECT", "TRACE":
		return sent
	}
	return "other"
}
