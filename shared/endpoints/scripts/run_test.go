package scripts

import (
	"flag"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/endpoints"
	"touchline/shared/gateway"
	"touchline/shared/openapi/openapitest"
	"touchline/shared/route"
	"touchline/shared/signing"
)

var update = flag.Bool("update", false, "write bodies and fields of the scripts anew")

// start is when each script begins: while the match m:now is live.
func start() time.Time { return time.Date(2026, 3, 14, 15, 9, 26, 535e6, time.UTC) }

// pace is what the clock moves by from request to request: slow enough for the
// rate of a key and the failures of an address never to be reached by chance.
const pace = 8 * time.Second

func TestScripts(t *testing.T) {
	w := newWorld(t, norland(), crowd())
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) != len(route.Groups())+1 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			r := newRun(t, w, read(t, file))
			for _, c := range r.cases {
				t.Run(c.title, func(t *testing.T) { r.play(t, c) })
			}
			if *update {
				r.write(t)
			}
		})
	}
	t.Run("meet every documented answer", func(t *testing.T) {
		if unseen := w.document.Unseen(); len(unseen) > 0 {
			t.Errorf("%d are not met:\n%s", len(unseen), strings.Join(unseen, "\n"))
		}
	})
}

// run is a script on its way: a clock and a worker.
type run struct {
	*script
	*world
	now     time.Time
	pace    time.Duration
	handler *gateway.Handler
	issued  map[string]credential
	nonces  int
	edits   map[int]edit // by the first line
}

func newRun(t *testing.T, w *world, s *script) *run {
	r := &run{script: s, world: w, now: start(), pace: pace, issued: map[string]credential{}, edits: map[int]edit{}}
	for _, l := range s.keys {
		r.issued[l.words[1]] = w.issue(t, l, r.clock)
	}
	if len(s.keys) == 0 {
		t.Fatalf("%s: no key", s.file)
	}
	r.handler = w.worker(r.clock, "")
	r.checkRoutes(t)
	return r
}

func (r *run) clock() time.Time { return r.now }

// checkRoutes holds the routes to be each of a group's once, where the script
// names any.
func (r *run) checkRoutes(t *testing.T) {
	t.Helper()
	table := endpoints.Table(endpoints.Deps{})
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
			r.now = r.now.Add(d)
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
		if fault := r.judge(t, s, x); fault != "" {
			t.Errorf("%s:%d: %s %s\n%s", r.file, s.number, p.method, target, fault)
		}
		if p.method == http.MethodGet && p.nonce == "" && p.times == 1 {
			p.method = http.MethodHead
			if fault := sameButBody(x, r.send(t, p)); fault != "" {
				t.Errorf("%s:%d: HEAD %s\n%s", r.file, s.number, target, fault)
			}
		}
		r.now = r.now.Add(r.pace)
	}
}

// prepared is a request, its words read.
type prepared struct {
	method, target string // ids in it
	key            credential
	from           string
	at             time.Duration
	nonce          string // empty: one of its own
	times          int
	body           string
	unsigned       bool
	forged         bool
	headers        map[string]string
	handler        *gateway.Handler
}

func (r *run) prepare(t *testing.T, s *step, target string) prepared {
	t.Helper()
	p := prepared{
		method: s.request.method, target: padded(r.names.put(target)), key: r.issued[r.keys[0].words[1]],
		from: "192.0.2.7", times: 1, headers: map[string]string{}, handler: r.handler,
	}
	for _, word := range s.request.words {
		if err := r.modify(&p, word); err != nil {
			t.Fatalf("%s:%d: %s: %v", r.file, s.number, word, err)
		}
	}
	return p
}

// padded fills a target that ends in @N up to N bytes.
func padded(target string) string {
	rest, length, ok := strings.Cut(target, "@")
	n, err := strconv.Atoi(length)
	if !ok || err != nil {
		return target
	}
	return rest + strings.Repeat("x", n-len(rest))
}

