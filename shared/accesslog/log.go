package accesslog

import (
	"context"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	"touchline/shared/meter"
)

// Log writes the lines of a worker. Its fields are set before the first request
// and not changed after. It is safe for concurrent use.
type Log struct {
	// Logger's handler writes the lines. It must not keep a record once it has
	// been handled: the memory is used again.
	Logger   *slog.Logger
	Function string        // of Lambda; empty elsewhere
	Stage    string        // of the deployment
	Metrics  bool          // embed the metrics: where CloudWatch reads the lines
	Start    time.Duration // how long the worker's start took
	// Also, where set, is given each entry that was written. It must not keep it.
	Also func(*Entry)

	served atomic.Bool
	blank  atomic.Pointer[page] // of the last line; nil while it is written on
}

// Cold reports whether the request that asks is the worker's first.
func (l *Log) Cold() bool { return !l.served.Swap(true) }

// message is the msg of every line.
const message = "request"

// Write writes the line of e. It returns nothing, and a panic ends here: no
// request is to be answered otherwise because of its line.
func (l *Log) Write(e *Entry) {
	defer func() { _ = recover() }()
	level := slog.LevelInfo
	if e.Status >= http.StatusInternalServerError {
		level = slog.LevelError
	}
	ctx := context.Background()
	if h := l.Logger.Handler(); h.Enabled(ctx, level) {
		p := l.blank.Swap(nil)
		if p == nil {
			p = &page{}
		}
		record := slog.NewRecord(e.At, level, message, 0)
		record.AddAttrs(p.fill(l, e))
		_ = h.Handle(ctx, record) // there is nobody to tell
		p.clear()
		l.blank.Store(p)
	}
	if l.Also != nil {
		l.Also(e)
	}
}

// page is the memory of a line's attributes, used line after line: attributes
// of their own would be most of what a request allocates. One is enough for a
// Lambda worker, which serves one request at a time.
type page struct {
	line      []slog.Attr
	details   []slog.Attr
	stores    [len(meter.Uses{})][]slog.Attr
	metrics   []Metric
	embedded  [2]slog.Attr
	directive directive
}

// fill gives the attributes of e as one group without a name, which a handler
// writes as if each had been added.
func (p *page) fill(l *Log, e *Entry) slog.Attr {
	p.text("requestId", e.RequestID)
	p.text("gatewayRequestId", e.GatewayRequestID)
	p.text("lambdaRequestId", e.LambdaRequestID)
	p.text("function", l.Function)
	p.text(Dimension, l.Stage)
	p.text("method", MethodOf(e.Method))
	p.text("route", e.Route)
	p.text("keyId", e.KeyID)
	p.text("organization", e.Organization)
	p.line = append(p.line, slog.Int("status", e.Status))
	p.text("code", e.Code)
	p.text("reason", e.Reason)
	if e.Check.Number != 0 {
		p.number("check", int64(e.Check.Number))
		p.text("refusedBy", e.Check.Name)
	}
	p.text("why", string(e.Why.Word))
	p.why(&e.Why)
	p.line = append(p.line, slog.Int64("durationMicros", e.Took.Microseconds()))
	p.number("bytes", int64(e.Bytes))
	p.text("dropped", e.Dropped)
	if e.Spent != nil {
		p.spent(e.Spent.Uses())
	}
	if e.Cold {
		p.line = append(p.line, slog.Bool("cold", true))
		p.number("startMicros", l.Start.Microseconds())
	}
	p.text("cause", e.Cause)
	p.text("stack", e.Stack)
	if l.Metrics {
		p.embed(e)
	}
	return slog.Attr{Value: slog.GroupValue(p.line...)}
}

func (p *page) text(key, value string) { p.line = appendText(p.line, key, value) }

func (p *page) number(key string, value int64) { p.line = appendNumber(p.line, key, value) }

func (p *page) group(key string, attrs []slog.Attr) {
	if len(attrs) > 0 {
		p.line = append(p.line, slog.Attr{Key: key, Value: slog.GroupValue(attrs...)})
	}
}

// why is the group of details, with the names that Why's tags have.
func (p *page) why(w *Why) {
	d := p.details
	d = appendNumber(d, "bytes", int64(w.Bytes))
	d = appendNumber(d, "limit", int64(w.Limit))
	d = appendText(d, "in", w.In)
	d = appendText(d, "header", w.Header)
	d = appendText(d, "rule", w.Rule)
	d = appendNumber(d, "retryAfterSeconds", int64(w.RetryAfter))
	d = appendText(d, "keyStart", w.KeyStart)
	d = appendNumber(d, "skewSeconds", w.SkewSeconds)
	d = appendText(d, "usedBy", w.UsedBy)
	d = appendText(d, "scope", w.Scope)
	d = appendText(d, "parameter", w.Parameter)
	d = appendText(d, "what", w.What)
	d = appendNumber(d, "organizations", int64(w.Organizations))
	d = appendText(d, "store", w.Store)
	d = appendText(d, "canonicalSha256", w.CanonicalSHA256)
	d = appendNumber(d, "canonicalBytes", int64(w.CanonicalBytes))
	d = appendText(d, "mistake", w.Mistake)
	p.details = d
	p.group("details", d)
}

// spent is a group for each store that was asked.
func (p *page) spent(uses meter.Uses) {
	for i, use := range uses {
		g := p.stores[i]
		g = appendNumber(g, "calls", int64(use.Trips))
		g = appendNumber(g, "open", int64(use.Open))
		g = appendNumber(g, "hits", int64(use.Hits))
		if use.Trips > 0 {
			g = append(g, slog.Int64("micros", use.Took.Microseconds()))
		}
		g = appendUnits(g, "readUnits", use.ReadUnits)
		g = appendUnits(g, "writeUnits", use.WriteUnits)
		p.stores[i] = g
		p.group(meter.Store(i).String(), g)
	}
}

func appendText(to []slog.Attr, key, value string) []slog.Attr {
	if value == "" {
		return to
	}
	return append(to, slog.String(key, value))
}

func appendNumber(to []slog.Attr, key string, value int64) []slog.Attr {
	if value == 0 {
		return to
	}
	return append(to, slog.Int64(key, value))
}

// appendUnits writes whole numbers as such: encoding a fraction costs more.
func appendUnits(to []slog.Attr, key string, units float64) []slog.Attr {
	if whole := int64(units); float64(whole) == units {
		return appendNumber(to, key, whole)
	}
	return append(to, slog.Float64(key, units))
}

// clear lets go of the request.
func (p *page) clear() {
	empty := func(a []slog.Attr) []slog.Attr {
		clear(a)
		return a[:0]
	}
	p.line, p.details = empty(p.line), empty(p.details)
	for i := range p.stores {
		p.stores[i] = empty(p.stores[i])
	}
}
