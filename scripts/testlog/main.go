// Command testlog shows the output of `go test -json` for people: a line for
// each package, the output of failed tests, and finally, in one line, which
// tests were skipped and why. It reads the streams of any number of runs, one
// after the other, and fails if a test or a run failed.
//
// With CI set nothing may go untested by accident: a skipped test fails the run,
// unless it says which target runs it ("make test-scale runs it"), or was
// skipped because of TOUCHLINE_SHARED=none. The flag -target is the name of the
// target that is running, which must not refer to itself.
//
// gotestsum (1.13.0) is not used for this: it cannot fail a run for what it skipped,
// has a paragraph for each skipped test.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
)

func main() {
	target := flag.String("target", "test", "the make target whose tests are read")
	flag.Parse()
	l := newLog(os.Stdout)
	if err := l.read(os.Stdin); err != nil {
		fmt.Fprintln(os.Stderr, "testlog:", err)
		os.Exit(1)
	}
	if !l.finish(*target, os.Getenv("CI") != "") {
		os.Exit(1)
	}
}

// event is a line of `go test -json` (go doc test2json). A failed run ends its
// stream with {"Action":"fail"}.
type event struct {
	Action, Package, Test, Output string
	ImportPath                    string // of a package that is being compiled
}

// log collects the output of tests until their outcome is known.
type log struct {
	out     io.Writer
	output  map[[2]string][]string // by package and test
	skipped map[string]int         // tests by reason
	passed  int                    // packages
	failed  bool
}

func newLog(out io.Writer) *log {
	return &log{out: out, output: map[[2]string][]string{}, skipped: map[string]int{}}
}

func (l *log) read(r io.Reader) error {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadString('\n')
		if strings.HasPrefix(line, "{") {
			var e event
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				return fmt.Errorf("%w: %s", err, line)
			}
			l.add(e)
		} else if line != "" {
			l.print(line)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (l *log) add(e event) {
	key := [2]string{e.Package, e.Test}
	switch e.Action {
	case "build-output":
		l.print(e.Output)
	case "output":
		l.output[key] = append(l.output[key], e.Output)
	case "pass":
		if e.Test == "" {
			l.passed++
			l.print(l.output[key][max(len(l.output[key])-1, 0):]...) // such as "ok x 0.1s"
		}
		delete(l.output, key)
	case "skip":
		if e.Test != "" {
			l.skipped[reason(l.output[key])]++
		}
		delete(l.output, key)
	case "fail", "build-fail":
		l.failed = true
		if e.Test == "" {
			l.printOpen(e.Package)
		}
		l.print(l.output[key]...)
		delete(l.output, key)
	}
}

// printOpen shows the output of tests that had not ended when their package
// failed: after a panic or a timeout.
func (l *log) printOpen(pkg string) {
	for _, key := range slices.SortedFunc(maps.Keys(l.output), func(a, b [2]string) int { return strings.Compare(a[1], b[1]) }) {
		if key[0] == pkg && key[1] != "" {
			l.print(l.output[key]...)
			delete(l.output, key)
		}
	}
}

func (l *log) print(lines ...string) {
	for _, line := range lines {
		_, _ = io.WriteString(l.out, line)
	}
}

var message = regexp.MustCompile(`^\s+[^\s:]+\.go:[0-9]+: (.*)\n$`)

// reason is the reason that a skipped test gave.
func reason(lines []string) string {
	for _, line := range slices.Backward(lines) {
		if m := message.FindStringSubmatch(line); m != nil {
			return m[1]
		}
	}
	return "no reason given"
}

var elsewhere = regexp.MustCompile(`\b(make [a-z-]+) runs it\b`)

// intended reports whether a test was skipped on purpose, on a machine that has
// everything it needs.
func intended(reason, target string) bool {
	if m := elsewhere.FindStringSubmatch(reason); m != nil {
		return m[1] != "make "+target
	}
	return strings.HasSuffix(reason, "TOUCHLINE_SHARED=none")
}

// finish prints the line about skipped tests, and reports whether the run was
// successful.
func (l *log) finish(target string, strict bool) bool {
	if l.passed == 0 && !l.failed {
		l.print("testlog: no package was tested\n")
		return false
	}
	total, parts := 0, []string(nil)
	var missing []string
	for _, why := range slices.Sorted(maps.Keys(l.skipped)) {
		total += l.skipped[why]
		parts = append(parts, fmt.Sprintf("%d (%s)", l.skipped[why], why))
		if strict && !intended(why, target) {
			missing = append(missing, why)
		}
	}
	if total > 0 {
		l.print(fmt.Sprintf("Skipped tests: %s.\n", strings.Join(parts, ", ")))
	}
	if len(missing) > 0 {
		l.print(fmt.Sprintf("FAIL: with CI set no test may be skipped because of: %s.\n", strings.Join(missing, "; ")))
	}
	return !l.failed && len(missing) == 0
}
