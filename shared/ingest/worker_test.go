package ingest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/google/go-cmp/cmp"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"touchline/shared/dataset"
	"touchline/shared/demo"
	"touchline/shared/engine/enginetest"
	"touchline/shared/ingest"
	"touchline/shared/loader"
	"touchline/shared/meter"
	"touchline/shared/simulation"
	"touchline/shared/store"
	"touchline/shared/store/dynamo"
	"touchline/shared/store/records"
)

const bucket = "drops"

// client is what a load and a dump of its table need.
type client interface {
	store.DB
	store.Leases
}

// world is a bucket and a table, and a worker between them.
type world struct {
	*ingest.Worker
	t      *testing.T
	s3     *s3.Client
	client client
	now    time.Time
	logged bytes.Buffer
	down   atomic.Bool // the bucket answers 503

	mu      sync.Mutex
	nextLID int
}

func newWorld(t *testing.T) *world {
	t.Helper()
	if enginetest.InMemory() {
		return worldOf(t, simulation.NewDatabase())
	}
	return worldOf(t, inEngine(t))
}

// worldOf is a world whose table is in db.
func worldOf(t *testing.T, db client) *world {
	t.Helper()
	w := &world{t: t, client: db, now: time.Date(2026, 3, 14, 15, 0, 0, 0, time.UTC)}
	fake := gofakes3.New(s3mem.New()).Server()
	server := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		if w.down.Load() {
			http.Error(out, "<Error><Code>SlowDown</Code></Error>", http.StatusServiceUnavailable)
			return
		}
		fake.ServeHTTP(out, r)
	}))
	t.Cleanup(server.Close)
	config := aws.Config{
		Region: "eu-central-1", Credentials: credentials.NewStaticCredentialsProvider("test", "test", ""),
		Retryer: func() aws.Retryer { return aws.NopRetryer{} },
	}
	store3 := ingest.NewS3(config, server.URL)
	w.s3 = store3.Client
	if _, err := w.s3.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: aws.String(bucket)}); err != nil {
		t.Fatal(err)
	}
	w.Worker = &ingest.Worker{
		Objects: store3, Table: &store.Table{DB: w.client, Name: "sports", Meter: &meter.Meter{}},
		NewLease: w.lease, Stage: "test",
		Now: func() time.Time { return w.now }, Log: slog.New(slog.NewJSONHandler(&w.logged, nil)),
	}
	return w
}

