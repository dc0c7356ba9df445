package main

import (
	"bytes"
	"runtime/pprof"
	"strings"
	"testing"
	"time"
)

// Progress is shown when it is reported, not by anything that runs in the
// background.
func TestProgressEndsWithItsEnd(t *testing.T) {
	for name, total := range map[string]int{"a known total": 10, "none": 0} {
		term := newTerminal(nil)
		term.ErrTerminal = true
		now := testTime
		term.Now = func() time.Time { return now }
		p := term.progress("reading", total)
		now = now.Add(patience)
		p.at(3)
		p.end()
		if !strings.Contains(term.err.String(), "reading") {
			t.Errorf("%s: shown %q", name, term.err.String())
		}
	}
	var goroutines bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&goroutines, 2); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(goroutines.String(), "progressbar") {
		t.Error("one goes on")
	}
}
