package functions

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"touchline/shared/engine/enginetest"
	"touchline/shared/ingest"
	"touchline/shared/seed"
	"touchline/shared/stack"
	"touchline/shared/store/dynamo"
)

// account is the function's surroundings: S3 and DynamoDB.
type account struct {
	bootstrap string
	disk      string // the function's /tmp
	client    *dynamodb.Client
	objects   ingest.S3
	endpoints []string // of the services, as variables
	database  *calls

	mu    sync.Mutex
	calls map[string]bool // of the function to S3
}

func newAccount(t *testing.T, bootstrap string) *account {
	t.Helper()
	a := &account{bootstrap: bootstrap, disk: t.TempDir(), calls: map[string]bool{}}
	database := enginetest.Start(t)
	fake := gofakes3.New(s3mem.New()).Server()
	objects := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a.note(callOfS3(r))
		fake.ServeHTTP(w, r)
	}))
	t.Cleanup(objects.Close)
	a.database = door(t, database)
	a.endpoints = []string{stack.VariableS3Endpoint + "=" + objects.URL, stack.VariableDynamoDBEndpoint + "=" + a.database.Endpoint}
	var err error
	if a.client, err = dynamo.NewClient(t.Context(), dynamo.Settings{Endpoint: database}); err != nil {
		t.Fatal(err)
	}
	if _, err := a.client.CreateTable(t.Context(), dynamo.Table("sports")); err != nil {
		t.Fatal(err)
	}
	direct := httptest.NewServer(fake)
	t.Cleanup(direct.Close)
	a.objects = ingest.NewS3(aws.Config{Region: "eu-central-1", Credentials: credentials.NewStaticCredentialsProvider("test", "test", "")}, direct.URL)
	if _, err := a.objects.Client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: aws.String(bucketName)}); err != nil {
		t.Fatal(err)
	}
	return a
}

// start starts the function.
func (a *account) start(t *testing.T) *function {
	t.Helper()
	return start(t, a.bootstrap, append([]string{
		"AWS_REGION=eu-central-1", "AWS_ACCESS_KEY_ID=test", "AWS_SECRET_ACCESS_KEY=test", "AWS_LAMBDA_FUNCTION_MEMORY_SIZE=1024", "TMPDIR=" + a.disk,
		stack.VariableSportsTable + "=" + "sports", stack.VariableStage + "=dev",
	}, a.endpoints...)...)
}

func (a *account) note(call string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.calls[call] = true
}

// callOfS3 is what a request needs the right to, as in infra.
func callOfS3(r *http.Request) string {
	of, key, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	switch {
	case of == bucketName && key == "" && r.Method == http.MethodGet:
		return "s3:ListBucket"
	case of == bucketName && r.Method == http.MethodGet:
		return "s3:GetObject"
	}
	return "s3:" + r.Method + " " + path.Base(key)
}

// drop uploads a synthetic federation, and _READY.
func (a *account) drop(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	if _, err := seed.Write(dir, seed.Options{Live: 40, Details: 10}); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		a.put(t, sampleFolder+"/"+e.Name(), string(text))
	}
	a.put(t, sampleFolder+"/"+stack.DropReady, "")
}

func (a *account) put(t *testing.T, key, text string) {
	t.Helper()
	if _, err := a.objects.Client.PutObject(t.Context(), &s3.PutObjectInput{Bucket: aws.String(bucketName), Key: &key, Body: strings.NewReader(text)}); err != nil {
		t.Fatal(err)
	}
}

func (a *account) report(t *testing.T) *ingest.Report {
	t.Helper()
	r, err := ingest.ReadReport(t.Context(), a.objects, ingest.Drop{Bucket: bucketName, Folder: sampleFolder})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