// inEngine is a new table in an engine, where units are counted.
func inEngine(t *testing.T) dynamo.DB {
	t.Helper()
	c, err := dynamo.NewClient(t.Context(), dynamo.Settings{Endpoint: enginetest.Start(t)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.CreateTable(t.Context(), dynamo.Table("sports")); err != nil {
		t.Fatal(err)
	}
	return dynamo.DB{Client: c}
}

func (w *world) lease() *store.Lease {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.nextLID++
	return &store.Lease{DB: w.client, Table: "sports", Key: records.LockKey(), Holder: fmt.Sprint("worker ", w.nextLID), Label: "a worker", Now: time.Now}
}

func (w *world) put(key, text string) {
	w.t.Helper()
	if _, err := w.s3.PutObject(w.t.Context(), &s3.PutObjectInput{Bucket: aws.String(bucket), Key: &key, Body: strings.NewReader(text)}); err != nil {
		w.t.Fatal(err)
	}
}

// drop uploads files to a folder, and _READY.
func (w *world) drop(folder, options string, files map[string]string) {
	w.t.Helper()
	for name, text := range files {
		w.put(folder+"/"+name, text)
	}
	w.put(folder+"/_READY", options)
}

// message is the queue's message about a _READY.
func message(key string) events.SQSEvent {
	body := fmt.Sprintf(`{"Records":[{"eventSource":"aws:s3","eventName":"ObjectCreated:Put","s3":{"bucket":{"name":%q},"object":{"key":%q}}}]}`, bucket, url.QueryEscape(key))
	return raw(body)
}

func raw(body string) events.SQSEvent {
	return events.SQSEvent{Records: []events.SQSMessage{{MessageId: "m", Body: body}}}
}

// receive passes a message on, and reports whether it goes back.
func (w *world) receive(e events.SQSEvent) bool {
	w.t.Helper()
	answer, err := w.Handle(w.t.Context(), e)
	if err != nil {
		w.t.Fatal(err)
	}
	return len(answer.BatchItemFailures) > 0
}

func (w *world) load(folder string) bool { return w.receive(message(folder + "/_READY")) }

func (w *world) report(folder string) *ingest.Report {
	w.t.Helper()
	r, err := ingest.ReadReport(w.t.Context(), w.Worker.Objects, ingest.Drop{Bucket: bucket, Folder: folder})
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

// loaded requires the report of a load.
func (w *world) loaded(folder string) *loader.Report {
	w.t.Helper()
	r := w.report(folder)
	if r == nil || r.Status != ingest.Loaded {
		w.t.Fatalf("%s: %+v; log: %s", folder, r, w.logged.String())
	}
	return r.Counts
}

// scanned calls each for every item of a table.
func (w *world) scanned(table string, each func(store.Item)) error {
	return (&store.Table{DB: w.client, Name: table}).Scan(w.t.Context(), func(item store.Item) error { each(item); return nil })
}

// items is everything in the table.
func (w *world) items() int {
	w.t.Helper()
	n := 0
	err := w.scanned("sports", func(item store.Item) {
		if store.KeyOf(item) != records.LockKey() {
			n++
		}
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// lastLine is the last line of the log.
func (w *world) lastLine() map[string]any {
	w.t.Helper()
	lines := strings.Split(strings.TrimSpace(w.logged.String()), "\n")
	var line map[string]any
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &line); err != nil {
		w.t.Fatalf("%q: %v", lines[len(lines)-1], err)
	}
	return line
}

const club = `{"id":"c","name":"Club","type":"club"}` + "\n"

func organizations(text string) map[string]string {
	return map[string]string{"organizations.ndjson": text}
}

func demoFiles(t *testing.T) map[string]string {
	t.Helper()
	dir := t.TempDir()
	if err := demo.Write(dir, time.Date(2026, time.March, 14, 15, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	return filesOf(t, dir)
}

// filesOf are the files of a folder.
func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = string(text)
	}
	return files
}

func TestADropIsLoadedAndReported(t *testing.T) {
	w := worldOf(t, inEngine(t))
	files := demoFiles(t)
	w.drop("a folder/ü+1", "", files)
	if w.load("a folder/ü+1") {
		t.Fatal("the message goes back")
	}
	counts := w.loaded("a folder/ü+1")
	if counts.Players.Created == 0 || counts.Matches.Created == 0 {
		t.Errorf("%+v", counts)
	}
	line := w.lastLine()
	if line["outcome"] != "loaded" || line["folder"] != "a folder/ü+1" || line["writeUnits"].(float64) == 0 || line["stage"] != "test" || line["_aws"] != nil {
		t.Errorf("logged %v", line)
	}
	// The same, beside what systems leave behind.
	files[".DS_Store"], files["._teams.ndjson"] = "", ""
	w.drop("again", `{"replace": true}`, files)
	w.load("again")
	if again := w.loaded("again"); again.Players.Unchanged != counts.Players.Created || again.Entries != 0 {
		t.Errorf("the same: %+v", again)
	}
}

func TestAFaultyDropChangesNothingAndSaysWhy(t *testing.T) {
	broken := `{"id":"c","name":7}` + "\n"
	orphan := `{"id":"c","name":"Club","type":"club","parentId":"nobody"}` + "\n"
	tests := []struct {
		name    string
		options string
		files   map[string]string
		want    dataset.Fault // Message is the beginning only
	}{
		{"a wrong field", "", organizations(club + broken), dataset.Fault{File: "organizations.ndjson", Line: 2, Field: "name", Message: "must be"}},
		{"a broken reference", "", organizations(orphan), dataset.Fault{File: "organizations.ndjson", Line: 1, Field: "parentId", Message: ""}},
		{"an unknown option", `{"repalce":true}`, organizations(club), dataset.Fault{File: "_READY", Message: "is not the JSON of options"}},
		{"not options", `[1]`, organizations(club), dataset.Fault{File: "_READY", Message: "is not the JSON of options"}},
		{"nothing", "", nil, dataset.Fault{File: "d", Message: "the folder holds no dataset"}},
		{"a slip of the pen", "", map[string]string{"Teams.ndjson": "", "organizations.ndjson": club}, dataset.Fault{File: "Teams.ndjson", Message: "is not read"}},
		{"a file under a wrong name", "", map[string]string{"organizations.ndjson.gz": club}, dataset.Fault{File: "organizations.ndjson.gz", Message: "is not gzip-compressed"}},
		{"an archive", "", map[string]string{"est.zip": ""}, dataset.Fault{File: "d", Message: "the folder holds no dataset"}},
		{"what is left out removed", `{"replace":true,"goodPart":true}`, organizations(club), dataset.Fault{File: "_READY", Message: "the good part"}},
	}
	w := newWorld(t)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			folder := strings.ReplaceAll(tt.name, " ", "-") + "/d"
			w.drop(folder, tt.options, tt.files)
			if w.load(folder) {
				t.Fatal("the message goes back")
			}
			r := w.report(folder)
			if r == nil || r.Status != ingest.Faulty || r.Faults.Count() == 0 {
				t.Fatalf("%+v", r)
			}
			got := r.Faults.List[0]
			if !strings.HasPrefix(got.Message, tt.want.Message) {
				t.Errorf("%q", got.Message)
			}
			got.Message = tt.want.Message
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
			if line := w.lastLine(); line["level"] != "ERROR" || line["IngestFailures"] != 1.0 || line["_aws"] == nil {
				t.Errorf("logged %v", line)
			}
			if n := w.items(); n != 0 {
				t.Errorf("%d items in the table", n)
			}
		})
	}
}

func TestReadyAsksForTheGoodPartOrADryRun(t *testing.T) {
	w := newWorld(t)
	files := organizations(club + `{"id":"d"}` + "\n")
	w.drop("dry", `{"goodPart":true,"dryRun":true}`, files)
	w.load("dry")
	if counts := w.loaded("dry"); counts.Organizations.Created != 1 || counts.Faults.Count() == 0 || !w.report("dry").DryRun {
		t.Errorf("%+v", counts)
	}
	if n := w.items(); n != 0 {
		t.Errorf("%d items after a dry run", n)
	}
	w.drop("good", `{"goodPart":true}`, files)
	w.load("good")
	if counts := w.loaded("good"); counts.Organizations.Created != 1 || counts.Faults.Count() == 0 {
		t.Errorf("%+v", counts)
	}
}

func TestAMessageThatComesTwiceDoesNoHarm(t *testing.T) {
	w := newWorld(t)
	w.drop("first", "", organizations(club))
	w.load("first")
	w.drop("second", "", organizations(strings.ReplaceAll(club, "Club", "Renamed")))
	w.load("second")
	before := w.report("first")
	if w.load("first") {
		t.Error("the message goes back")
	}
	if line := w.lastLine(); line["outcome"] != "answered before" {
		t.Errorf("logged %v", line)
	}
	if diff := cmp.Diff(before, w.report("first"), cmp.AllowUnexported(dataset.Faults{}, dataset.Warnings{})); diff != "" {
		t.Errorf("another report: %s", diff)
	}
	w.drop("third", `{"dryRun":true}`, organizations(strings.ReplaceAll(club, "Club", "Renamed")))
	w.load("third")
	if counts := w.loaded("third"); counts.Organizations.Unchanged != 1 {
		t.Errorf("the second drop was undone: %+v", counts)
	}
	// Putting _READY again starts another load.
	w.put("first/_READY", "{}")
	w.load("first")
	if counts := w.loaded("first"); counts.Organizations.Changed != 1 {
		t.Errorf("put again: %+v", counts)
	}
}

func TestMessagesThatAreNoDropsAreLeft(t *testing.T) {
	w := newWorld(t)
	for name, e := range map[string]events.SQSEvent{
		"the bucket's test": raw(`{"Service":"Amazon S3","Event":"s3:TestEvent","Bucket":"drops"}`),
		"no JSON":           raw(`hello`),
		"a broken escape":   raw(`{"Records":[{"s3":{"bucket":{"name":"drops"},"object":{"key":"a%zz/_READY"}}}]}`),
		"another object":    message("a/teams.ndjson"),
		"no folder":         message("_READY"),
		"a root":            message("/_READY"),
		"deleted meanwhile": message("gone/_READY"),
		"no bucket":         raw(`{"Records":[{"s3":{"bucket":{"name":"nowhere"},"object":{"key":"a/_READY"}}}]}`),
	} {
		if w.receive(e) {
			t.Errorf("%s: the message goes back: %s", name, w.logged.String())
		}
	}
	if n := w.items(); n != 0 {
		t.Errorf("%d items in the table", n)
	}
}

func TestWhatHasNoRecordsIsRefused(t *testing.T) {
	w := newWorld(t)
	if w.receive(raw(`{"detail": {}}`)) || !strings.Contains(w.logged.String(), "it has no Records") {
		t.Errorf("a message: %s", w.logged.String())
	}
	if _, err := new(ingest.Worker).Handle(t.Context(), events.SQSEvent{}); err == nil || !strings.Contains(err.Error(), "no Records") {
		t.Errorf("an event: %v", err)
	}
}

func TestATransientFailureIsTriedAgain(t *testing.T) {
	w := newWorld(t)
	w.drop("a", "", organizations(club))
	again := func() {
		t.Helper()
		if !w.load("a") || w.lastLine()["level"] != "WARN" || w.lastLine()["outcome"] != "again" {
			t.Errorf("logged %v", w.lastLine())
		}
	}
	w.down.Store(true)
	again()
	w.down.Store(false)
	w.Worker.Table = &store.Table{DB: brokenDB{w.client}, Name: "sports"}
	if again(); w.report("a") != nil {
		t.Errorf("%+v", w.report("a"))
	}
	w.Worker.Table = &store.Table{DB: w.client, Name: "sports"}
	w.load("a")
	w.loaded("a")
}

// brokenDB fails at every bulk write.
type brokenDB struct{ store.DB }

func (brokenDB) Write(context.Context, string, []store.Write) (store.Reply, error) {
	return store.Reply{}, errors.New("out of order")
}

// Both succeed, whichever is first.
func TestTwoDropsAtOnceDoNotInterleave(t *testing.T) {
	w := newWorld(t)
	w.drop("a", "", organizations(club))
	w.drop("b", "", organizations(strings.ReplaceAll(club, `"c"`, `"b"`)))
	w.Worker.Patience = time.Minute
	var both sync.WaitGroup
	for _, folder := range []string{"a", "b"} {
		both.Go(func() { w.load(folder) })
	}
	both.Wait()
	if a, b := w.loaded("a"), w.loaded("b"); a.Organizations.Created != 1 || b.Organizations.Created != 1 {
		t.Errorf("%+v, %+v", a, b)
	}
}

// Deletions that look like an accident are refused unless a number says that
// they are intended (D52).
func TestManyDeletionsHaveToBeAllowed(t *testing.T) {
	w := newWorld(t)
	w.drop("first", "", organizations(club+`{"id":"d","type":"club","name":"D"}`+"\n"))
	w.load("first")
	files := map[string]string{"teams.ndjson": `{"id":"t","name":"T","shortName":"T"}`}
	w.drop("accident", `{"replace":true}`, files)
	w.load("accident")
	r := w.report("accident")
	const want = `_READY: would remove 2 of 2 organizations (the dataset holds none): more than may go without being asked for; where they are meant, say so in _READY: "allowDeletes": 2`
	if r.Status != ingest.Faulty || r.Faults.Error() != want {
		t.Errorf("%s: %v", r.Status, r.Faults)
	}
	w.drop("vague", `{"replace":true,"goodPart":true}`, files)
	w.load("vague")
	if r := w.report("vague"); r.Status != ingest.Faulty || !strings.Contains(r.Faults.Error(), "allowDeletes") {
		t.Errorf("%s: %v", r.Status, r.Faults)
	}
	w.drop("meant", `{"replace":true,"allowDeletes":2}`, files)
	w.load("meant")
	if counts := w.loaded("meant"); counts.Organizations.Deleted != 2 {
		t.Errorf("%+v", counts)
	}
}
