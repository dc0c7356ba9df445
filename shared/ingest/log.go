package ingest

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"touchline/shared/accesslog"
	"touchline/shared/store"
	"touchline/shared/store/generation"
)

// log writes the one line of an invocation for a drop, and reports whether its message goes
// back:
//
//	level     INFO; WARN if the message goes back; ERROR if the dataset is faulty, which
//	          counts as accesslog.IngestFailures
//	msg       "drop"
//	stage     name of the stage
//	bucket, folder
//	outcome   loaded, faulty; deleted, answered before: there was nothing to do; paused,
//	          waiting or again: the message goes back
//	durationMillis
//	cause     why the message goes back
//	faults    how many
//	readUnits, writeUnits
//	          of DynamoDB, if the table counts them
//
// The report has the rest.
func (w *Worker) log(ctx context.Context, d Drop, took time.Duration, report *Report, err error) (again bool) {
	outcome, level := "", slog.LevelInfo
	stage := []slog.Attr{slog.String(accesslog.Dimension, w.Stage)}
	switch {
	case err == nil:
		if outcome = string(report.Status); report.Status == Faulty {
			level, stage = slog.LevelError, accesslog.Count(w.Now(), w.Stage, accesslog.IngestFailures)
		}
	case errors.Is(err, errReported):
		outcome = "answered before"
	case errors.Is(err, ErrNotFound): // _READY, or the bucket
		outcome = "deleted"
	default:
		outcome, again, level = "again", true, slog.LevelWarn
		// The version that takes loads now takes the message of a table that has moved.
		if errors.As(err, new(*generation.MovedError)) || errors.As(err, new(*store.HeldError)) {
			outcome = "waiting"
		} else if errors.Is(err, errTime) {
			outcome = "paused"
		}
	}
	attrs := append(stage,
		slog.String("bucket", d.Bucket), slog.String("folder", d.Folder), slog.String("outcome", outcome),
		slog.Int64("durationMillis", took.Milliseconds()))
	if again {
		attrs = append(attrs, slog.String("cause", err.Error()))
	}
	if err == nil && report.Faults.Count() > 0 {
		attrs = append(attrs, slog.Int("faults", report.Faults.Count()))
	}
	if used := w.Table.Meter; used != nil {
		attrs = append(attrs, slog.Float64("readUnits", used.Total().ReadUnits), slog.Float64("writeUnits", used.Total().WriteUnits))
		used.Reset()
	}
	w.Log.LogAttrs(ctx, level, "drop", attrs...)
	return again
}
