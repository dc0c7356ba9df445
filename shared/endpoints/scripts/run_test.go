package scripts

import (
	"flag"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"touchline/shared/endpoints"
	"touchline/shared/endpoints/groups"
	"touchline/shared/gateway"
	"touchline/shared/openapi"
	"touchline/shared/route"
)

var update = flag.Bool("update", false, "rewrite bodies and fields of the scripts")

// start is when each script begins: while the match m:now is live.
func start() time.Time { return time.Date(2026, 3, 14, 15, 9, 26, 535e6, time.UTC) }

// pace is what the clock moves by from request to request: slow enough for the
// rate of a key and the failures of an address never to be reached by chance.
const pace = 8 * time.Second

func TestScripts(t *testing.T) {
	document := newDocument(t)
	worlds := map[string]*world{}
	for name, files := range datasets() {
		worlds[name] = newWorld(t, document, files...)
	}
	worlds["demo"] = newWorld(t, document, demoAt(t, start()))
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) <= len(route.Groups()) {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			s := read(t, file)
			w, known := worlds[s.dataset]
			if !known {
				t.Fatalf("no dataset %s", s.dataset)
			}
			r := newRun(t, w, s)
			for _, c := range r.cases {
				t.Run(c.title, func(t *testing.T) { r.play(t, c) })
			}
			if *update {
				r.write(t)
			}
			if r.examples != nil {
				r.compareExamples(t)
			}
		})
	}
	t.Run("meet every documented answer", func(t *testing.T) {
		if unseen := document.Unseen(); len(unseen) > 0 {
			t.Errorf("%d are not met:\n%s", len(unseen), strings.Join(unseen, "\n"))
		}
	})
}

// run is a script on its way: a clock and a worker.
type run struct {
	*script
	*world
	at      atomic.Int64 // the clock, in Unix milliseconds; what runs ahead of a refusal still reads it
	pace    time.Duration
	handler *gateway.Handler
	issued  map[string]credential
	nonces  int
	edits   map[int]edit // by the first line
	// examples are by the route's pattern; nil but for the script of that name.
	examples map[string]openapi.Example
}

func newRun(t *testing.T, w *world, s *script) *run {
	r := &run{script: s, world: w, pace: pace, issued: map[string]credential{}, edits: map[int]edit{}}
	r.at.Store(start().UnixMilli())
	for _, l := range s.keys {
		r.issued[l.words[1]] = w.issue(t, l, r.clock)
	}
	if filepath.Base(s.file) == examplesScript+".txt" {
		r.examples = map[string]openapi.Example{}
	}
	if len(s.keys) == 0 {
		t.Fatalf("%s: no key", s.file)
	}
	r.handler = w.worker(r.clock, "")
	r.checkRoutes(t)
	return r
}

func (r *run) clock() time.Time { return time.UnixMilli(r.at.Load()).UTC() }

func (r *run) advance(d time.Duration) { r.at.Add(d.Milliseconds()) }

// checkRoutes holds the routes to be each of a group's once, where the script
// names any.
func (r *run) checkRoutes(t *testing.T) {
	t.Helper()
	table := groups.Table(endpoints.Deps{})
	var got, want []string
	groups := map[route.Group]bool{}
	for _, path := range r.routes {
		o, _, ok := table.Match(r.names.put(path))
		if !ok {
			t.Fatalf("%s: no route %s", r.file, path)
		}
		got = append(got, o.Path)
		groups[o.Group] = true
	}
	for o := range table.All() {
		if groups[o.Group] {
			want = append(want, o.Path)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s: the routes are not those of its group: %s", r.file, diff)
	}
}

func (r *run) play(t *testing.T, c *scene) {
	r.pace = pace
	for _, s := range c.steps {
		switch {
		case s.request != nil:
			r.ask(t, s)
		case s.words[0] == "worker":
			r.handler = r.worker(r.clock, "")
		case s.words[0] == "still":
			r.pace = 0
		case s.words[0] == "clock" && len(s.words) == 2:
			d, err := time.ParseDuration(s.words[1])
			if err != nil {
				t.Fatalf("%s:%d: %v", r.file, s.number, err)
			}
			r.advance(d)
		default:
			t.Fatalf("%s:%d: %v", r.file, s.number, s.words)
		}
	}
}

// ask sends a step's request, once for each target, and judges the answers.
func (r *run) ask(t *testing.T, s *step) {
	t.Helper()
	targets := []string{s.request.target}
	if rest, each := strings.CutPrefix(s.request.target, "each"); each {
		targets = nil
		for _, path := range r.routes {
			targets = append(targets, path+rest)
		}
	}
	for _, target := range targets {
		p := r.prepare(t, s, target)
		x := r.send(t, p)
		for range p.times - 1 {
			x = r.send(t, p)
		}
		if r.examples != nil {
			r.collect(t, x)
		}
		if fault := r.judge(t, s, x); fault != "" {
			t.Errorf("%s:%d: %s %s\n%s", r.file, s.number, p.method, target, fault)
		}
		if p.method == http.MethodGet && p.nonce == "" && p.times == 1 {
			p.method = http.MethodHead
			if fault := sameButBody(x, r.send(t, p)); fault != "" {
				t.Errorf("%s:%d: HEAD %s\n%s", r.file, s.number, target, fault)
			}
		}
		r.advance(r.pace)
	}
}

// exchange asks for a target with the script's first key.
func (r *run) exchange(t *testing.T, target string) Exchange {
	t.Helper()
	x := r.send(t, r.prepare(t, &step{request: &request{method: http.MethodGet, target: target}}, target))
	r.advance(pace)
	return x
}