func (r *run) modify(p *prepared, word string) (err error) {
	if name, value, isHeader := strings.Cut(word, ":"); isHeader && name != "" && 'A' <= name[0] && name[0] <= 'Z' {
		p.headers[strings.ToLower(name)] = strings.ReplaceAll(value, "%20", " ")
		return nil
	}
	name, value, _ := strings.Cut(word, "=")
	switch name {
	case "as":
		known := false
		if p.key, known = r.issued[value]; !known {
			return fmt.Errorf("no such key")
		}
	case "from":
		p.from = value
	case "at":
		p.at, err = time.ParseDuration(value)
	case "nonce":
		p.nonce = value
	case "times":
		p.times, err = strconv.Atoi(value)
	case "body":
		p.body = value
	case "unsigned":
		p.unsigned = true
	case "forged":
		p.forged = true
	case "broken":
		p.handler = r.worker(r.clock, value)
	default:
		return fmt.Errorf("unknown")
	}
	return err
}

// send signs a request afresh, and holds the answer to the document.
func (r *run) send(t *testing.T, p prepared) openapitest.Exchange {
	t.Helper()
	r.nonces++
	path, query, _ := strings.Cut(p.target, "?")
	e := events.APIGatewayV2HTTPRequest{
		Version: "2.0", RouteKey: "$default", RawPath: path, RawQueryString: query, Body: p.body,
		Headers: map[string]string{"host": "api.example"},
		RequestContext: events.APIGatewayV2HTTPRequestContext{
			Stage: "$default", DomainName: "api.example",
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{Method: p.method, Path: path, SourceIP: p.from},
		},
	}
	if !p.unsigned {
		maps.Copy(e.Headers, r.sign(p, path, query))
	}
	for name, value := range p.headers {
		e.Headers[name] = value
		if value == "" {
			delete(e.Headers, name)
		}
	}
	answer, err := p.handler.Handle(t.Context(), e)
	if err != nil {
		t.Fatal(err)
	}
	x := openapitest.Exchange{
		Method: p.method, Target: p.target, Sent: http.Header{}, Status: answer.StatusCode, Header: http.Header{}, Body: []byte(answer.Body),
	}
	for name, value := range e.Headers {
		x.Sent.Set(name, value)
	}
	for name, value := range answer.Headers {
		x.Header.Set(name, value)
	}
	if err := r.document.Check(x); err != nil {
		t.Error(err)
	}
	return x
}

func (r *run) sign(p prepared, path, query string) map[string]string {
	nonce := p.nonce
	if nonce == "" {
		nonce = fmt.Sprint("n-", r.nonces)
	}
	timestamp := strconv.FormatInt(r.now.Add(p.at).Unix(), 10)
	m := signing.Message{Method: p.method, Path: path, Query: query, Timestamp: timestamp, Nonce: nonce}
	canonical, err := m.Canonical()
	if err != nil || p.forged {
		canonical = "" // a malformed escape has no signature
	}
	return map[string]string{
		"x-service-key": p.key.id, "x-service-timestamp": timestamp,
		"x-service-nonce": nonce, "x-service-signature": signing.Sign(p.key.secret, canonical),
	}
}

// sameButBody says in what the answer to HEAD is not that to GET (D5).
func sameButBody(get, head openapitest.Exchange) string {
	lasting := func(h http.Header) http.Header {
		h = h.Clone()
		h.Del("X-Request-Id")
		h.Del("X-RateLimit-Remaining")
		h.Del("Content-Length")
		return h
	}
	switch {
	case get.Status != head.Status:
		return fmt.Sprintf("status %d, to GET %d", head.Status, get.Status)
	case len(head.Body) > 0:
		return "there is a body"
	case head.Header.Get("Content-Length") != strconv.Itoa(len(get.Body)):
		return fmt.Sprintf("Content-Length %s of a body of %d", head.Header.Get("Content-Length"), len(get.Body))
	}
	return cmp.Diff(lasting(get.Header), lasting(head.Header))
}
