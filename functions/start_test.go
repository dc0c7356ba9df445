package functions

import (
	"cmp"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"touchline/functions/runtimetest"
	"touchline/shared/stack"
)

// What a start may take, in starts of a function that does nothing (design.md,
// Measures).
const (
	// maxStart is for a function that serves requests. It takes 1.15 to 1.45: a
	// program differs by as much from one compilation to the next. The rest is
	// what the SDK's packages make before main (GODEBUG=inittrace=1): the endpoints
	// of DynamoDB and KMS, 0.3 ms of 2.9.
	maxStart = 1.5
	// maxIngestStart is for ingest. It takes 1.5 to 1.7, for the endpoints of S3 and
	// SQS, too.
	maxIngestStart = 1.85
	// startRounds is how many starts of each it takes to judge.
	startRounds = 40
	nothing     = "nothing"
)

// BenchmarkStart measures a start, from the beginning of the process to its
// first request for work, of a function that does nothing and of each of ours:
// `make bench-start`. They are started in turn, round after round, and compared
// within each round. It fails if one is above its limit.
func BenchmarkStart(b *testing.B) {
	started := starts(b)
	names := slices.Sorted(maps.Keys(started))
	at := 0
	for b.Loop() {
		for i := range names {
			// The order changes with each round, so that none always follows the
			// same.
			name := names[(at+i)%len(names)]
			started[name].once(b)
		}
		at++
	}
	base := started[nothing]
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintf(w, "function\tfastest\tmedian\ttimes nothing\t\n") // into memory
	for _, name := range slices.SortedFunc(maps.Keys(started), func(x, y string) int { return cmp.Compare(started[x].times(base), started[y].times(base)) }) {
		s := started[name]
		_, _ = fmt.Fprintf(w, "%s\t%.2f ms\t%.2f ms\t%.2f\t\n", name, ms(slices.Min(s.took)), ms(median(s.took)), s.times(base))
		if name != nothing {
			b.ReportMetric(s.times(base), name+"-times-nothing")
		}
		if at >= startRounds && s.times(base) > s.most {
			b.Errorf("%s starts in %.2f times what nothing takes, at most %.2f: GODEBUG=inittrace=1 shows what its packages do", name, s.times(base), s.most)
		}
	}
	_ = w.Flush()
	b.Logf("%d starts of each, in turn\n%s", at, table.String())
	if at < startRounds {
		b.Logf("judged from %d starts on: make bench-start", startRounds)
	}
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// bootstrap is a function whose starts are measured.
type bootstrap struct {
	program     string
	environment []string
	asked       chan time.Time // when it asked for work
	took        []time.Duration
	most        float64 // times what nothing takes
}

// starts compiles the functions and starts a Runtime API for each.
func starts(b *testing.B) map[string]*bootstrap {
	b.Helper()
	environment := []string{
		"AWS_REGION=eu-central-1", "AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test",
		stack.VariableSportsTable + "=s", stack.VariableNoncesTable + "=n", stack.VariableQuotasTable + "=q",
		stack.VariableKeysTable + "=k", stack.VariableDefaultPhoto + "=https://img.example/nobody.png", stack.VariableKMSKey + "=key",
	}
	mains, err := filepath.Glob("*/main.go")
	if err != nil {
		b.Fatal(err)
	}
	folders := []string{"testdata/" + nothing}
	for _, m := range mains {
		folders = append(folders, filepath.Dir(m))
	}
	programs, all := runtimetest.Compile(b, folders...), map[string]*bootstrap{}
	for _, folder := range folders {
		name := filepath.Base(folder)
		s := &bootstrap{program: filepath.Join(programs, name), asked: make(chan time.Time)}
		if s.most = maxStart; name == "ingest" {
			s.most = maxIngestStart
		}
		s.environment = append(slices.Clone(environment), "AWS_LAMBDA_RUNTIME_API="+s.serve(b))
		all[name] = s
	}
	return all
}

// serve is a Runtime API that records when it is asked for work and never has
// any.
func (s *bootstrap) serve(b *testing.B) (address string) {
	b.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	api := &http.Server{ReadHeaderTimeout: patience, Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		s.asked <- time.Now()
		<-r.Context().Done()
	})}
	go func() { _ = api.Serve(listener) }()
	b.Cleanup(func() { _ = api.Close() })
	return listener.Addr().String()
}

// once starts the function, waits for its request, and ends it.
func (s *bootstrap) once(b *testing.B) {
	b.Helper()
	process := exec.Command(s.program)
	process.Env = s.environment
	late := time.NewTimer(patience)
	defer late.Stop()
	from := time.Now()
	if err := process.Start(); err != nil {
		b.Fatal(err)
	}
	defer func() {
		_ = process.Process.Kill()
		_ = process.Wait()
	}()
	select {
	case at := <-s.asked:
		s.took = append(s.took, at.Sub(from))
	case <-late.C:
		b.Fatalf("%s does not ask for work", s.program)
	}
}

func median[T cmp.Ordered](of []T) T { return slices.Sorted(slices.Values(of))[len(of)/2] }

// times is how many times as long as the start of the other one the start takes.
func (s *bootstrap) times(other *bootstrap) float64 { return medianRatio(s.took, other.took) }

// medianRatio compares what each round took with what the other took in the same
// round: what slows the machine down slows both.
func medianRatio(took, other []time.Duration) float64 {
	var ratios []float64
	for i := range took {
		ratios = append(ratios, float64(took[i])/float64(other[i]))
	}
	return median(ratios)
}
