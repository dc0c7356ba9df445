package ingest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"touchline/shared/ingest"
	"touchline/shared/loader"
	"touchline/shared/loader/conduct"
	"touchline/shared/store"
)

// machine is a state machine whose executions the test runs.
type machine struct {
	mu       sync.Mutex
	started  []string // names, each once
	inputs   map[string]string
	statuses map[string]string
	down     bool
}

// Start implements ingest.Machine.
func (m *machine) Start(_ context.Context, name string, input []byte) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.down {
		return errors.New("Step Functions is out of reach")
	}
	if before, known := m.inputs[name]; known {
		if before != string(input) {
			return fmt.Errorf("%s was started with another input", name)
		}
		return nil
	}
	m.started = append(m.started, name)
	m.inputs[name], m.statuses[name] = string(input), "RUNNING"
	return nil
}

// Status implements ingest.Machine.
func (m *machine) Status(_ context.Context, name string) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if status, known := m.statuses[name]; known {
		return status, nil
	}
	return "", ingest.ErrNotFound
}

// Execution implements ingest.Machine.
func (m *machine) Execution(name string) string { return "arn:" + name }

// end sets the status of the last execution.
func (m *machine) end(status string) { m.statuses[m.started[len(m.started)-1]] = status }

// bulk has a world conduct drops of any size.
func (w *world) bulk() *machine {
	m := &machine{inputs: map[string]string{}, statuses: map[string]string{}}
	w.Worker.Bulk = &ingest.Bulk{Machine: m, From: 1}
	return m
}

// step does a step of the last execution, as the second function does.
func (w *world) step(m *machine, step map[string]any) (*ingest.Result, error) {
	w.t.Helper()
	var input map[string]any
	if err := json.Unmarshal([]byte(m.inputs[m.started[len(m.started)-1]]), &input); err != nil {
		w.t.Fatal(err)
	}
	step["load"] = input["load"]
	event, err := json.Marshal(step)
	if err != nil {
		w.t.Fatal(err)
	}
	worker := *w.Worker
	worker.Bulk = nil
	f := &ingest.Function{Receiver: w.Receiver, Steps: &ingest.Steps{Worker: &worker, Remover: w.Worker.Objects.(ingest.Remover)}}
	out, err := f.Handle(w.t.Context(), event)
	if err != nil {
		return nil, err
	}
	return out.(*ingest.Result), nil
}

// steps does a step that must succeed.
func (w *world) steps(m *machine, step map[string]any) *ingest.Result {
	w.t.Helper()
	result, err := w.step(m, step)
	if err != nil {
		w.t.Fatalf("%v: %v", step["step"], err)
	}
	return result
}

// mapped reads the items of a Map.
func (w *world) mapped(key string) (all []map[string]any) {
	w.t.Helper()
	out, err := w.s3.GetObject(w.t.Context(), &s3.GetObjectInput{Bucket: aws.String(bucket), Key: &key})
	if err == nil {
		err = json.NewDecoder(out.Body).Decode(&all)
	}
	if err != nil || len(all) == 0 {
		w.t.Fatalf("%s: %v, %v", key, all, err)
	}
	return all
}

// upToMerge does the steps of an execution before its merges, and returns the buckets.
func (w *world) upToMerge(m *machine) []map[string]any {
	w.t.Helper()
	planned := w.steps(m, map[string]any{"step": "plan"})
	for _, item := range w.mapped(planned.Parts) {
		w.steps(m, map[string]any{"step": "project", "item": item})
	}
	if w.steps(m, map[string]any{"step": "decide"}).Faulty {
		w.t.Fatal("it is faulty")
	}
	return w.mapped(planned.Buckets)
}

