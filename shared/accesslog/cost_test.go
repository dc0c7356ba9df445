package accesslog_test

import (
	"math"
	"testing"
	"time"

	"touchline/shared/accesslog"
	"touchline/shared/meter"
)

// answered is the line of a request that was served on AWS.
func answered() (*accesslog.Log, *accesslog.Line, *meter.Meter) {
	log := &accesslog.Log{
		Lines: sink{}, Function: "touchline-prod-teams", Stage: "prod", Metrics: true,
	}
	return log, &accesslog.Line{
		Time: time.Date(2026, 3, 14, 15, 9, 26, 535e6, time.UTC), RequestID: "0b5f7f0e-4f0c-4f7e-9d9e-6f2f6b1f7a11",
		GatewayRequestID: "JKJaXmPLvHcESHA=", LambdaRequestID: "6f2f6b1f-4f0c-4f7e-9d9e-0b5f7f0e7a11",
		Method: "GET", Route: "/v1/teams/{id}", KeyID: "tk_test", Organization: "64b7f0c2a1d3e4f5a6b7c8d9",
		Status: 200, DurationMicros: 12345, Bytes: 2048,
	}, &meter.Meter{Now: time.Now}
}

func TestALineAllocatesNextToNothing(t *testing.T) {
	log, line, spent := answered()
	fewest := math.Inf(1) // under the race detector a sync.Pool forgets at random
	for range 200 {
		fewest = min(fewest, testing.AllocsPerRun(1, func() { log.Write(line, spent) }))
	}
	if fewest > 1 {
		t.Errorf("%v allocations", fewest)
	}
}

// sink takes what is written, as standard output does, and keeps nothing.
type sink struct{}

func (sink) Write(p []byte) (int, error) { return len(p), nil }
