package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	vegeta "github.com/tsenart/vegeta/v12/lib"
)

// tally is the outcome of the requests.
type tally struct {
	metrics vegeta.Metrics
	served  int // 200 and right
	failed  int // 5xx, or no response: charged or not
	refused map[int]int
	wrong   []string // the first responses that were neither right nor documented
	wrongs  int
	before  int // what the quota counted before the first request
	charged int // what it counted after that
	kills   int
	loads   int
	rss     []int64 // in bytes, every second
}

// maxShown is how many wrong responses are shown.
const maxShown = 10

// take records one response.
func (t *tally) take(r *vegeta.Result, fault string) {
	t.metrics.Add(r)
	switch {
	case r.Code == 200 && fault == "":
		t.served++
		return
	case r.Code == 0, documented(r):
		t.failed++
		if t.refused == nil {
			t.refused = map[int]int{}
		}
		t.refused[int(r.Code)]++
		return
	case r.Code == 200:
		t.served++
	default:
		fault = fmt.Sprintf("%d %.200s", r.Code, r.Body)
	}
	if t.wrongs++; len(t.wrong) < maxShown {
		t.wrong = append(t.wrong, r.Timestamp.Format(time.TimeOnly)+" "+r.URL+": "+fault)
	}
}

// documented reports whether a response is a 5xx of the contract.
func documented(r *vegeta.Result) bool {
	var body struct {
		Error struct{ Code string }
	}
	if json.Unmarshal(r.Body, &body) != nil {
		return false
	}
	switch r.Code {
	case 500:
		return body.Error.Code == "internalError"
	case 503:
		return body.Error.Code == "serviceUnavailable" || body.Error.Code == "integrationsUnavailable"
	}
	return false
}

// grown is the memory after a fifth of the time and at the end; both are the
// median over a tenth of the time.
func (t *tally) grown() (early, late int64) {
	n := len(t.rss)
	if n < 10 {
		return 0, 0
	}
	return median(t.rss[n/5 : n/5+n/10]), median(t.rss[n-n/10:])
}

func median(of []int64) int64 {
	sorted := slices.Sorted(slices.Values(of))
	return sorted[len(sorted)/2]
}

// verdict is what went wrong.
func (t *tally) verdict() error {
	var faults []error
	if t.wrongs > 0 {
		faults = append(faults, fmt.Errorf("%d responses are neither right nor a documented 5xx", t.wrongs))
	}
	if t.served == 0 {
		faults = append(faults, errors.New("no request was served"))
	}
	if t.charged < t.served {
		faults = append(faults, fmt.Errorf("%d requests were served and %d charged", t.served, t.charged))
	}
	if most := t.served + t.failed; t.charged > most {
		faults = append(faults, fmt.Errorf("%d requests were charged, of %d that were served or failed", t.charged, most))
	}
	if early, late := t.grown(); late > early+early/10 {
		faults = append(faults, fmt.Errorf("memory grew from %d to %d MB", early>>20, late>>20))
	}
	return errors.Join(faults...)
}

func (t *tally) print(out io.Writer) {
	t.metrics.Close()
	line := func(name, format string, args ...any) {
		_, _ = fmt.Fprintf(out, "%-22s "+format+"\n", append([]any{name}, args...)...)
	}
	line("requests", "%d in %v, %.0f a second", t.metrics.Requests, t.metrics.Duration.Round(time.Second), t.metrics.Rate)
	line("served", "%d", t.served)
	for _, code := range slices.Sorted(maps.Keys(t.refused)) {
		if code == 0 {
			line("without a response", "%d", t.refused[code])
			continue
		}
		line(fmt.Sprint("status ", code), "%d", t.refused[code])
	}
	line("wrong", "%d", t.wrongs)
	for _, w := range t.wrong {
		_, _ = fmt.Fprintln(out, "  "+w)
	}
	line("charged", "%d", t.charged)
	for _, q := range []struct {
		name string
		of   float64
	}{{"p50", 0.5}, {"p99", 0.99}, {"p99.9", 0.999}} {
		line(q.name, "%v", t.metrics.Latencies.Quantile(q.of).Round(10*time.Microsecond))
	}
	if len(t.rss) > 0 {
		_, late := t.grown()
		line("resident memory", "%d MB at the start, %d MB at the end", t.rss[0]>>20, late>>20)
	}
	line("loads", "%d", t.loads)
	line("engine killed", "%d times", t.kills)
}
