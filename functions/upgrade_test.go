package functions

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"touchline/shared/endpoints/groups"
	"touchline/shared/gateway"
	"touchline/shared/route"
	"touchline/shared/service"
	"touchline/shared/stack"
	"touchline/shared/store/dynamo"
	"touchline/shared/store/space"
)

// release is the functions of a build that is deployed.
type release struct {
	name      string
	programs  bootstraps
	functions map[route.Group]*function
	ingestion string // program of ingest
	ingest    *function
}

// upgrades is two releases in front of one table, and a table that this build alone
// loads what they have loaded into: what responses should be.
type upgrades struct {
	*world
	*bucket
	t            *testing.T
	former, next *release
	program      string // upgrader of the next build
	reference    service.Service
	targets      map[string]route.Group
	known        map[string]string // responses of the reference since its last load
	compared     int
}

// areUpgradedUnnoticed has the functions of two builds, of which the second has another
// layout, on one engine, and the upgrade of the second. Package upgrade holds what comes
// between the writes of an upgrade, and that it may be killed at any of them.
func (w *world) areUpgradedUnnoticed(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles and runs the functions of two builds: make test-all runs it")
	}
	u := newUpgrades(t, w)
	u.served(u.former)

	if n := u.neverWrong(u.next); n != 1 { // by ping, which shows no data
		t.Errorf("%d responses by a build whose data are not there", n)
	}
	if said := u.run("run"); said.Records == 0 {
		t.Errorf("%+v", said)
	}
	if said := u.run("run"); !said.Current {
		t.Errorf("upgraded twice: %+v", said)
	}
	frozen := u.served(u.former) // until the next build is deployed
	u.neverWrong(u.next)         // by workers that were warm before
	u.refused(u.former, u.drop())
	u.takesWaiting(u.next)
	u.served(u.next)
	u.load(u.next)
	u.served(u.next)

	since := u.loadedBy(u.next)
	if said := u.run("back"); said.Loads != len(since) || len(since) < 2 {
		t.Errorf("back: %d loads since, want %d", said.Loads, len(since))
	}
	u.former.restart(u)
	back := u.bodies(u.former)
	for target, was := range frozen {
		if back[target] != was {
			t.Errorf("%s after the way back:\n%s\nbefore:\n%s", target, back[target], was)
		}
	}
	for _, d := range since { // as the command advises
		u.takes(u.former, d)
	}
	u.load(u.former)
	u.served(u.former)

	if said := u.run("run"); said.Records == 0 {
		t.Errorf("%+v", said)
	}
	u.next.restart(u)
	u.served(u.next)
	if said := u.run("drop", fmt.Sprint(space.Layout)); said.Items == 0 {
		t.Error("nothing was dropped")
	}
	u.next.restart(u)
	u.served(u.next)
	t.Logf("%d responses compared, %d drops", u.compared, len(u.drops))
}

// neverWrong asks the workers of a release that knew of another state of the data: they
// respond as is right now, or with 503.
func (u *upgrades) neverWrong(r *release) (served int) {
	u.t.Helper()
	u.key = u.issue(u.t)
	right := u.right()
	for target, group := range u.targets {
		got := call(u.t, r.functions[group], u.sign(u.t, event("GET", target)))
		if got.StatusCode == http.StatusServiceUnavailable {
			continue
		}
		if want := right(target); u.lasting(got) != want {
			u.t.Errorf("%s of a warm worker of the %s build:\n%d %s\nwant:\n%s", target, r.name, got.StatusCode, got.Body, want)
		}
		served++
	}
	u.t.Logf("%d of %d responses by warm workers of the %s build are right, the others 503", served, len(u.targets), r.name)
	return served
}

// served asks a release for every target, and compares its responses with those that are
// right. It returns their bodies.
func (u *upgrades) served(r *release) map[string]string {
	u.t.Helper()
	bodies, right := u.bodies(r), u.right()
	for target, got := range bodies {
		if want := right(target); want != got {
			u.t.Errorf("%s of the %s build:\n%s\nwant:\n%s", target, r.name, got, want)
		}
		u.compared++
	}
	return bodies
}

