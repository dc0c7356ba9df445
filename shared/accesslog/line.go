package accesslog

import (
	"encoding/json"
	"errors"
	"time"

	"touchline/shared/meter"
)

// Line is a line that was read back.
type Line struct {
	Time             time.Time `json:"time"`
	Level            string    `json:"level"`
	Msg              string    `json:"msg"`
	RequestID        string    `json:"requestId"`
	GatewayRequestID string    `json:"gatewayRequestId"`
	LambdaRequestID  string    `json:"lambdaRequestId"`
	Function         string    `json:"function"`
	Stage            string    `json:"stage"`
	Method           string    `json:"method"`
	Route            string    `json:"route"`
	KeyID            string    `json:"keyId"`
	Organization     string    `json:"organization"`
	Status           int       `json:"status"`
	Code             string    `json:"code"`
	Reason           string    `json:"reason"`
	Check            int       `json:"check"`
	RefusedBy        string    `json:"refusedBy"`
	Why              Word      `json:"why"`
	Details          Why       `json:"details"`
	DurationMicros   int64     `json:"durationMicros"`
	Bytes            int       `json:"bytes"`
	Dropped          string    `json:"dropped"`
	Keys             LineUse   `json:"keys"`
	Secrets          LineUse   `json:"secrets"`
	Nonces           LineUse   `json:"nonces"`
	Quotas           LineUse   `json:"quotas"`
	Sports           LineUse   `json:"sports"`
	Cold             bool      `json:"cold"`
	StartMicros      int64     `json:"startMicros"`
	Cause            string    `json:"cause"`
	Stack            string    `json:"stack"`
}

// LineUse is what a store was asked for.
type LineUse struct {
	Calls      int     `json:"calls"`
	Open       int     `json:"open"`
	Hits       int     `json:"hits"`
	Micros     int64   `json:"micros"`
	ReadUnits  float64 `json:"readUnits"`
	WriteUnits float64 `json:"writeUnits"`
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

// Uses gives what each store was asked for.
func (l *Line) Uses() map[meter.Store]LineUse {
	return map[meter.Store]LineUse{
		meter.Keys: l.Keys, meter.Secrets: l.Secrets, meter.Nonces: l.Nonces, meter.Quotas: l.Quotas, meter.Sports: l.Sports,
	}
}
