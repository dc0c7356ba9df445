package main

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"touchline/shared/ingest"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/records/recordstest"
)

// dropped is a bucket with the function behind it, which loads each drop.
type dropped struct {
	*screen
	cloud  *cloud
	url    string
	worker *ingest.Receiver
	idle   bool     // the function does not run
	puts   []string // keys, in the order of their uploads
	asked  func()   // called when a report is looked for
	refuse func(http.ResponseWriter, *http.Request) (refused bool)
}

// newIdle is one whose function does nothing, and the folder of a dataset for it.
func newIdle(t *testing.T) (d *dropped, dir string) {
	t.Helper()
	d = newDropped(t)
	d.idle = true
	dir = filepath.Join(t.TempDir(), "set")
	writeFile(t, filepath.Join(dir, "teams.ndjson"), "")
	return d, dir
}

func newDropped(t *testing.T) *dropped {
	t.Helper()
	d := &dropped{screen: newTerminal(nil), cloud: newCloud(t), asked: func() {}}
	d.cloud.outputs[stack.OutputIngestBucket] = "drops"
	d.refuse = func(http.ResponseWriter, *http.Request) bool { return false }
	fake := gofakes3.New(s3mem.New()).Server()
	var mu sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if d.refuse(w, r) {
			return
		}
		fake.ServeHTTP(w, r)
		if strings.HasSuffix(r.URL.Path, stack.DropReport) && r.Method == http.MethodGet {
			d.asked()
		}
		key, ours := strings.CutPrefix(r.URL.Path, "/drops/imports/")
		if r.Method != http.MethodPut || !ours {
			return
		}
		mu.Lock()
		defer mu.Unlock()
		d.puts = append(d.puts, key)
		if !strings.HasSuffix(key, "/_READY") {
			return
		}
		if !d.idle {
			go d.receive(t, "imports/"+key)
		}
	}))
	t.Cleanup(server.Close)
	d.url = server.URL
	d.Env = map[string]string{stack.VariableS3Endpoint: d.url}
	t.Setenv(stack.VariableS3Endpoint, d.url)
	store3 := ingest.NewS3(aws.Config{Region: "eu-central-1", Credentials: credentials.NewStaticCredentialsProvider("a", "b", "")}, d.url)
	if _, err := store3.Client.CreateBucket(t.Context(), &s3.CreateBucketInput{Bucket: aws.String("drops")}); err != nil {
		t.Fatal(err)
	}
	table := recordstest.New(t)
	d.worker = &ingest.Receiver{Worker: &ingest.Worker{
		Objects: store3, Table: table.Table,
		NewLease: func() *store.Lease { return table.Loader().Lease },
		Dir:      t.TempDir(), Limits: ingest.DefaultLimits(), Now: time.Now, Log: slog.New(slog.DiscardHandler),
	}}
	return d
}

func (d *dropped) receive(t *testing.T, key string) {
	body := fmt.Sprintf(`{"Records":[{"s3":{"bucket":{"name":"drops"},"object":{"key":%q}}}]}`, key)
	if _, err := d.worker.Handle(context.WithoutCancel(t.Context()), events.SQSEvent{Records: []events.SQSMessage{{Body: body}}}); err != nil {
		t.Error(err)
	}
}