// right returns what the responses to targets should be, by the table of what is right.
func (u *upgrades) right() func(target string) string {
	var worker *gateway.Handler
	n := 0
	return func(target string) string {
		u.t.Helper()
		if known, ok := u.known[target]; ok {
			return known
		}
		if n%50 == 0 { // at a worker a key has 60 requests a minute
			worker = gateway.New(u.reference.Handler(groups.Operations))
		}
		n++
		got, err := worker.Handle(u.t.Context(), u.sign(u.t, event("GET", target)))
		if err != nil {
			u.t.Fatal(err)
		}
		u.known[target] = u.lasting(got)
		return u.known[target]
	}
}

// lasting is a body without what differs from one moment, or key, to another.
func (u *upgrades) lasting(r events.APIGatewayV2HTTPResponse) string {
	u.t.Helper()
	return strings.ReplaceAll(lasting(u.t, r).Body, u.key.Key.ID, "a key")
}

// bodies are the responses of a release to every target, all of them 200.
func (u *upgrades) bodies(r *release) map[string]string {
	u.t.Helper()
	u.key = u.issue(u.t) // one has 60 requests a minute
	bodies := map[string]string{}
	for target, group := range u.targets {
		f := r.functions[group]
		got := call(u.t, f, u.sign(u.t, event("GET", target)))
		if got.StatusCode != http.StatusOK {
			u.t.Fatalf("%s of the %s build: %d %s\n%s", target, r.name, got.StatusCode, got.Body, f.Output())
		}
		bodies[target] = u.lasting(got)
	}
	return bodies
}

func newUpgrades(t *testing.T, w *world) *upgrades {
	t.Helper()
	u := &upgrades{world: w, bucket: newBucket(t), t: t, targets: map[string]route.Group{}, known: map[string]string{}}
	u.demo = demo(t)
	u.former = &release{name: "former", programs: w.bootstraps, ingestion: filepath.Join(compile(t, stack.Ingest), stack.Ingest)}
	programs := compileWith(t, tags+",nextlayout", append(folders(), stack.Ingest, "testdata/upgrader")...)
	u.next = &release{name: "next", programs: bootstraps(programs), ingestion: filepath.Join(programs, stack.Ingest)}
	u.program = filepath.Join(programs, "upgrader")

	if _, err := w.client.CreateTable(t.Context(), dynamo.Table(reference)); err != nil {
		t.Fatal(err)
	}
	load(t, w.client, reference, demoDataset(t))
	var err error
	getenv := lookup(w.environment)
	u.reference, err = service.FromEnvironment(t.Context(), func(name string) string {
		if name == stack.VariableSportsTable {
			return reference
		}
		return getenv(name)
	})
	if err != nil {
		t.Fatal(err)
	}
	u.reference.Log = nil
	for _, g := range route.Groups() {
		for _, target := range w.targets(t, g) {
			u.targets[target] = g
		}
	}
	u.former.restart(u)
	u.next.restart(u)
	return u
}

// restart ends the workers of a release, and starts others.
func (r *release) restart(u *upgrades) {
	u.t.Helper()
	for _, f := range r.functions {
		f.Kill(u.t)
	}
	if r.ingest != nil {
		r.ingest.Kill(u.t)
	}
	r.functions = map[route.Group]*function{}
	for _, g := range route.Groups() {
		r.functions[g] = start(u.t, r.programs.of(g), u.world.environment...)
	}
	r.ingest = start(u.t, r.ingestion, append(slices.Clone(u.world.environment), u.bucket.environment...)...)
}

// done is what an upgrade says that it has done.
type done struct {
	Current               bool
	Records, Loads, Items int
}

// run runs the command of testdata/upgrader, compiled from the next build.
func (u *upgrades) run(words ...string) (said done) {
	u.t.Helper()
	endpoint := lookup(u.world.environment)(stack.VariableDynamoDBEndpoint)
	process := exec.CommandContext(u.t.Context(), u.program, append([]string{endpoint}, words...)...)
	process.Env = u.world.environment[:3:3] // AWS's
	out, err := process.Output()
	if err == nil {
		err = json.Unmarshal(out, &said)
	}
	if err != nil {
		u.t.Fatalf("upgrader %q: %s, %v", words, out, err)
	}
	return said
}
