package logs

import (
	"context"
	"time"

	"touchline/shared/accesslog"
)

// File is the log of a `touchline serve`.
type File struct{ Path string }

// Find returns the line of a request and its text; nil if there isn't one.
func (f *File) Find(_ context.Context, requestID string) (*accesslog.Line, []byte, error) {
	return Find(f.Path, requestID)
}

// findWithin is how far back the lines of a deployment are looked for.
const findWithin = 7 * 24 * time.Hour

// Deployed is the log of a deployment. Each look is billed for what it reads.
type Deployed struct {
	Insights *Insights
	Now      func() time.Time
}

// Find looks for a request within the last week.
func (d *Deployed) Find(ctx context.Context, requestID string) (*accesslog.Line, []byte, error) {
	return d.Insights.Find(ctx, requestID, d.Now().Add(-findWithin), d.Now())
}