func TestImportByABucketReportsAsAnImportDoes(t *testing.T) {
	d := newDropped(t)
	dir := filepath.Join(t.TempDir(), "set")
	writeFile(t, filepath.Join(dir, "organizations.ndjson"), `{"id":"o","type":"club","name":"FC"}`+"\n")
	writeFile(t, filepath.Join(dir, "teams.ndjson"), `{"id":"t","name":"FC","shortName":"FC","organizationId":"o"}`+"\n")
	writeFile(t, filepath.Join(dir, "notes.txt"), "not for others")
	if dry := report(t, d.succeed(t, "import", "--bucket", "drops", "--dry-run", "--json", dir)); dry.Teams.Created != 1 {
		t.Errorf("dry run: %+v", dry)
	}
	if out := d.succeed(t, "import", "--bucket", "drops", dir); !strings.Contains(out, "teams                1 created") || !strings.Contains(out, "wrote 8 records, list entries and statistics to the table") {
		t.Error(out)
	}
	if again := report(t, d.succeed(t, "import", "--bucket", "drops", "--replace", "--json", dir)); again.Teams.Unchanged != 1 || again.Entries != 0 {
		t.Errorf("again: %+v", again)
	}
	for i, key := range d.puts {
		if strings.HasSuffix(key, ".txt") {
			t.Errorf("%s was uploaded", key)
		}
		if i == 2 && !strings.HasSuffix(key, "/_READY") {
			t.Errorf("uploaded in the order %v", d.puts)
		}
	}
}

func TestImportByABucketFailsAsAnImportDoes(t *testing.T) {
	d := newDropped(t)
	dir := filepath.Join(t.TempDir(), "set")
	writeFile(t, filepath.Join(dir, "organizations.ndjson"), `{"id":"o","type":"planet","name":"FC"}`+"\n")
	d.fails(t, exitFailed, "", "import", "--bucket", "drops", dir)
	if said := d.Errors.String(); !strings.Contains(said, "organizations.ndjson:1: type") || !strings.Contains(said, "nothing was changed") {
		t.Error(said)
	}
	writeFile(t, filepath.Join(dir, "organizations.ndjson"), `{"id":"o","type":"club","name":"FC","parentId":"p"}`+"\n")
	if d.run("import", "--bucket", "drops", dir); !strings.Contains(d.Errors.String(), "parentId") {
		t.Errorf("a reference that only the table knows: %s", d.Errors.String())
	}
	if code := d.run("import", "--bucket", "drops", "--good-part", dir); code != exitOK || !strings.Contains(d.Output.String(), "1 fault:") {
		t.Errorf("exit %d: %s %s", code, d.Output.String(), d.Errors.String())
	}
}

func TestImportByABucketSaysWhatIsWrong(t *testing.T) {
	d := newDropped(t)
	dir := filepath.Join(t.TempDir(), "set")
	writeFile(t, filepath.Join(dir, "teams.ndjson"), "")
	for name, tt := range map[string]struct {
		args []string
		code int
		says string
	}{
		"nothing to upload":   {[]string{"--bucket", "drops", t.TempDir()}, exitFailed, "holds no dataset"},
		"no such bucket":      {[]string{"--bucket", "elsewhere", dir}, exitFailed, "no bucket elsewhere"},
		"a drop to nowhere":   {[]string{"--drop", dir}, exitUsage, "--stack"},
		"another database's":  {[]string{"--bucket", "drops", "--dynamodb-endpoint", "http://127.0.0.1:1", dir}, exitUsage, "--dynamodb-endpoint"},
		"a diff":              {[]string{"--bucket", "drops", "--diff", dir}, exitUsage, "--diff"},
		"an address":          {[]string{"--bucket", "s3://drops", dir}, exitUsage, "alone"},
		"no folder of a name": {[]string{"--bucket", "drops", dir + "x"}, exitFailed, "is no dataset"},
	} {
		t.Run(name, func(t *testing.T) {
			d.fails(t, tt.code, tt.says, append([]string{"import"}, tt.args...)...)
		})
	}
}

// A note says that the load goes on after Ctrl-C, and where its report will be.
func TestImportByABucketMayBeInterruptedWhileItWaits(t *testing.T) {
	d, dir := newIdle(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	d.asked = stop
	var said bytes.Buffer
	d.Err = &said
	if code := run(ctx, []string{"import", "--bucket", "drops", dir}, &d.Terminal); code != exitFailed {
		t.Errorf("exit %d", code)
	}
	if !strings.Contains(said.String(), "the load goes on") || !strings.Contains(said.String(), "s3://drops/imports/") {
		t.Error(said.String())
	}
}
