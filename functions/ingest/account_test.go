package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
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
	"touchline/shared/ingest/objects"
	"touchline/shared/loader"
	"touchline/shared/seed"
	"touchline/shared/simulation"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/pagedlist"
	"touchline/shared/store/records"
)

// What the events in events/ingest name.
const (
	bucket = "touchline-dev-ingest"
	folder = "drops/2026-03-14 est"
)

// sports is the name of the table.
const sports = "sports"

// account is the functions' surroundings: S3, DynamoDB, SQS and Step Functions.
// Each function has doors to them that refuse what its role in the template does
// not allow.
type account struct {
	bootstrap string
	template  *template
	disk      string           // the functions' /tmp
	client    *dynamodb.Client // past the doors
	objects   objects.S3       // past the doors
	states    *stepFunctions
	endpoints map[string]string // of the doors, by function and service

	mu     sync.Mutex
	counts map[string]float64 // calls of the function bulk by action, and the "write units" of all
	delays []string           // bodies of the calls to SQS
	hear   chan struct{}      // closed when the function reports progress; nil: do not wait for it
	// disturb is asked before each call of a function, such as
	// "s3:PutObject IngestBucket/a/b"; nil lets all through.
	disturb func(function, call string) trouble
}

// trouble is what becomes of a call.
type trouble int

const (
	none    trouble = iota
	refused         // answered with an error that is not tried again
	cut             // neither made nor answered
)

// build compiles the bootstrap.
func build(t *testing.T) string {
	t.Helper()
	return filepath.Join(runtimetest.Compile(t, "ingest"), "ingest")
}

func newAccount(t *testing.T, bootstrap string) *account {
	t.Helper()
	a := &account{bootstrap: bootstrap, template: readTemplate(t), disk: t.TempDir(), endpoints: map[string]string{}, counts: map[string]float64{}}
	a.states = newStepFunctions(a.template.machine(t))
	database := enginetest.Start(t)
	to, err := url.Parse(database)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.ErrorLog = log.New(io.Discard, "", 0) // about calls of processes that were killed
	proxy.ModifyResponse = a.consumed
	fake := gofakes3.New(s3mem.New()).Server()
	for _, function := range []string{stack.Ingest, stack.Bulk} {
		a.door(t, function, stack.VariableS3Endpoint, callOfS3, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fake.ServeHTTP(w, r)
			if strings.HasSuffix(r.URL.Path, stack.DropProgress) {
				a.heard()
			}
		}))
		a.door(t, function, stack.VariableDynamoDBEndpoint, callsOfDynamoDB, proxy)
		a.door(t, function, stack.VariableSQSEndpoint, callOfSQS, http.HandlerFunc(a.queue))
		a.door(t, function, stack.VariableSFNEndpoint, callOfStates, a.states)
	}
	if a.client, err = store.NewClient(t.Context(), store.Settings{Endpoint: database}); err != nil {
		t.Fatal(err)
	}
	direct := httptest.NewServer(fake)
	t.Cleanup(direct.Close)
	a.objects = objects.NewS3(aws.Config{Region: region, Credentials: credentials.NewStaticCredentialsProvider("test", "test", "")}, direct.URL)
	if _, err := a.objects.Client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: aws.String(bucket)}); err != nil {
		t.Fatal(err)
	}
	return a
}

// environment is that of a function, with the variables that the template sets.
func (a *account) environment(function string, own ...string) []string {
	environment := append([]string{
		"AWS_REGION=" + region, "AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test", "AWS_LAMBDA_FUNCTION_MEMORY_SIZE=1024", "TMPDIR=" + a.disk,
	}, a.template.variables(function)...)
	for _, variable := range []string{stack.VariableDynamoDBEndpoint, stack.VariableS3Endpoint, stack.VariableSQSEndpoint, stack.VariableSFNEndpoint} {
		environment = append(environment, variable+"="+a.endpoints[function+variable])
	}
	return append(environment, own...)
}

// start starts a function.
func (a *account) start(t *testing.T, function string, own ...string) *runtimetest.Function {
	t.Helper()
	return runtimetest.Start(t, a.bootstrap, a.environment(function, own...)...)
}

// door makes the door of a function to a service.
func (a *account) door(t *testing.T, function, variable string, calls func(*http.Request, []byte) []string, to http.Handler) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler) // the process was killed
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		for _, call := range calls(r, body) {
			if !a.template.allows(function, call) {
				t.Errorf("%s may not %s", function, call)
			}
			if action, _, _ := strings.Cut(call, " "); function == stack.Bulk {
				a.count(action, 1)
			}
			switch a.troubled(function, call) {
			case none:
			case refused:
				refuse(w, variable)
				return
			case cut:
				panic(http.ErrAbortHandler)
			}
		}
		to.ServeHTTP(w, r)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(server.Close)
	a.endpoints[function+variable] = server.URL
}

