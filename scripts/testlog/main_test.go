package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	passing = `{"Action":"start","Package":"p"}
{"Action":"output","Package":"p","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:9: chatter\n"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Output":"PASS\n"}
{"Action":"output","Package":"p","Output":"ok  \tp\t0.1s\n"}
{"Action":"pass","Package":"p"}
`
	untested = `{"Action":"output","Package":"q","Output":"?   \tq\t[no test files]\n"}
{"Action":"skip","Package":"q"}
`
	failing = `{"Action":"output","Package":"f","Test":"TestB","Output":"    b_test.go:3: wrong\n"}
{"Action":"output","Package":"f","Test":"TestB","Output":"--- FAIL: TestB (0.00s)\n"}
{"Action":"fail","Package":"f","Test":"TestB"}
{"Action":"output","Package":"f","Output":"FAIL\tf\t0.1s\n"}
{"Action":"fail","Package":"f"}
`
	panicking = `{"Action":"output","Package":"f","Test":"TestC","Output":"panic: oh\n"}
{"Action":"output","Package":"f","Output":"FAIL\tf\t0.1s\n"}
{"Action":"fail","Package":"f"}
`
	uncompiled = `{"ImportPath":"f","Action":"build-output","Output":"f.go:1: syntax error\n"}
{"ImportPath":"f","Action":"build-fail"}
{"Action":"output","Package":"f","Output":"FAIL\tf [build failed]\n"}
{"Action":"fail","Package":"f"}
`
)

func skip(test, why string) string {
	return `{"Action":"output","Package":"p","Test":"` + test + `","Output":"    a_test.go:9: ` + why + `\n"}
{"Action":"output","Package":"p","Test":"` + test + `","Output":"--- SKIP: ` + test + ` (0.00s)\n"}
{"Action":"skip","Package":"p","Test":"` + test + `"}
`
}

func TestWhatIsShown(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		strict, good   bool
	}{
		{name: "a line for a package that passed", in: passing + untested, want: "ok  \tp\t0.1s\n", good: true},
		{name: "the output of a test that failed", in: failing + passing, want: "    b_test.go:3: wrong\n--- FAIL: TestB (0.00s)\nFAIL\tf\t0.1s\nok  \tp\t0.1s\n"},
		{name: "the output of a test that never ended", in: panicking, want: "panic: oh\nFAIL\tf\t0.1s\n"},
		{name: "what does not compile", in: uncompiled, want: "f.go:1: syntax error\nFAIL\tf [build failed]\n"},
		{name: "what is not JSON", in: "go: no go.mod\n" + `{"Action":"fail"}` + "\n", want: "go: no go.mod\n"},
		{name: "a run that failed after its packages", in: passing + `{"Action":"fail"}` + "\n", want: "ok  \tp\t0.1s\n"},
		{name: "nothing", in: "", want: "testlog: no package was tested\n"},
		{
			name: "skipped tests in one line", in: skip("TestX", "no engine") + skip("TestY", "no data") + skip("TestZ", "no engine") + passing,
			want: "ok  \tp\t0.1s\nSkipped tests: 1 (no data), 2 (no engine).\n", good: true,
		},
		{
			name: "a skipped test in CI", in: skip("TestX", "no engine") + passing, strict: true,
			want: "ok  \tp\t0.1s\nSkipped tests: 1 (no engine).\nFAIL: with CI set no test may be skipped because of: no engine.\n",
		},
		{
			name: "what another target runs", in: skip("TestX", "long: make test-scale runs it") + skip("TestY", "no data: TOUCHLINE_SHARED=none") + passing, strict: true, good: true,
			want: "ok  \tp\t0.1s\nSkipped tests: 1 (long: make test-scale runs it), 1 (no data: TOUCHLINE_SHARED=none).\n",
		},
		{
			name: "what this target should have run", in: skip("TestX", "make test-all runs it") + passing, strict: true,
			want: "ok  \tp\t0.1s\nSkipped tests: 1 (make test-all runs it).\nFAIL: with CI set no test may be skipped because of: make test-all runs it.\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out strings.Builder
			l := newLog(&out)
			if err := l.read(strings.NewReader(c.in)); err != nil {
				t.Fatal(err)
			}
			if good := l.finish("test-all", c.strict); good != c.good {
				t.Errorf("finish = %t", good)
			}
			if d := cmp.Diff(c.want, out.String()); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestAFaultyStreamIsAnError(t *testing.T) {
	if err := newLog(new(strings.Builder)).read(strings.NewReader("{broken\n")); err == nil {
		t.Error("no error")
	}
}