// run does all steps of an execution.
func (w *world) run(m *machine) {
	w.t.Helper()
	for _, item := range w.upToMerge(m) {
		if w.steps(m, map[string]any{"step": "merge", "item": item}).Again {
			w.t.Fatal("a merge asks for more time")
		}
	}
	w.steps(m, map[string]any{"step": "finish"})
	w.steps(m, map[string]any{"step": "finish"})
	w.steps(m, map[string]any{"step": "report", "outcome": "done"})
	w.steps(m, map[string]any{"step": "report", "outcome": "done"})
	m.end("SUCCEEDED")
}

// working are the objects of work folders.
func (w *world) working() int {
	w.t.Helper()
	out, err := w.s3.ListObjectsV2(w.t.Context(), &s3.ListObjectsV2Input{Bucket: aws.String(bucket), Prefix: aws.String("_work/")})
	if err != nil {
		w.t.Fatal(err)
	}
	return len(out.Contents)
}

// outcome requires that a message goes back, or not, with an outcome.
func (w *world) outcome(folder, want string, back bool) {
	w.t.Helper()
	if got := w.load(folder); got != back || w.lastLine()["outcome"] != want {
		w.t.Fatalf("the message of %s goes back: %v, outcome %v; want %v, %s", folder, got, w.lastLine(), back, want)
	}
}

// A large first drop starts one execution, however often its message comes, and waits
// for it. It ends in what one function would have loaded.
func TestALargeFirstDropIsConducted(t *testing.T) {
	w := newWorld(t)
	m := w.bulk()
	w.drop("big", "", demo(t))
	w.drop("small", "", organizations(club))
	done := make(chan bool)
	for range 2 {
		go func() {
			answer, err := w.Handle(t.Context(), message("big/_READY", 1))
			done <- err == nil && len(answer.BatchItemFailures) == 1
		}()
	}
	for range 2 {
		if !<-done {
			t.Error("the message does not come back")
		}
	}
	w.outcome("big", "conducted", true)
	w.outcome("small", "conducted", true) // it waits, whatever its size
	if len(m.started) != 1 {
		t.Fatalf("started %v", m.started)
	}
	if n := w.items(); n != 0 {
		t.Errorf("%d items before the first step", n)
	}
	w.run(m)
	counts := w.loaded("big")
	if n := w.working(); n != 0 {
		t.Errorf("%d objects are left in the work folder", n)
	}
	w.outcome("big", "answered before", false)
	w.outcome("small", "loaded", false)
	alone := newWorld(t)
	alone.drop("big", "", demo(t))
	alone.outcome("big", "loaded", false)
	want := alone.loaded("big")
	counts.Warnings, want.Warnings = nil, nil
	if fmt.Sprint(*counts) != fmt.Sprint(*want) {
		t.Errorf("conducted: %+v\nin one function: %+v", counts, want)
	}
	w.drop("later", "", demo(t))
	w.outcome("later", "loaded", false)
	if len(m.started) != 1 {
		t.Error("a load into a table that is not empty was conducted")
	}
}

func TestWhichDropsAreConducted(t *testing.T) {
	for name, tt := range map[string]struct {
		from    int64
		options string
	}{
		"a small one": {1 << 20, ""}, "none": {0, ""}, "no dry run": {1, `{"dryRun":true}`},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			m := w.bulk()
			w.Worker.Bulk.From = tt.from
			w.drop("d", tt.options, organizations(club))
			w.outcome("d", "loaded", false)
			if len(m.started) != 0 {
				t.Errorf("started %v", m.started)
			}
		})
	}
	w := newWorld(t)
	w.bulk()
	w.drop("_work/x", "", organizations(club))
	if w.load("_work/x") || w.lastLine()["msg"] != "not a drop" {
		t.Errorf("a work folder was taken for a drop: %v", w.lastLine())
	}
}