func (a *account) troubled(function, call string) trouble {
	a.mu.Lock()
	disturb := a.disturb
	a.mu.Unlock()
	if disturb == nil {
		return none
	}
	return disturb(function, call)
}

// disturbed sets disturb.
func (a *account) disturbed(by func(function, call string) trouble) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.disturb = by
}

func refuse(w http.ResponseWriter, variable string) {
	if variable == stack.VariableS3Endpoint {
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, "<Error><Code>AccessDenied</Code><Message>as the test wants it</Message></Error>")
		return
	}
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.WriteHeader(http.StatusBadRequest)
	_, _ = io.WriteString(w, `{"__type":"AccessDeniedException","message":"as the test wants it"}`)
}

// operation is the one of a service that is called by JSON.
func operation(r *http.Request) string {
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	return operation
}

func callOfSQS(r *http.Request, _ []byte) []string {
	return []string{"sqs:" + operation(r) + " IngestQueue"}
}

func callOfStates(r *http.Request, body []byte) []string {
	var input struct{ StateMachineARN, ExecutionARN string }
	_ = json.Unmarshal(body, &input) // on nothing, if it is no JSON
	return []string{"states:" + operation(r) + " " + input.StateMachineARN + input.ExecutionARN}
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

func callOfS3(r *http.Request, body []byte) (calls []string) {
	of, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	on := map[string]string{bucket: "IngestBucket"}[of]
	switch _, several := r.URL.Query()["delete"]; {
	case several:
		var list struct {
			Object []struct{ Key string }
		}
		_ = xml.Unmarshal(body, &list) // of nothing, if it is no XML
		for _, o := range list.Object {
			calls = append(calls, "s3:DeleteObject "+on+"/"+o.Key)
		}
		return calls
	case key == "":
		return []string{"s3:ListBucket " + on}
	}
	action := map[string]string{
		http.MethodGet: "GetObject", http.MethodHead: "GetObject",
		http.MethodPut: "PutObject", http.MethodPost: "PutObject", http.MethodDelete: "DeleteObject",
	}[r.Method]
	return []string{"s3:" + action + " " + on + "/" + key}
}

// consumed adds up the capacity that writes report.
func (a *account) consumed(r *http.Response) error {
	switch operation(r.Request) {
	case "BatchWriteItem", "UpdateItem", "TransactWriteItems":
	default:
		return nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	type capacity struct{ CapacityUnits float64 }
	var several struct{ ConsumedCapacity []capacity }
	var one struct{ ConsumedCapacity capacity }
	if json.Unmarshal(body, &several) != nil && json.Unmarshal(body, &one) == nil {
		several.ConsumedCapacity = []capacity{one.ConsumedCapacity}
	}
	for _, c := range several.ConsumedCapacity {
		a.count("write units", c.CapacityUnits)
	}
	return nil
}

func (a *account) count(what string, n float64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.counts[what] += n
}

func (a *account) queue(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.delays = append(a.delays, r.Header.Get("X-Amz-Target")+" "+string(body))
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	_, _ = io.WriteString(w, "{}")
}

func (a *account) heard() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.hear != nil {
		close(a.hear)
		a.hear = nil
	}
}

// table makes a new table.
func (a *account) table(t *testing.T, name string) {
	t.Helper()
	if _, err := a.client.CreateTable(t.Context(), records.SportsTable(name)); err != nil {
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

// keys are the objects in a folder, and below it.
func (a *account) keys(t *testing.T, folder string) (keys []string) {
	t.Helper()
	pages := s3.NewListObjectsV2Paginator(a.objects.Client, &s3.ListObjectsV2Input{Bucket: aws.String(bucket), Prefix: aws.String(folder + "/")})
	for pages.HasMorePages() {
		page, err := pages.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range page.Contents {
			keys = append(keys, aws.ToString(o.Key))
		}
	}
	return keys
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
	client := simulation.Client{Database: simulation.NewDatabase()}
	l := loader.Loader{
		Table: &store.Table{DB: client, Name: sports, Parallel: parallel},
		Lease: &store.Lease{DB: client, Table: sports, Key: records.LockKey(), Holder: "test", Now: time.Now},
	}
	if _, err := l.Load(t.Context(), os.DirFS(dir), loader.Options{}); err != nil {
		t.Fatal(err)
	}
	return data(t, client.Items(sports))
}

// data are the values of the items that represent data: without the life of a list,
// which is random.
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
		if _, list := pagedlist.ListIn(key.PK); list {
			delete(item, "l")
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
