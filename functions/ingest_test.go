package functions

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/google/go-cmp/cmp"

	"touchline/shared/engine/enginetest"
	"touchline/shared/ingest"
	"touchline/shared/loader"
	"touchline/shared/loader/journal"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/dynamo"
	"touchline/shared/store/records"
	"touchline/shared/testdata/seed"
)

// account is the surroundings of the function that loads: S3 and DynamoDB.
type account struct {
	*bucket
	bootstrap string
	client    *dynamodb.Client
	database  *calls
}

func newAccount(t *testing.T) *account {
	t.Helper()
	engine := enginetest.Start(t)
	client, err := dynamo.NewClient(t.Context(), dynamo.Settings{Endpoint: engine})
	if err == nil {
		_, err = client.CreateTable(t.Context(), dynamo.Table("sports"))
	}
	if err != nil {
		t.Fatal(err)
	}
	return &account{newBucket(t), filepath.Join(compile(t, stack.Ingest), stack.Ingest), client, door(t, engine)}
}

// start starts the function.
func (a *account) start(t *testing.T) *function {
	t.Helper()
	return start(t, a.bootstrap, append([]string{
		"AWS_REGION=eu-central-1", "AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test", stack.VariableMemory + "=1024",
		stack.VariableSportsTable + "=sports", stack.VariableStage + "=dev", stack.VariableDynamoDBEndpoint + "=" + a.database.Endpoint,
	}, a.environment...)...)
}

func ingestSample(t *testing.T, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "events", "ingest", name))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestIngest has one build and one federation for all of its parts.
func TestIngest(t *testing.T) {
	if testing.Short() {
		t.Skip("loads 1,600 players: make test-all runs it")
	}
	a := newAccount(t)
	t.Run("says what is missing", func(t *testing.T) {
		f := start(t, a.bootstrap, "AWS_REGION=eu-central-1", "AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=hidden", stack.VariableKeepLoads+"=0")
		if code := f.Wait(t); code != 1 || !strings.Contains(f.Output(), stack.VariableSportsTable) || !strings.Contains(f.Output(), "want a number of days") || strings.Contains(f.Output(), "hidden") {
			t.Errorf("exit %d: %s", code, f.Output())
		}
	})
	t.Run("takes the bucket's test", func(t *testing.T) {
		f := a.start(t)
		if n := goBack(t, f.Call(t, ingestSample(t, "bucket-test.json"))); n != 0 {
			t.Errorf("%d messages go back", n)
		}
	})
	t.Run("goes on where it was killed", a.goesOn)
	if diff := cmp.Diff(map[string][]string{"sports": stack.IngestCalls()[stack.VariableSportsTable]}, a.database.Made()); diff != "" {
		t.Errorf("calls that its role allows (-), and those made (+): %s", diff)
	}
	want := []string{"s3:GetObject", "s3:ListBucket", "s3:PUT " + stack.DropReport}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(a.calls))); diff != "" {
		t.Errorf("its role in infra/ingest.go has the rights to (-), it called (+):\n%s", diff)
	}
}

// goesOn kills the process during a load, and sends the message again.
func (a *account) goesOn(t *testing.T) {
	dir := seed.Write(t, seed.Options{Live: 40, Details: 10})
	files, err := fs.Glob(os.DirFS(dir), "*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		a.put(t, sampleFolder+"/"+name, string(text))
	}
	a.put(t, sampleFolder+"/"+stack.DropReady, "")
	f := a.start(t)
	f.Begin(t, ingestSample(t, "drop.json"))
	a.untilWritten(t, f)
	f.Kill(t)
	if r := a.report(t, sampleFolder); r != nil {
		t.Fatalf("it was done before it was killed: %+v", r)
	}
	f = a.start(t)
	if n := goBack(t, f.Call(t, ingestSample(t, "drop.json"))); n != 0 {
		t.Fatalf("%d messages go back: %s", n, f.Output())
	}
	if r := a.report(t, sampleFolder); r == nil || r.Status != ingest.Loaded || r.Counts.Players.Created == 0 {
		t.Fatalf("%+v", r)
	}
	if n := goBack(t, f.Call(t, ingestSample(t, "drop.json"))); n != 0 {
		t.Errorf("twice, %d messages go back", n)
	}
	f.Terminate(t)
	f.Wait(t) // until all of its output has arrived
	var outcomes []any
	for text := range strings.Lines(f.Output()) {
		var line map[string]any
		if err := json.Unmarshal([]byte(text), &line); err != nil || line["stage"] != "dev" {
			t.Errorf("logged %s: %v", text, err)
		}
		outcomes = append(outcomes, line["outcome"])
	}
	if diff := cmp.Diff([]any{"loaded", "answered before"}, outcomes); diff != "" {
		t.Error(diff)
	}
	db := dynamo.DB{Client: a.client}
	l := loader.Loader{Table: &store.Table{DB: db, Name: "sports", Parallel: 16}, Lease: &store.Lease{DB: db, Table: "sports", Key: records.LockKey(), Holder: "test", Now: time.Now}}
	if report, err := l.Check(t.Context(), false); err != nil || len(report.Differences) > 0 {
		t.Errorf("the table is not what a load without a kill makes: %+v, %v", report, err)
	}
}

// untilWritten waits until the load has noted that some of its writes are made.
func (a *account) untilWritten(t *testing.T, f *function) {
	t.Helper()
	table := &store.Table{DB: dynamo.DB{Client: a.client}, Name: "sports"}
	for {
		head, _, err := journal.Read(t.Context(), table)
		if err != nil {
			t.Fatal(err)
		}
		if head != nil && head.Made > 0 {
			return
		}
		if said := f.Output(); said != "" {
			t.Fatalf("it ended before: %s", said)
		}
	}
}
