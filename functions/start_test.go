package functions

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"touchline/shared/stack"
)

// What a start may take, in starts of a function that does nothing (design.md,
// Measures).
const (
	// maxStart is for a function that serves requests. It takes 1.16 to 1.22 on a
	// machine that does nothing else. Half of the rest is what the SDK's package for
	// DynamoDB makes before main (GODEBUG=inittrace=1): the endpoints of all regions.
	maxStart = 1.25
	// startRounds is how many starts of each it takes to judge.
	startRounds = 40
	nothing     = "nothing"
)

// allowed is a limit with the room that a shared machine needs: with CI set, twice what
// is above the function that does nothing.
func allowed(most float64) float64 {
	if os.Getenv("CI") != "" {
		return 1 + 2*(most-1)
	}
	return most
}

// BenchmarkStart measures a start, from the beginning of the process to its
// first request for work, of a function that does nothing and of each of ours:
// `make bench-start`. They are started in turn, round after round, and compared
// within each round. It fails if one is above its limit.
func BenchmarkStart(b *testing.B) {
	started := starts(b)
	names := slices.Sorted(maps.Keys(started))
	at := 0
	for b.Loop() {
		// In another order each round, so that none always follows the same.
		for _, i := range rand.Perm(len(names)) {
			started[names[i]].once(b)
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
	programs, all := compile(b, folders...), map[string]*bootstrap{}
	for _, folder := range folders {
		name := filepath.Base(folder)
		s := &bootstrap{program: filepath.Join(programs, name), asked: make(chan time.Time)}
		s.most = allowed(maxStart)
		s.environment = append(slices.Clone(environment), "AWS_LAMBDA_RUNTIME_API="+s.serve(b))
		if name != nothing {
			s.environment = append(s.environment, deployed()...)
		}
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
	process.Env = append(slices.Clone(s.environment), "TMPDIR="+b.TempDir()) // empty, as in a new function
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
