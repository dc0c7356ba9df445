package loader_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"touchline/shared/loader"
	"touchline/shared/store"
	"touchline/shared/store/file"
	"touchline/shared/store/records"
)

// benchSize is the size of the federation that is loaded: 100,000 players.
const benchSize = 10

// BenchmarkLoad is the load of 100,000 players with 25,000 matches into the file, as
// touchline import does it (design.md, Measures: 60 s), and the load of the same once
// more, with --replace. It prints what each stage takes. `make bench-load` also prints
// where the processor time goes.
func BenchmarkLoad(b *testing.B) {
	files := seeded(b, benchSize)
	for name, again := range map[string]bool{"first": false, "unchanged": true} {
		b.Run(name, func(b *testing.B) {
			var s *timing
			for b.Loop() {
				b.StopTimer()
				l := onFile(b)
				if again {
					if _, err := l.Load(b.Context(), files, loader.Options{}); err != nil {
						b.Fatal(err)
					}
				}
				s = newTiming(b)
				l.Progress = s.progress
				b.StartTimer()
				if _, err := l.Load(b.Context(), files, loader.Options{Replace: again}); err != nil {
					b.Fatal(err)
				}
				s.end()
			}
			b.Logf("%d players\n%s", benchSize*10_000, s.table())
		})
	}
}

// timing measures the stages of a load, as it tells them: the time that passes and
// the processor time of this process.
type timing struct {
	b     *testing.B
	names []string
	of    map[string]cost
	stage string // that it is in
	since cost
	began time.Time
}

type cost struct{ elapsed, ours time.Duration }

func newTiming(b *testing.B) *timing {
	s := &timing{b: b, of: map[string]cost{}, stage: "starting", began: time.Now()}
	s.since = s.now()
	return s
}

// progress is a loader's Progress.
func (s *timing) progress(what string, _, _ int) {
	if strings.HasPrefix(what, "reading ") && strings.Contains(what, ".ndjson") {
		what = "reading the dataset"
	}
	if what != s.stage {
		s.end()
		s.stage = what
	}
}

// end ends the stage that the load is in.
func (s *timing) end() {
	if !slices.Contains(s.names, s.stage) {
		s.names = append(s.names, s.stage)
	}
	now, sum := s.now(), s.of[s.stage]
	sum.elapsed += now.elapsed - s.since.elapsed
	sum.ours += now.ours - s.since.ours
	s.of[s.stage], s.since = sum, now
}

func (s *timing) now() cost {
	return cost{time.Since(s.began), processorTime(s.b)}
}

// processorTime is what this process has used until now, 0 where the system does not
// say it in a file.
func processorTime(b *testing.B) time.Duration {
	b.Helper()
	text, err := os.ReadFile("/proc/self/stat")
	if errors.Is(err, os.ErrNotExist) {
		return 0
	}
	if err != nil {
		b.Fatal(err)
	}
	// The name of the program, in brackets, may contain spaces. The fields behind it
	// begin with the third; user and system time are the 14th and 15th, in
	// hundredths of a second.
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	ticks := 0
	for _, field := range fields[11:13] {
		n, err := strconv.Atoi(field)
		if err != nil {
			b.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

func (s *timing) table() string {
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintf(w, "stage\tseconds\tprocessor\t\n") // into memory
	row := func(name string, c cost) {
		_, _ = fmt.Fprintf(w, "%s\t%.1f\t%.1f\t\n", name, c.elapsed.Seconds(), c.ours.Seconds())
	}
	all := cost{}
	for _, name := range s.names {
		c := s.of[name]
		row(name, c)
		all = cost{all.elapsed + c.elapsed, all.ours + c.ours}
	}
	row("all", all)
	_ = w.Flush()
	return table.String()
}

// onFile is a loader into the file of touchline serve.
func onFile(b *testing.B) *loader.Loader {
	b.Helper()
	db, err := file.Open(filepath.Join(b.TempDir(), "data", "touchline.db"), file.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	return &loader.Loader{
		Table: &store.Table{DB: db, Name: "sports"},
		Lease: &store.Lease{DB: db, Table: "sports", Key: records.LockKey(), Holder: "bench", Label: "a benchmark", Now: time.Now},
	}
}
