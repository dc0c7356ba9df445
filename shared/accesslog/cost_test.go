package accesslog_test

import (
	"log/slog"
	"math"
	"testing"
	"time"

	"touchline/shared/accesslog"
	"touchline/shared/meter"
)

// answered is the entry of a request that was served on AWS.
func answered() (*accesslog.Log, *accesslog.Entry) {
	log := &accesslog.Log{
		Logger: slog.New(slog.NewJSONHandler(sink{}, nil)), Function: "touchline-prod-teams", Stage: "prod", Metrics: true,
	}
	return log, &accesslog.Entry{
		At: time.Date(2026, 3, 14, 15, 9, 26, 535e6, time.UTC), RequestID: "0b5f7f0e-4f0c-4f7e-9d9e-6f2f6b1f7a11",
		GatewayRequestID: "JKJaXmPLvHcESHA=", LambdaRequestID: "6f2f6b1f-4f0c-4f7e-9d9e-0b5f7f0e7a11",
		Method: "GET", Route: "/v1/teams/{id}", KeyID: "tk_test", Organization: "64b7f0c2a1d3e4f5a6b7c8d9",
		Status: 200, Took: 12345 * time.Microsecond, Bytes: 2048, Spent: &meter.Meter{Now: time.Now},
	}
}

func TestALineAllocatesNextToNothing(t *testing.T) {
	log, entry := answered()
	fewest := math.Inf(1) // under the race detector a sync.Pool forgets at random
	for range 200 {
		fewest = min(fewest, testing.AllocsPerRun(1, func() { log.Write(entry) }))
	}
	if fewest > 1 {
		t.Errorf("%v allocations", fewest)
	}
}

func BenchmarkWrite(b *testing.B) {
	log, entry := answered()
	b.ReportAllocs()
	for b.Loop() {
		log.Write(entry)
	}
}

// sink takes what is written, as standard output does, and keeps nothing.
type sink struct{}

func (sink) Write(p []byte) (int, error) { return len(p), nil }
