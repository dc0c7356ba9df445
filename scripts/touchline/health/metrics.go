package health

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"touchline/shared/meter"
	"touchline/shared/store/generation"
)

// page is a page of metrics in the text format of Prometheus.
type page struct{ bytes.Buffer }

// family begins the samples of a metric.
func (p *page) family(name, kind, help string) {
	_, _ = fmt.Fprintf(p, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind)
}

var escaped = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// sample writes a value; labels are names and values in turn.
func (p *page) sample(name string, value float64, labels ...string) {
	_, _ = p.WriteString(name)
	before := "{"
	for label := range slices.Chunk(labels, 2) {
		_, _ = fmt.Fprintf(p, `%s%s="%s"`, before, label[0], escaped.Replace(label[1]))
		before = ","
	}
	if len(labels) > 0 {
		_, _ = p.WriteString("}")
	}
	_, _ = p.WriteString(" " + strconv.FormatFloat(value, 'g', -1, 64) + "\n")
}

// gauge is a metric of one value.
func (p *page) gauge(name, help string, value float64) {
	p.family(name, "gauge", help)
	p.sample(name, value)
}

// Metrics is the page for Prometheus.
func (b *Box) Metrics(ctx context.Context) []byte {
	var p page
	p.family("touchline_build_info", "gauge", "The version that runs; always 1.")
	p.sample("touchline_build_info", 1, "version", b.Version)
	p.gauge("touchline_start_time_seconds", "When serve was started, in Unix time.", float64(b.Began.Unix()))
	b.counts.write(&p)
	b.checks(ctx, &p)
	b.data(ctx, &p)
	b.quotas(ctx, &p)
	b.machine(&p)
	return p.Bytes()
}

// write writes what was counted.
func (c *counts) write(p *page) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p.family("touchline_requests_total", "counter", "Requests answered, by method, route and status.")
	for _, a := range slices.SortedFunc(maps.Keys(c.answered), func(a, b answer) int {
		return cmp.Or(cmp.Compare(a.route, b.route), cmp.Compare(a.method, b.method), cmp.Compare(a.status, b.status))
	}) {
		p.sample("touchline_requests_total", float64(c.answered[a]), "method", a.method, "route", named(a.route), "status", strconv.Itoa(a.status))
	}
	const took = "touchline_request_duration_seconds"
	p.family(took, "histogram", "How long requests took, by route.")
	for _, route := range slices.Sorted(maps.Keys(c.took)) {
		h, upTo := c.took[route], 0
		for i, bound := range bounds {
			upTo += h.buckets[i]
			p.sample(took+"_bucket", float64(upTo), "route", named(route), "le", strconv.FormatFloat(bound, 'g', -1, 64))
		}
		p.sample(took+"_bucket", float64(h.count), "route", named(route), "le", "+Inf")
		p.sample(took+"_sum", h.seconds, "route", named(route))
		p.sample(took+"_count", float64(h.count), "route", named(route))
	}
	p.family("touchline_refusals_total", "counter", "Requests refused, by reason: the word why of the log.")
	for _, word := range slices.Sorted(maps.Keys(c.refused)) {
		p.sample("touchline_refusals_total", float64(c.refused[word]), "reason", string(word))
	}
	p.family("touchline_store_failures_total", "counter", "Requests answered 5xx because a store failed.")
	for _, store := range slices.Sorted(maps.Keys(c.failed)) {
		p.sample("touchline_store_failures_total", float64(c.failed[store]), "store", store)
	}
	for _, m := range []struct {
		name, help string
		of         func(meter.Use) float64
	}{
		{"touchline_store_calls_total", "Round trips to a store.", func(u meter.Use) float64 { return float64(u.Trips) }},
		{"touchline_store_seconds_total", "How long they took.", func(u meter.Use) float64 { return u.Took.Seconds() }},
		{"touchline_cache_hits_total", "What was found in memory instead of in a store.", func(u meter.Use) float64 { return float64(u.Hits) }},
	} {
		p.family(m.name, "counter", m.help)
		for i, use := range c.stores {
			p.sample(m.name, m.of(use), "store", meter.Store(i).String())
		}
	}
	p.family("touchline_engine_restarts_total", "counter", "How often the embedded engine ended by itself and was started again.")
	p.sample("touchline_engine_restarts_total", float64(c.restarts))
}

// named is a route as a label.
func named(route string) string { return cmp.Or(route, "unknown") }

func (b *Box) checks(ctx context.Context, p *page) {
	p.family("touchline_healthy", "gauge", "What /health says of each check: 1 is ok, 0.5 a warning, 0 a fault.")
	for _, f := range b.Findings(ctx) {
		p.sample("touchline_healthy", map[State]float64{OK: 1, Warning: 0.5}[f.State], "check", f.Check)
	}
}

func (b *Box) data(ctx context.Context, p *page) {
	ctx, cancel := context.WithTimeout(ctx, lookLimit)
	defer cancel()
	state, err := generation.Read(ctx, b.Sports)
	if err != nil {
		return // as the check of the data says
	}
	p.gauge("touchline_data_version", "How many loads have changed the data.", float64(state.Version))
	p.gauge("touchline_load_writing", "Whether a load is being written.", map[bool]float64{true: 1}[state.Writing])
	if !state.Ended.IsZero() {
		p.gauge("touchline_load_ended_timestamp_seconds", "When the last load that changed something ended, in Unix time.", float64(state.Ended.Unix()))
	}
}

func (b *Box) quotas(ctx context.Context, p *page) {
	ctx, cancel := context.WithTimeout(ctx, lookLimit)
	defer cancel()
	used, err := b.Usage(ctx)
	if err != nil {
		return
	}
	p.family("touchline_quota_used", "gauge", "Requests of this month, by organization.")
	for _, id := range slices.Sorted(maps.Keys(used)) {
		p.sample("touchline_quota_used", float64(used[id]), "organization", string(id))
	}
}

func (b *Box) machine(p *page) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	p.gauge("touchline_memory_bytes", "Memory that the process has of the system; the engine is another process.", float64(m.Sys))
	p.gauge("touchline_goroutines", "Goroutines of the process.", float64(runtime.NumGoroutine()))
	if b.Data == "" {
		return
	}
	if free, total, err := space(b.Data); err == nil {
		p.gauge("touchline_disk_free_bytes", "Free bytes of the disk with the data.", float64(free))
		p.gauge("touchline_disk_bytes", "Bytes of that disk.", float64(total))
	}
	size := int64(0)
	files, _ := filepath.Glob(filepath.Join(b.Data, "*.db*")) // the pattern is right
	for _, file := range files {
		if info, err := os.Stat(file); err == nil {
			size += info.Size()
		}
	}
	p.gauge("touchline_database_bytes", "Size of the database's files.", float64(size))
}
