package ingest

import (
	"context"
	"log/slog"

	"touchline/shared/accesslog"
	"touchline/shared/loader"
	"touchline/shared/loader/history"
)

// log writes the one line of an invocation for a drop:
//
//	level     INFO; WARN if the message goes back; ERROR if the dataset was not
//	          loaded, which counts as accesslog.IngestFailures
//	msg       "drop"
//	stage     name of the stage
//	bucket, folder
//	outcome   loaded, faulty, failed; paused, waiting or again: the message goes
//	          back; deleted, answered before: there was nothing to do
//	received  how often the message was received
//	durationMillis
//	cause     why the message goes back or the drop is given up
//	faults    how many
//	entries and one group for each kind of record: what the load wrote
//	readUnits, writeUnits
//	          of DynamoDB, if the table counts them
func (w *Worker) log(ctx context.Context, d Drop, received int, a result) {
	attrs := []slog.Attr{
		slog.String("bucket", d.Bucket), slog.String("folder", d.Folder), slog.String("outcome", a.outcome),
		slog.Int("received", received), slog.Int64("durationMillis", a.took.Milliseconds()),
	}
	level, metrics := slog.LevelInfo, []accesslog.Metric(nil)
	if a.again {
		level = slog.LevelWarn
	}
	if a.cause != nil {
		attrs = append(attrs, slog.String("cause", a.cause.Error()))
	}
	if r := a.report; r != nil {
		if r.Status != Loaded {
			level, metrics = slog.LevelError, []accesslog.Metric{accesslog.IngestFailures}
		}
		if n := r.Faults.Count(); n > 0 {
			attrs = append(attrs, slog.Int("faults", n))
		}
		attrs = append(attrs, counted(r.Counts)...)
	}
	attrs = append(attrs, w.used()...)
	if metrics == nil {
		attrs = append(attrs, slog.String(accesslog.Dimension, w.Stage))
	} else {
		attrs = append(attrs, accesslog.Count(w.Now(), w.Stage, metrics...)...)
	}
	w.Log.LogAttrs(ctx, level, "drop", attrs...)
}

// used are the units of DynamoDB since it was last asked.
func (w *Worker) used() []slog.Attr {
	if w.Table.Meter == nil {
		return nil
	}
	used := w.Table.Meter.Total()
	w.Table.Meter.Reset()
	return []slog.Attr{slog.Float64("readUnits", used.ReadUnits), slog.Float64("writeUnits", used.WriteUnits)}
}

func counted(r *loader.Report) []slog.Attr {
	if r == nil {
		return nil
	}
	attrs := []slog.Attr{slog.Int("entries", r.Entries)}
	for _, n := range r.Kinds() {
		if *n.Counts != (history.Counts{}) {
			attrs = append(attrs, slog.Group(n.Kind,
				slog.Int("created", n.Created), slog.Int("changed", n.Changed),
				slog.Int("deleted", n.Deleted), slog.Int("unchanged", n.Unchanged)))
		}
	}
	if n := r.Faults.Count(); n > 0 {
		attrs = append(attrs, slog.Int("leftOut", n))
	}
	return attrs
}