// Faults are reported, those of the plan and those of the table's bounds, and the next
// drop finds an empty table.
func TestAFaultyConductedDropIsReported(t *testing.T) {
	w := newWorld(t)
	m := w.bulk()
	w.drop("bad", "", organizations(club+`{"id":"d"}`+"\n"))
	w.outcome("bad", "conducted", true)
	if text, err := json.Marshal(w.steps(m, map[string]any{"step": "plan"})); string(text) != `{"faulty":true,"parts":"","buckets":"","again":false}` {
		t.Fatalf("%s, %v", text, err)
	}
	w.steps(m, map[string]any{"step": "report", "outcome": "faulty"})
	w.steps(m, map[string]any{"step": "report", "outcome": "faulty"})
	m.end("SUCCEEDED")
	if r := w.report("bad"); r == nil || r.Status != ingest.Faulty || r.Faults.List[0].File != "organizations.ndjson" || r.Faults.List[0].Line != 2 {
		t.Errorf("%+v", r)
	}
	if n := w.items() + w.working(); n != 0 {
		t.Errorf("%d items and objects are left", n)
	}
	w.outcome("bad", "answered before", false)
	w.drop("good", "", organizations(club))
	w.outcome("good", "conducted", true)
	w.run(m)
	w.loaded("good")
}

// An execution that ends early is followed by another, whoever's message comes, until
// several have got no further.
func TestAnEndedExecutionIsStartedAgain(t *testing.T) {
	w := newWorld(t)
	m := w.bulk()
	w.drop("big", "", demo(t))
	w.drop("other", "", organizations(club))
	m.down = true
	if !w.load("big") || w.lastLine()["outcome"] != "again" {
		t.Fatalf("%v", w.lastLine())
	}
	m.down = false
	w.outcome("big", "conducted", true) // the head was there, its execution not
	buckets := w.upToMerge(m)
	w.steps(m, map[string]any{"step": "report", "outcome": "failed", "failure": map[string]string{"Error": "Sandbox.Timedout", "Cause": "after 900 s"}})
	m.end("FAILED")
	w.outcome("other", "conducted", true)
	if cause := fmt.Sprint(w.lastLine()["cause"]); !strings.Contains(cause, "Sandbox.Timedout: after 900 s") {
		t.Errorf("logged %s", cause)
	}
	if len(m.started) != 2 || m.started[1] != strings.TrimSuffix(m.started[0], "1")+"2" {
		t.Fatalf("started %v", m.started)
	}
	last := m.started
	m.started = last[:1]
	if _, err := w.step(m, map[string]any{"step": "merge", "item": buckets[0]}); !errors.As(err, new(*conduct.StoppedError)) {
		t.Errorf("a step of the first execution: %v", err)
	}
	m.started = last
	w.run(m)
	w.loaded("big")
	w.outcome("other", "loaded", false)
}

// A drop whose executions get no further is given up: where nothing of it is in the
// table, the table is then free for the next.
func TestADropWhoseExecutionsFailIsGivenUp(t *testing.T) {
	w := newWorld(t)
	m := w.bulk()
	w.drop("big", "", demo(t))
	for range ingest.Attempts {
		w.outcome("big", "conducted", true)
		m.end("ABORTED")
	}
	w.outcome("big", "failed", false)
	if len(m.started) != ingest.Attempts {
		t.Errorf("%d executions", len(m.started))
	}
	if r := w.report("big"); r == nil || r.Status != ingest.Failed || !strings.Contains(r.Message, "aborted") {
		t.Errorf("%+v", r)
	}
	if head, err := conduct.Head(t.Context(), w.Worker.Table); head != nil || err != nil {
		t.Errorf("the head is left: %v", err)
	}
	w.Worker.Bulk = nil
	w.drop("next", "", organizations(club))
	w.outcome("next", "loaded", false)
}

