package functions

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"touchline/shared/route"
)

// maxFirst bounds the time until the first request is answered, in that of a
// function that does nothing: it is 2 to 2.5 times as long.
const maxFirst = 3

// BenchmarkFirstAnswer measures what the caller waits for whose request starts a
// function: from the process to the response, for which the function reads the
// key and the data from the embedded engine. `make bench-start` compares it with
// a function that does nothing, started in turn, and fails above the bound.
func BenchmarkFirstAnswer(b *testing.B) {
	w := newWorld(b)
	request := samples(b, route.GroupTeams)["players.json"]
	base := &bootstrap{program: filepath.Join(compile(b, "testdata/"+nothing), nothing), environment: w.environment}
	ours := &bootstrap{program: w.of(route.GroupTeams), environment: append(slices.Clone(w.environment), deployed()...)}
	for b.Loop() {
		signed := w.signed(b, request)
		base.first(b, signed)
		succeeded(b, ours.first(b, signed))
	}
	times := ours.times(base)
	b.ReportMetric(times, "times-nothing")
	b.Logf("%d starts each, medians until the first answer: %.2f ms; one that does nothing: %.2f ms", len(ours.took), ms(median(ours.took)), ms(median(base.took)))
	switch {
	case len(ours.took) < startRounds:
		b.Logf("judged from %d starts on: make bench-start", startRounds)
	case times > allowed(maxFirst):
		b.Errorf("the first answer takes %.2f times what nothing takes, at most %.1f", times, allowed(maxFirst))
	}
}

// first starts it and gives its answer to an event, timed.
func (s *bootstrap) first(b *testing.B, event []byte) []byte {
	b.Helper()
	from := time.Now()
	f := start(b, s.program, s.environment...)
	answer := f.Call(b, event)
	s.took = append(s.took, time.Since(from))
	f.Kill(b)
	return answer
}
