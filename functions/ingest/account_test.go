package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/attributevalue"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"touchline/functions/runtimetest"
	"touchline/shared/engine/enginetest"
	"touchline/shared/ingest"
	"touchline/shared/loader"
	"touchline/shared/seed"
	"touchline/shared/simulation"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/dynamo"
	"touchline/shared/store/records"
)

// What the events in events/ingest name.
const (
	bucket = "touchline-dev-ingest"
	folder = "drops/2026-03-14 est"
)

// sports is the name of the table.
const sports = "sports"

// account is the function's surroundings: S3, DynamoDB and SQS. The function has doors
// to them that refuse what its role in the template does not allow.
type account struct {
	bootstrap string
	template  *template
	disk      string            // the function's /tmp
	client    *dynamodb.Client  // past the doors
	objects   ingest.S3         // past the doors
	endpoints map[string]string // of the doors, by service

	mu     sync.Mutex
	delays []string // bodies of the calls to SQS
}

// build compiles the bootstrap.
func build(t *testing.T) string {
	t.Helper()
	return filepath.Join(runtimetest.Compile(t, "ingest"), "ingest")
}

func newAccount(t *testing.T, bootstrap string) *account {
	t.Helper()
	a := &account{bootstrap: bootstrap, template: readTemplate(t), disk: t.TempDir(), endpoints: map[string]string{}}
	database := enginetest.Start(t)
	to, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.ErrorLog = log.New(io.Discard, "", 0) // about calls of processes that were killed
	fake := gofakes3.New(s3mem.New()).Server()
	a.door(t, stack.VariableS3Endpoint, callOfS3, fake)
	a.door(t, stack.VariableDynamoDBEndpoint, callsOfDynamoDB, proxy)
	a.door(t, stack.VariableSQSEndpoint, callOfSQS, http.HandlerFunc(a.queue))
	if a.client, err = dynamo.NewClient(t.Context(), dynamo.Settings{Endpoint: database}); err != nil {
		t.Fatal(err)
	}
	direct := httptest.NewServer(fake)
	t.Cleanup(direct.Close)
	a.objects = ingest.NewS3(aws.Config{Region: region, Credentials: credentials.NewStaticCredentialsProvider("test", "test", "")}, direct.URL)
	if _, err := a.objects.Client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: aws.String(bucket)}); err != nil {
		t.Fatal(err)
	}
	return a
}

// environment is that of the function, with the variables that the template sets.
func (a *account) environment() []string {
	environment := append([]string{
		"AWS_REGION=" + region, "AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test", "AWS_LAMBDA_FUNCTION_MEMORY_SIZE=1024", "TMPDIR=" + a.disk,
	}, a.template.variables()...)
	for _, variable := range []string{stack.VariableDynamoDBEndpoint, stack.VariableS3Endpoint, stack.VariableSQSEndpoint} {
		environment = append(environment, variable+"="+a.endpoints[variable])
	}
	return environment
}

// start starts the function.
func (a *account) start(t *testing.T) *runtimetest.Function {
	t.Helper()
	return runtimetest.Start(t, a.bootstrap, a.environment()...)
}

// door makes the door to a service.
func (a *account) door(t *testing.T, variable string, calls func(*http.Request, []byte) []string, to http.Handler) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler) // the process was killed
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		for _, call := range calls(r, body) {
			if !a.template.allows(call) {
				t.Errorf("the function may not %s", call)
			}
		}
		to.ServeHTTP(w, r)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(server.Close)
	a.endpoints[variable] = server.URL
}

// operation is the one of a service that is called by JSON.
func operation(r *http.Request) string {
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	return operation
}

func callOfSQS(r *http.Request, _ []byte) []string {
	return []string{"sqs:" + operation(r) + " IngestQueue"}
}

func callsOfDynamoDB(r *http.Request, body []byte) (calls []string) {
	var input struct {
		TableName    string
		RequestItems map[string]json.RawMessage
	}
	_ = json.Unmarshal(body, &input) // on nothing, if it is no JSON
	names := map[string]string{sports: "Sports"}
	if input.TableName != "" {
		calls = append(calls, "dynamodb:"+operation(r)+" "+names[input.TableName])
	}
	for table := range input.RequestItems {
		calls = append(calls, "dynamodb:"+operation(r)+" "+names[table])
	}
	return calls
}

