package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/google/go-cmp/cmp"

	"touchline/functions/runtimetest"
	"touchline/functions/runtimetest/statestest"
	"touchline/shared/ingest"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/records"
)

// conducted is an account in which every drop is large. It is the World of the
// executions: it invokes the compiled function.
type conducted struct {
	*account
	t       *testing.T
	ingest  *runtimetest.Function
	machine *statestest.Machine
	visits  map[string]int // of all executions
	// abandonedWork is what a load has left that was given up.
	abandonedWork []string
	// interfere is asked before each step; nil: nothing happens to it.
	interfere func(s step) mishap

	mu   sync.Mutex
	idle []*runtimetest.Function
	busy map[*runtimetest.Function]bool
}

// step is the event of a step.
type step struct {
	Step string
	Load struct {
		ID     string
		Number int
	}
	Item struct {
		Part, Bucket *int
	}
	Outcome string
}

// mishap is what happens to a step.
type mishap int

const (
	nothing    mishap = iota
	turnedAway        // Lambda has no worker for it
	lost              // it is done, and the answer is lost
)

func newConducted(t *testing.T, bootstrap string) *conducted {
	t.Helper()
	c := &conducted{account: newAccount(t, bootstrap), t: t, visits: map[string]int{}, busy: map[*runtimetest.Function]bool{}}
	c.machine = c.states.machine
	c.table(t, sports)
	c.ingest = c.start(t, stack.Ingest, stack.VariableBulkBytes+"=1")
	return c
}

// receive sends the message of the drop in a folder to the function ingest, for the
// n-th time, and reports whether it goes back to the queue.
func (c *conducted) receive(folder string, n int) (back bool) {
	c.t.Helper()
	var event events.SQSEvent
	if err := json.Unmarshal(sample(c.t, "drop.json"), &event); err != nil {
		c.t.Fatal(err)
	}
	m := &event.Records[0]
	m.Body = strings.ReplaceAll(m.Body, "drops/2026-03-14+est", strings.ReplaceAll(folder, " ", "+"))
	m.Attributes["ApproximateReceiveCount"] = strconv.Itoa(n)
	raw, err := json.Marshal(event)
	if err != nil {
		c.t.Fatal(err)
	}
	return sent(c.t, c.ingest, raw) > 0
}

// execute runs the execution that was started and runs, of so many items at once,
// until it ends.
func (c *conducted) execute(ctx context.Context, parallel int) *statestest.Result {
	c.t.Helper()
	e := c.states.running()
	if e == nil {
		c.t.Fatalf("nothing was started: %s", c.ingest.Output.String())
	}
	x := statestest.Execution{Machine: c.machine, World: c, Parallel: parallel, Passes: c.passes}
	result, err := x.Run(ctx, []byte(e.input))
	if err != nil {
		c.t.Fatal(err)
	}
	c.states.end(e, result.Status)
	for state, n := range result.Visits {
		c.visits[state] += n
	}
	return result
}

// Invoke implements statestest.World.
func (c *conducted) Invoke(_ context.Context, function string, payload []byte) ([]byte, error) {
	if call := "lambda:InvokeFunction " + function; !c.template.allows("machine", call) || function != resource(stack.Bulk) {
		return nil, errors.New("the machine may not " + call)
	}
	var s step
	if err := json.Unmarshal(payload, &s); err != nil {
		return nil, err
	}
	what := nothing
	if c.interfere != nil {
		what = c.interfere(s)
	}
	if what == turnedAway {
		return nil, &statestest.Failure{Name: "Lambda.TooManyRequestsException", Cause: "as the test wants it"}
	}
	f := c.worker()
	measure := c.measured(f, s.Step)
	f.Begin(c.t, payload)
	answer, failed := f.Outcome(c.t)
	c.mu.Lock()
	delete(c.busy, f)
	if failed == nil || failed.Type != runtimetest.Ended {
		c.idle = append(c.idle, f)
		measure()
	}
	c.mu.Unlock()
	if failed != nil {
		return nil, &statestest.Failure{Name: failed.Type, Cause: failed.Message}
	}
	if what == lost {
		return nil, &statestest.Failure{Name: "Lambda.SdkClientException", Cause: "as the test wants it"}
	}
	return answer, nil
}

// measured adds up what a step takes, once it is done; only Linux tells.
func (c *conducted) measured(f *runtimetest.Function, step string) (done func()) {
	c.count("tasks of "+step, 1)
	if runtime.GOOS != "linux" {
		return func() {}
	}
	f.Peak(c.t)
	began := f.Processor(c.t)
	return func() { // under the lock
		c.counts["processor seconds of "+step] += (f.Processor(c.t) - began).Seconds()
		peak := "MB at the peak of " + step
		c.counts[peak] = max(c.counts[peak], float64(f.Peak(c.t)>>20))
	}
}

