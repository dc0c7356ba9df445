package functions

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"touchline/shared/ingest"
	"touchline/shared/stack"
)

// Names in events/ingest/drop.json.
const (
	bucketName   = "touchline-dev-ingest"
	sampleDrop   = "drops/2026-03-14+est"
	sampleFolder = "drops/2026-03-14 est" // decoded
)

// bucket is S3.
type bucket struct {
	objects     ingest.S3
	environment []string // of ingest, in addition to that of all functions

	mu    sync.Mutex
	calls map[string]bool // of functions to S3
}

func newBucket(t *testing.T) *bucket {
	t.Helper()
	b := &bucket{calls: map[string]bool{}}
	fake := gofakes3.New(s3mem.New()).Server()
	serve := func(h http.HandlerFunc) string {
		server := httptest.NewServer(h)
		t.Cleanup(server.Close)
		return server.URL
	}
	b.objects = ingest.NewS3(aws.Config{Region: "eu-central-1", Credentials: credentials.NewStaticCredentialsProvider("test", "test", "")}, serve(fake.ServeHTTP))
	b.environment = []string{
		stack.VariableS3Endpoint + "=" + serve(func(w http.ResponseWriter, r *http.Request) {
			b.mu.Lock()
			b.calls[callOfS3(r)] = true
			b.mu.Unlock()
			fake.ServeHTTP(w, r)
		}),
	}
	if _, err := b.objects.Client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: aws.String(bucketName)}); err != nil {
		t.Fatal(err)
	}
	return b
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

func (b *bucket) put(t *testing.T, key, text string) {
	t.Helper()
	if _, err := b.objects.Client.PutObject(t.Context(), &s3.PutObjectInput{Bucket: aws.String(bucketName), Key: &key, Body: strings.NewReader(text)}); err != nil {
		t.Fatal(err)
	}
}

// report is that of a drop; nil: there is none yet.
func (b *bucket) report(t *testing.T, folder string) *ingest.Report {
	t.Helper()
	r, err := ingest.ReadReport(t.Context(), b.objects, ingest.Drop{Bucket: bucketName, Folder: folder})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// goBack is how many messages an answer of ingest sends back.
func goBack(t *testing.T, answer []byte) int {
	t.Helper()
	var says events.SQSEventResponse
	if err := json.Unmarshal(answer, &says); err != nil || !bytes.Contains(answer, []byte("batchItemFailures")) {
		t.Fatalf("%s: %v", answer, err)
	}
	return len(says.BatchItemFailures)
}
