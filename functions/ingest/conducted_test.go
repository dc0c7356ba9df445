package main

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"touchline/functions/runtimetest/statestest"
	"touchline/shared/ingest"
	"touchline/shared/seed"
	"touchline/shared/stack"
)

// tests are the cases of TestConductedLoads. Each drives the compiled function
// through the machine that infra synthesises.
var conductedCases = []struct {
	name string
	run  func(*testing.T, *conducted)
}{
	{"a load goes well", goesWell},
	{"tasks that fail are tried again", triedAgain},
	{"a task that is killed while it writes goes on", killedWhileItWrites},
	{"a part that fails for good fails the execution", failsForGood},
	{"a load that gets no further is given up", givenUp},
	{"an execution that is abandoned is followed by another", abandoned},
	{"two drops at once load one after the other", twoDrops},
	{"faults of the dataset are reported", faulty},
	{"what the table cannot hold is reported, and nothing is written", tooLarge},
}

// TestConductedLoads checks, too, that every state is entered in some case, and
// that every right of the roles is used in some.
func TestConductedLoads(t *testing.T) {
	if testing.Short() {
		t.Skip("loads 10,000 players: make test-all runs it")
	}
	bootstrap := build(t)
	visits, used := map[string]bool{}, map[string]bool{}
	var last *conducted
	ran := 0
	for _, tt := range conductedCases {
		t.Run(tt.name, func(t *testing.T) {
			ran++
			last = newConducted(t, bootstrap)
			tt.run(t, last)
			for state := range last.visits {
				visits[state] = true
			}
			maps.Copy(used, last.template.used)
		})
	}
	if ran < len(conductedCases) {
		return // -run has chosen some
	}
	if diff := cmp.Diff(last.machine.States(), slices.Sorted(maps.Keys(visits))); diff != "" {
		t.Errorf("states (-there +entered): %s", diff)
	}
	unused := slices.Concat(last.template.unused(stack.Bulk, used), last.template.unused("machine", used))
	for _, right := range unused {
		// Step Functions makes these calls for a distributed Map.
		if !strings.HasPrefix(right, "states:") {
			t.Errorf("nothing needs the right %s", right)
		}
	}
}

// began receives the message of a new drop: an execution runs then, and the message
// goes back.
func (c *conducted) began() {
	c.t.Helper()
	if !c.receive(folder, 1) {
		c.t.Fatalf("the message does not go back: %s", c.ingest.Output.String())
	}
	if names := c.states.names(); len(names) != 1 {
		c.t.Fatalf("started: %q: %s", names, c.ingest.Output.String())
	}
}

// succeeds runs the execution, which succeeds.
func (c *conducted) succeeds(parallel int) *statestest.Result {
	c.t.Helper()
	result := c.execute(c.t.Context(), parallel)
	if result.Status != statestest.Succeeded {
		c.t.Fatalf("%+v", result)
	}
	return result
}

// fails runs the execution, which fails.
func (c *conducted) fails() {
	c.t.Helper()
	if result := c.execute(c.t.Context(), 1); result.Status != statestest.Failed {
		c.t.Fatalf("%+v", result)
	}
}

// ends receives the message once more: it does not go back.
func (c *conducted) ends(folder string) {
	c.t.Helper()
	if c.receive(folder, 3) {
		c.t.Fatalf("the message goes back: %s", c.ingest.Output.String())
	}
}

// demo drops the demo's federation.
func (c *conducted) demo() (dir string) {
	c.t.Helper()
	dir = c.t.TempDir()
	c.drop(c.t, dir, seed.Options{Demo: true})
	return dir
}

func goesWell(t *testing.T, c *conducted) {
	dir := t.TempDir()
	size, buckets := 1, 1
	if os.Getenv("TOUCHLINE_SCALE") != "" {
		size, buckets = 20, 2 // infra/README.md has what that takes
	}
	c.drop(t, dir, seed.Options{Size: size})
	c.began()
	if n := c.written(); n != 1 {
		t.Errorf("%d items are written before the execution runs, want the head of the journal alone", n)
	}
	if !c.receive(folder, 2) || len(c.states.names()) != 1 {
		t.Errorf("delivered twice, it has begun %q", c.states.names())
	}
	result := c.succeeds(2)
	if result.Visits["Project/Part"] < 2 || result.Visits["Merge/Bucket"] < buckets {
		t.Errorf("nothing was divided: %v", result.Visits)
	}
	c.mu.Lock()
	c.counts["transitions"] = float64(result.Transitions)
	for _, what := range slices.Sorted(maps.Keys(c.counts)) {
		t.Logf("size %d: %12.1f %s", size, c.counts[what], what)
	}
	c.mu.Unlock()
	c.loaded(byOne(t, dir))
	c.ends(folder)
	if r := c.report(t, folder); r.Counts.Players.Created != size*10_000 {
		t.Errorf("%+v", r)
	}
	// The table is not empty any more.
	c.upload(t, "drops/again", dir)
	c.ends("drops/again")
	if r := c.report(t, "drops/again"); r == nil || r.Status != ingest.Loaded || r.Counts.Players.Created != 0 || len(c.states.names()) != 1 {
		t.Errorf("%+v; %q", r, c.states.names())
	}
}