// Where no step could say what was wrong, two are enough: the report names the setting.
func TestADropForWhichTheFunctionIsTooSmallIsGivenUp(t *testing.T) {
	for name, says := range map[string]bool{"ended": false, "said why": true} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			m := w.bulk()
			w.drop("big", "", demo(t))
			for range 2 {
				w.outcome("big", "conducted", true)
				if says {
					if _, err := w.step(m, map[string]any{"step": "merge", "item": map[string]int{"bucket": 0}}); err == nil {
						t.Fatal("a bucket is merged before the load is decided")
					}
				}
				w.steps(m, map[string]any{"step": "report", "outcome": "failed", "failure": map[string]string{"Error": "States.ExceedToleratedFailureThreshold"}})
				m.end("FAILED")
			}
			if says {
				w.outcome("big", "conducted", true)
				return
			}
			w.outcome("big", "failed", false)
			if r := w.report("big"); r == nil || !strings.Contains(r.Message, "2 executions got no further") || !strings.Contains(r.Message, "bulkMemory") {
				t.Errorf("%+v", r)
			}
			w.drop("big", "", demo(t))
			w.outcome("big", "conducted", true)
		})
	}
}

// A dataset that the function has too little memory for is refused before it is planned.
func TestADatasetTooLargeToPlanIsRefused(t *testing.T) {
	if n := ingest.Plannable(3008) >> 20; n != 1203 {
		t.Errorf("with 3008 MB %d MB can be planned", n)
	}
	for _, bytes := range []int64{1000, 0} {
		w := newWorld(t)
		m := w.bulk()
		w.drop("big", "", demo(t))
		w.outcome("big", "conducted", true)
		w.Worker.Limits.Planned = bytes
		planned := w.steps(m, map[string]any{"step": "plan"})
		if planned.Faulty != (bytes > 0) {
			t.Errorf("%d bytes: %+v", bytes, planned)
		}
		if bytes == 0 {
			return
		}
		w.steps(m, map[string]any{"step": "report", "outcome": "faulty"})
		if r := w.report("big"); r == nil || r.Status != ingest.Faulty || !strings.Contains(r.Faults.Error(), "raise the setting bulkMemory to ") {
			t.Errorf("%+v", r)
		}
	}
}

// A competition that the function has too little memory to project is refused, by its name,
// before anything of it is computed; what fits to the last record is planned.
func TestACompetitionTooLargeToProjectIsRefused(t *testing.T) {
	if n := ingest.Projectable(3008); n != 616_038 {
		t.Errorf("with 3008 MB %d records can be projected at once", n)
	}
	files := organizations(club)
	files["competitions.ndjson"] = `{"id":"small","season":2025,"name":"S","organizationId":"c"}` + "\n" + `{"id":"big","season":2025,"name":"B","organizationId":"c"}`
	for _, team := range []string{"small", "big", "big", "big"} {
		id := fmt.Sprint(team, len(files["teams.ndjson"]))
		files["teams.ndjson"] += fmt.Sprintf(`{"id":%q,"name":"T","shortName":"T","organizationId":"c","competitionId":%q,"season":2025}`+"\n", id, team)
		files["players.ndjson"] += fmt.Sprintf(`{"id":"p%s","name":"P","teamId":%[1]q}`+"\n", id)
	}
	const records = 10 // all of the dataset but the organization: small parts are put together
	for _, most := range []int{records, records - 1} {
		w := newWorld(t)
		m := w.bulk()
		w.drop("big", "", files)
		w.outcome("big", "conducted", true)
		w.Worker.Limits.Projected = most
		planned := w.steps(m, map[string]any{"step": "plan"})
		if planned.Faulty != (most < records) {
			t.Errorf("at most %d records: %+v", most, planned)
		}
		if !planned.Faulty {
			continue
		}
		w.steps(m, map[string]any{"step": "report", "outcome": "faulty"})
		want := `competitions.ndjson:2: competition "big" has, with its teams, their players, all matches and what these play elsewhere, 10 records, and the function bulk has the memory to project 9 at once: raise the setting bulkMemory to 1, `
		if r := w.report("big"); r == nil || r.Status != ingest.Faulty || !strings.HasPrefix(r.Faults.Error(), want) {
			t.Errorf("%+v", r)
		}
	}
}

