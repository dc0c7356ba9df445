package accesslog

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"touchline/shared/meter"
)

// Log writes the lines of a worker. Its fields are set before the first request
// and not changed after. It is safe for concurrent use.
type Log struct {
	Lines    io.Writer     // takes each line whole, with a line feed; nil: nothing is written
	Function string        // of Lambda; empty elsewhere
	Stage    string        // of the deployment
	Metrics  bool          // embed the metrics: where CloudWatch reads the lines
	Start    time.Duration // how long the worker's start took
	// Also, where set, is given each line after it was written. It must not keep it.
	Also func(*Line)

	served atomic.Bool
	mu     sync.Mutex
	page   page
}

// Cold reports whether the request that asks is the worker's first.
func (l *Log) Cold() bool { return !l.served.Swap(true) }

// message is the msg of every line.
const message = "request"

// Write writes a line, with what was asked of the stores; spent may be nil. It returns
// nothing, and a panic ends here: no request is to be answered otherwise because of its
// line.
func (l *Log) Write(line *Line, spent *meter.Meter) {
	defer func() { _ = recover() }()
	line.Level, line.Msg, line.Function, line.Stage = slog.LevelInfo.String(), message, l.Function, l.Stage
	if line.Status >= http.StatusInternalServerError {
		line.Level = slog.LevelError.String()
	}
	if line.Cold {
		line.StartMicros = l.Start.Microseconds()
	}
	line.Method = methodOf(line.Method)
	if spent != nil {
		for s, u := range spent.Uses() {
			*line.Use(meter.Store(s)) = LineUse{u.Trips, u.Hits, u.Took.Microseconds(), u.ReadUnits, u.WriteUnits}
		}
	}
	if l.Lines != nil {
		l.put(line)
	}
	if l.Also != nil {
		l.Also(line)
	}
}

func (l *Log) put(line *Line) {
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = l.Lines.Write(l.page.fill(line, l.Metrics)) // there is nobody to tell
}

// page is the memory of a line, used line after line.
type page struct {
	text    bytes.Buffer
	encoder *json.Encoder
	written struct {
		Time string `json:"time"` // a time.Time would be allocated to be encoded
		*Line
	}
	metrics []Metric
}

// fill is the text of a line, until the next one is filled in.
func (p *page) fill(line *Line, withMetrics bool) []byte {
	if p.encoder == nil {
		p.encoder = json.NewEncoder(&p.text)
		p.encoder.SetEscapeHTML(false)
	}
	p.text.Reset()
	p.written.Time, p.written.Line = line.Time.Format(time.RFC3339Nano), line
	defer func() { p.written.Line = nil }()
	_ = p.encoder.Encode(&p.written) // of texts and numbers
	if !withMetrics {
		return p.text.Bytes()
	}
	p.metrics = line.appendMetrics(p.metrics[:0])
	p.text.Truncate(p.text.Len() - len("}\n"))
	for _, m := range p.metrics {
		p.text.WriteString(`,"`)
		p.text.WriteString(string(m))
		p.text.WriteString(`":1`)
	}
	p.text.WriteString(`,"` + embedded + `":`)
	p.text.Write(declaration(p.text.AvailableBuffer(), line.Time, p.metrics))
	p.text.WriteString("}\n")
	return p.text.Bytes()
}