// triedAgain has each step fail once: it is turned away, or done without an answer.
func triedAgain(t *testing.T, c *conducted) {
	dir := c.demo()
	c.began()
	times := map[string]int{}
	c.interfere = func(s step) mishap {
		name := s.Step
		if s.Item.Part != nil {
			name += fmt.Sprint(*s.Item.Part)
		}
		times[name]++
		return []mishap{turnedAway, lost, nothing}[min(times[name]-1, 2)]
	}
	result := c.succeeds(1)
	for name, n := range times {
		if n != 3 {
			t.Errorf("%s was tried %d times", name, n)
		}
	}
	if len(times) < 6 || result.Waited == 0 {
		t.Errorf("%v, %+v", times, result)
	}
	c.loaded(byOne(t, dir))
	c.ends(folder)
}

// killedWhileItWrites kills each step at calls that it makes.
func killedWhileItWrites(t *testing.T, c *conducted) {
	dir := t.TempDir()
	c.drop(t, dir, seed.Options{Size: 1})
	c.began()
	counts := map[string]int{}
	killed := 0
	c.disturbed(func(function, call string) trouble {
		if function != stack.Bulk {
			return none
		}
		kind, rest, _ := strings.Cut(call, " IngestBucket/"+stack.WorkFolder+"/")
		if parts := strings.Split(rest, "/"); len(parts) > 1 {
			kind += " " + parts[1]
		}
		c.mu.Lock()
		counts[kind]++
		n := counts[kind]
		die := map[string][]int{
			"dynamodb:BatchWriteItem Sports": {100, 700}, "s3:PutObject parts": {2}, "s3:PutObject runs": {1},
			"s3:PutObject merged": {1}, "s3:DeleteObject projected": {1},
		}
		dies := slices.Contains(die[kind], n)
		if dies {
			killed++
		}
		c.mu.Unlock()
		if dies {
			c.kill()
			return cut
		}
		return none
	})
	c.succeeds(1)
	c.disturbed(nil)
	if killed < 5 {
		t.Errorf("killed %d times: %v", killed, counts)
	}
	c.loaded(byOne(t, dir))
	c.ends(folder)
}

// refusing has S3 refuse to take what is in a folder of the work.
func (c *conducted) refusing(folder string) {
	c.disturbed(func(function, call string) trouble {
		if function == stack.Bulk && strings.HasPrefix(call, "s3:PutObject IngestBucket/"+stack.WorkFolder+"/") && strings.Contains(call, "/"+folder+"/") {
			return refused
		}
		return none
	})
}

func failsForGood(t *testing.T, c *conducted) {
	dir := c.demo()
	c.began()
	c.refusing("runs")
	c.fails()
	if c.visits["ReportFailure"] != 1 || c.visits["Decide"] != 0 {
		t.Errorf("%v", c.visits)
	}
	// The message comes again: another execution, which passes over what was done.
	c.disturbed(nil)
	if !c.receive(folder, 2) || len(c.states.names()) != 2 {
		t.Fatalf("started: %q: %s", c.states.names(), c.ingest.Output.String())
	}
	c.succeeds(1)
	c.loaded(byOne(t, dir))
	c.ends(folder)
}

func givenUp(t *testing.T, c *conducted) {
	dir := c.demo()
	c.began()
	c.refusing("runs")
	for n := 2; ; n++ {
		c.fails()
		if !c.receive(folder, n) {
			break
		}
		if n > ingest.Attempts+1 {
			t.Fatalf("executions %q", c.states.names())
		}
	}
	if n := len(c.states.names()); n < ingest.Attempts-1 {
		t.Errorf("given up after %d executions", n)
	}
	r := c.report(t, folder)
	if r == nil || r.Status != ingest.Failed || !strings.Contains(r.Message, "AccessDenied") {
		t.Errorf("%+v", r)
	}
	if items := c.items(t); len(items) > 0 {
		t.Errorf("%d items are left", len(items))
	}
	c.abandonedWork = c.keys(t, stack.WorkFolder) // which the bucket's rule removes
	c.disturbed(nil)
	c.upload(t, folder, dir) // again, with a new _READY
	if !c.receive(folder, 1) {
		t.Fatalf("not begun again: %s", c.ingest.Output.String())
	}
	c.succeeds(1)
	c.loaded(byOne(t, dir))
}