// One that got further starts the count again.
func TestAnExecutionThatGetsFurtherIsAnAttemptOfItsOwn(t *testing.T) {
	w := newWorld(t)
	m := w.bulk()
	w.drop("big", "", demo(t))
	for n := range ingest.Attempts + 5 {
		w.outcome("big", "conducted", true)
		if n == ingest.Attempts-2 {
			w.steps(m, map[string]any{"step": "plan"})
		}
		m.end("TIMED_OUT")
	}
	w.outcome("big", "conducted", true)
}

// A drop with abandon gives up the load of another, and is conducted itself.
func TestAConductedLoadIsAbandoned(t *testing.T) {
	w := newWorld(t)
	m := w.bulk()
	w.drop("big", "", demo(t))
	w.outcome("big", "conducted", true)
	w.drop("instead", `{"abandon":true}`, organizations(club))
	w.outcome("instead", "conducted", true)
	w.outcome("instead", "conducted", true)
	if len(m.started) != 2 {
		t.Fatalf("started %v", m.started)
	}
	both := m.started
	m.started = both[:1]
	for _, step := range []string{"plan", "decide", "finish"} {
		if _, err := w.step(m, map[string]any{"step": step}); !errors.As(err, new(*conduct.StoppedError)) {
			t.Errorf("%s of what was given up: %v", step, err)
		}
	}
	if _, err := w.step(m, map[string]any{"step": "report", "outcome": "failed"}); err == nil {
		t.Error("what was given up still reports")
	}
	m.started = both
	w.run(m)
	if w.loaded("instead").Organizations.Created != 1 || w.report("big") != nil {
		t.Errorf("%+v", w.report("big"))
	}
}

// Without the state machine a load that it conducts is waited for; an import says what
// it meets.
func TestAForeignConductedLoadIsWaitedFor(t *testing.T) {
	w := newWorld(t)
	w.bulk()
	w.drop("big", "", demo(t))
	w.outcome("big", "conducted", true)
	w.Worker.Bulk = nil
	w.drop("small", "", organizations(club))
	if !w.receive(message("small/_READY", ingest.Attempts)) || w.lastLine()["outcome"] != "waiting" || w.lastLine()["level"] != "ERROR" {
		t.Errorf("%v", w.lastLine())
	}
	_, err := (&loader.Loader{Table: &store.Table{DB: w.client, Name: "sports"}, Lease: w.lease()}).Load(t.Context(), asFiles(organizations(club)), loader.Options{})
	var conducted *loader.ConductedError
	if !errors.As(err, &conducted) || !strings.Contains(err.Error(), "--abandon") {
		t.Errorf("%v", err)
	}
}

// A step that does not say what it is of is refused, for good.
func TestAStepThatIsNoneIsRefused(t *testing.T) {
	w := newWorld(t)
	m := w.bulk()
	w.drop("big", "", demo(t))
	w.outcome("big", "conducted", true)
	for _, step := range []map[string]any{{"step": "dance"}, {"step": "merge"}, {"step": "report"}, {"step": "project"}} {
		if _, err := w.step(m, step); !errors.As(err, new(*conduct.RefusedError)) {
			t.Errorf("%v: %v", step, err)
		}
	}
	w.steps(m, map[string]any{"step": "report", "outcome": "failed", "failure": map[string]string{"Error": "States.ExceedToleratedFailureThreshold"}})
	m.end("FAILED")
	w.outcome("big", "conducted", true)
	if cause := fmt.Sprint(w.lastLine()["cause"]); !strings.Contains(cause, `the last error of a step: project: there is no step "project"`) {
		t.Errorf("logged %s", cause)
	}
}

// asFiles are the files of a dataset in memory.
func asFiles(texts map[string]string) fs.FS {
	files := fstest.MapFS{}
	for name, text := range texts {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}