func callOfS3(r *http.Request, _ []byte) []string {
	of, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	on := map[string]string{bucket: "IngestBucket"}[of]
	if key == "" {
		return []string{"s3:ListBucket " + on}
	}
	action := map[string]string{
		http.MethodGet: "GetObject", http.MethodHead: "GetObject",
		http.MethodPut: "PutObject", http.MethodPost: "PutObject",
	}[r.Method]
	return []string{"s3:" + action + " " + on + "/" + key}
}

func (a *account) queue(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.delays = append(a.delays, r.Header.Get("X-Amz-Target")+" "+string(body))
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	_, _ = io.WriteString(w, "{}")
}

// table makes a new table.
func (a *account) table(t *testing.T, name string) {
	t.Helper()
	if _, err := a.client.CreateTable(t.Context(), dynamo.Table(name)); err != nil {
		t.Fatal(err)
	}
}

// drop uploads a synthetic federation, and _READY.
func (a *account) drop(t *testing.T, dir string, o seed.Options) {
	t.Helper()
	if _, err := seed.Write(dir, o); err != nil {
		t.Fatal(err)
	}
	a.upload(t, folder, dir)
}

// upload uploads the files of a dataset to a folder, and _READY.
func (a *account) upload(t *testing.T, folder, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		a.put(t, folder+"/"+e.Name(), string(text))
	}
	a.put(t, folder+"/"+stack.DropReady, "")
}

func (a *account) put(t *testing.T, key, text string) {
	t.Helper()
	if _, err := a.objects.Client.PutObject(t.Context(), &s3.PutObjectInput{Bucket: aws.String(bucket), Key: &key, Body: strings.NewReader(text)}); err != nil {
		t.Fatal(err)
	}
}

func (a *account) report(t *testing.T, folder string) *ingest.Report {
	t.Helper()
	r, err := ingest.ReadReport(t.Context(), a.objects, ingest.Drop{Bucket: bucket, Folder: folder})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// items returns the items of the table that represent data.
func (a *account) items(t *testing.T) map[string]any {
	t.Helper()
	var all []store.Item
	pages := dynamodb.NewScanPaginator(a.client, &dynamodb.ScanInput{TableName: aws.String(sports), ConsistentRead: aws.Bool(true)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, page.Items...)
	}
	return data(t, all)
}

// byOne is what a load by one process, into a table in memory, makes of a dataset.
func byOne(t *testing.T, dir string) map[string]any {
	t.Helper()
	db := simulation.NewDatabase()
	l := loader.Loader{
		Table: &store.Table{DB: db, Name: sports, Parallel: parallel},
		Lease: &store.Lease{DB: db, Table: sports, Key: records.LockKey(), Holder: "test", Now: time.Now},
	}
	if _, err := l.Load(t.Context(), os.DirFS(dir), loader.Options{}); err != nil {
		t.Fatal(err)
	}
	return data(t, db.Items(sports))
}

// data are the values of the items that represent data.
func data(t *testing.T, items []store.Item) map[string]any {
	t.Helper()
	found := map[string]any{}
	for _, item := range items {
		key := store.KeyOf(item)
		if key == records.LockKey() && item["payload"] == nil && item["holder"] == nil {
			continue
		}
		if key.PK == records.JournalPK && (strings.HasPrefix(key.SK, "load#") || strings.HasPrefix(key.SK, "undo#")) {
			continue // about loads, not data
		}
		if key.PK == records.JournalPK && key != records.VersionKey() {
			t.Errorf("%v is left", key)
			continue
		}
		var values map[string]any
		if err := attributevalue.UnmarshalMap(item, &values); err != nil {
			t.Fatal(err)
		}
		if key == records.VersionKey() {
			layouts, _ := values["s"].(map[string]any)
			for _, layout := range layouts {
				delete(layout.(map[string]any), "e") // when the last load ended
			}
		}
		found[key.PK+" "+key.SK] = values
	}
	return found
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