// worker is a process of the function bulk that has nothing to do.
func (c *conducted) worker() *runtimetest.Function {
	c.mu.Lock()
	defer c.mu.Unlock()
	var f *runtimetest.Function
	if n := len(c.idle); n > 0 {
		f, c.idle = c.idle[n-1], c.idle[:n-1]
	} else {
		f = c.start(c.t, stack.Bulk)
	}
	c.busy[f] = true
	return f
}

// kill kills the processes that do a step.
func (c *conducted) kill() {
	c.mu.Lock()
	killed := maps.Clone(c.busy)
	c.mu.Unlock()
	for f := range killed {
		f.Kill(c.t)
	}
}

// Object implements statestest.World.
func (c *conducted) Object(ctx context.Context, of, key string) ([]byte, error) {
	if call := "s3:GetObject IngestBucket/" + key; !c.template.allows("machine", call) || of != bucket {
		return nil, fmt.Errorf("the machine may not %s in %s", call, of)
	}
	content, err := c.objects.Get(ctx, of, key)
	if err != nil {
		return nil, &statestest.Failure{Name: "States.ItemReaderFailed", Cause: err.Error()}
	}
	defer content.Close()
	return io.ReadAll(content)
}

// passes lets time pass for the leases of the table: they end so much earlier.
func (c *conducted) passes(d time.Duration) {
	items, err := c.client.Query(c.t.Context(), &dynamodb.QueryInput{
		TableName: aws.String(sports), KeyConditionExpression: aws.String("pk = :pk"), ConsistentRead: aws.Bool(true),
		ExpressionAttributeValues: store.Item{":pk": &types.AttributeValueMemberS{Value: records.JournalPK}},
	})
	if err != nil {
		c.t.Error(err)
		return
	}
	for _, item := range items.Items {
		until, held := item["until"].(*types.AttributeValueMemberN)
		if !held {
			continue
		}
		_, err := c.client.UpdateItem(c.t.Context(), &dynamodb.UpdateItemInput{
			TableName: aws.String(sports), Key: store.Item{"pk": item["pk"], "sk": item["sk"]},
			UpdateExpression: aws.String("SET #until = #until - :d"), ConditionExpression: aws.String("#until = :was"),
			ExpressionAttributeNames: map[string]string{"#until": "until"},
			ExpressionAttributeValues: store.Item{
				":was": until, ":d": &types.AttributeValueMemberN{Value: strconv.FormatInt(d.Milliseconds(), 10)},
			},
		})
		if err != nil && !errors.As(err, new(*types.ConditionalCheckFailedException)) {
			c.t.Error(err)
		}
	}
}

// loaded checks that the drop has the report of a load, that nothing is
// left of the work, and that the table is that of a load by one function.
func (c *conducted) loaded(want map[string]any) {
	c.t.Helper()
	c.reported(want)
	c.cleared()
}

// reported checks that the drop has the report of a load, and the table.
func (c *conducted) reported(want map[string]any) {
	c.t.Helper()
	if r := c.report(c.t, folder); r == nil || r.Status != ingest.Loaded || r.Counts == nil {
		c.t.Fatalf("%+v", r)
	}
	got := c.items(c.t)
	if differs := differences(want, got); differs != "" {
		c.t.Errorf("by one function (-) and conducted (+):\n%s", differs)
	}
}

// cleared checks that nothing is left in the work folder, and on the disk.
func (c *conducted) cleared() {
	c.t.Helper()
	if diff := cmp.Diff(c.abandonedWork, c.keys(c.t, stack.WorkFolder)); diff != "" {
		c.t.Errorf("what is left of the work: %s", diff)
	}
	if files := c.fetched(c.t); len(files) > 0 {
		c.t.Errorf("%v is left on the disk", files)
	}
}

// written is how many items there are in the table, of whatever kind.
func (c *conducted) written() int {
	c.t.Helper()
	found, err := c.client.Scan(c.t.Context(), &dynamodb.ScanInput{TableName: aws.String(sports), ConsistentRead: aws.Bool(true), Limit: aws.Int32(10)})
	if err != nil {
		c.t.Fatal(err)
	}
	return len(found.Items)
}

// differences are the first of two tables. cmp.Diff takes a minute for them.
func differences(want, got map[string]any) string {
	var text strings.Builder
	n := 0
	say := func(sign, key string, v any) {
		if n++; n <= 10 {
			fmt.Fprintf(&text, "%s %s: %.300v\n", sign, key, v)
		}
	}
	for key, v := range want {
		other, ok := got[key]
		if a, b := fmt.Sprint(v), fmt.Sprint(other); !ok || a != b {
			say("-", key, a)
			if ok {
				say("+", key, b)
			}
		}
	}
	for key, v := range got {
		if _, ok := want[key]; !ok {
			say("+", key, v)
		}
	}
	if n > 0 {
		fmt.Fprintf(&text, "%d in all", n)
	}
	return text.String()
}
