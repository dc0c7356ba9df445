package logs

import (
	"context"
	"errors"
	"io/fs"
	"sync"
	"time"

	"touchline/shared/accesslog"
)

// maxKept is how many of the newest lines of a log are kept in memory, one
// kilobyte each.
const maxKept = 10_000

// File is the log of a `touchline serve`, with its newest lines in memory. It is
// safe for concurrent use.
type File struct {
	Path string

	mu    sync.Mutex
	tail  Tail
	lines []accesslog.Line // the oldest first
}

// Recent returns the lines since a time, newest first, at most 10,000 of them.
// The error is fs.ErrNotExist if there is no log.
func (f *File) Recent(_ context.Context, from time.Time) ([]accesslog.Line, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.tail.Path = f.Path
	if err := f.tail.Read(f.add); err != nil && (len(f.lines) == 0 || !errors.Is(err, fs.ErrNotExist)) {
		return nil, err
	}
	var out []accesslog.Line
	for i := len(f.lines) - 1; i >= 0 && !f.lines[i].Time.Before(from); i-- {
		out = append(out, f.lines[i])
	}
	return out, nil
}

func (f *File) add(text []byte) {
	line, err := accesslog.Parse(text)
	if err != nil {
		return
	}
	f.lines = append(f.lines, line)
	if len(f.lines) >= 2*maxKept {
		f.lines = append(f.lines[:0], f.lines[len(f.lines)-maxKept:]...)
	}
}

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

// Recent is like File.Recent.
func (d *Deployed) Recent(ctx context.Context, from time.Time) (lines []accesslog.Line, err error) {
	now := d.Now()
	if earliest := now.Add(-findWithin); from.Before(earliest) {
		from = earliest
	}
	texts, err := d.Insights.Query(ctx, "ispresent(requestId)", 0, from, now)
	for _, text := range texts {
		if line, err := accesslog.Parse([]byte(text)); err == nil {
			lines = append(lines, line)
		}
	}
	return lines, err
}

// Find looks for a request within the last week.
func (d *Deployed) Find(ctx context.Context, requestID string) (*accesslog.Line, []byte, error) {
	return d.Insights.Find(ctx, requestID, d.Now().Add(-findWithin), d.Now())
}