// abandoned stops an execution before its n-th task, for every n, and begins others
// until one comes to its end.
func abandoned(t *testing.T, c *conducted) {
	dir := c.demo()
	c.began()
	var before step
	for n := 1; ; n++ {
		ctx, stop := context.WithCancel(t.Context())
		var tasks atomic.Int64
		c.interfere = func(s step) mishap {
			before = s
			if tasks.Add(1) == int64(n) {
				stop() // the task is still done
			}
			return nothing
		}
		result := c.execute(ctx, 1)
		stop()
		if result.Status == statestest.Succeeded {
			break
		}
		if result.Status != statestest.Aborted {
			t.Fatalf("%+v", result)
		}
		if back := c.receive(folder, 2); !back {
			break // it was stopped after the report of the drop
		}
		if len(c.states.names()) != n+1 {
			t.Fatalf("stopped before task %d; started: %q: %s", n+1, c.states.names(), c.ingest.Output.String())
		}
		// A task of the execution that was stopped does nothing any more.
		late := fmt.Sprintf(`{"step": "merge", "load": %s, "item": {"bucket": 0}}`, loadOf(t, c, n-1))
		if _, err := c.Invoke(t.Context(), resource(stack.Bulk), []byte(late)); err == nil || !strings.HasPrefix(err.Error(), "StoppedError") {
			t.Errorf("a task of execution %d, late: %v", n, err)
		}
	}
	c.interfere = nil
	if before.Step != "finish" || len(c.states.names()) < 6 {
		t.Errorf("the last task was %+v; started: %q", before, c.states.names())
	}
	c.reported(byOne(t, dir)) // the bucket's rule removes the work of an execution that was stopped then
	c.ends(folder)
}

// loadOf is the load in the input of the n-th execution.
func loadOf(t *testing.T, c *conducted, n int) string {
	t.Helper()
	input := c.states.executions[n].input
	load, found := strings.CutPrefix(input, `{"load":`)
	if !found {
		t.Fatal(input)
	}
	return strings.TrimSuffix(load, "}")
}

// twoDrops: the second waits for the first, and begins it again when it has failed.
func twoDrops(t *testing.T, c *conducted) {
	const other = "drops/other"
	dir := c.demo()
	c.upload(t, other, dir)
	c.began()
	if !c.receive(other, 1) || len(c.states.names()) != 1 {
		t.Fatalf("started: %q: %s", c.states.names(), c.ingest.Output.String())
	}
	c.refusing("runs")
	c.fails()
	c.disturbed(nil)
	if !c.receive(other, 2) || len(c.states.names()) != 2 {
		t.Fatalf("started: %q: %s", c.states.names(), c.ingest.Output.String())
	}
	first := c.states.names()
	if load, _, _ := strings.Cut(first[0], "-"); !strings.HasPrefix(first[1], load+"-") {
		t.Errorf("two loads: %q", first)
	}
	c.succeeds(1)
	c.loaded(byOne(t, dir))
	c.ends(other)
	if r := c.report(t, other); r == nil || r.Status != ingest.Loaded || r.Counts.Players.Created != 0 || len(c.states.names()) != 2 {
		t.Errorf("%+v; %q", r, c.states.names())
	}
	c.ends(folder)
}

func faulty(t *testing.T, c *conducted) {
	c.put(t, folder+"/teams.ndjson", "{\n")
	c.put(t, folder+"/"+stack.DropReady, "")
	c.began()
	c.refusedDataset("teams.ndjson")
}

// refusedDataset runs the execution of a dataset with faults, one of them in a file.
func (c *conducted) refusedDataset(file string) {
	c.t.Helper()
	c.succeeds(1)
	r := c.report(c.t, folder)
	if r == nil || r.Status != ingest.Faulty || r.Faults == nil || r.Faults.List[0].File != file || r.Faults.List[0].Line == 0 {
		c.t.Errorf("%+v", r)
	}
	if items := c.items(c.t); len(items) > 0 {
		c.t.Errorf("%d items are written", len(items))
	}
	c.cleared()
	c.ends(folder)
	if len(c.states.names()) != 1 {
		c.t.Errorf("started: %q", c.states.names())
	}
}

// tooLarge has a season with more teams than a response can hold (D48).
func tooLarge(t *testing.T, c *conducted) {
	dir := t.TempDir()
	logo := "https://example.org/" + strings.Repeat("x", 2000)
	var teams strings.Builder
	for n := range 2600 {
		fmt.Fprintf(&teams, `{"id":"t%d","name":"T%d","shortName":"T%d","organizationId":"f","competitionId":"c","season":2025,"gender":"men","logo":"%s%d"}`+"\n", n, n, n, logo, n)
	}
	for name, text := range map[string]string{
		"organizations.ndjson": `{"id":"f","type":"federation","name":"F"}`,
		"competitions.ndjson":  `{"id":"c","season":2025,"name":"C","organizationId":"f","gender":"men"}`,
		"teams.ndjson":         teams.String(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c.upload(t, folder, dir)
	c.began()
	c.refusedDataset("competitions.ndjson")
	if c.visits["Decided"] != 1 {
		t.Errorf("%v", c.visits)
	}
}
