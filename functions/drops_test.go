package functions

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"touchline/shared/ingest"
	"touchline/shared/loader"
	"touchline/shared/route"
	"touchline/shared/sport"
	"touchline/shared/stack"
	"touchline/shared/store"
	"touchline/shared/store/dynamo"
	"touchline/shared/store/records"
	"touchline/shared/testdata/seed"
)

// Names in events/ingest/drop.json, and that of the table of what is right.
const (
	bucketName   = "touchline-dev-ingest"
	sampleDrop   = "drops/2026-03-14+est"
	sampleFolder = "drops/2026-03-14 est" // decoded
	reference    = "reference"
)

// bucket is S3 and SQS, and the drops in it.
type bucket struct {
	objects     ingest.S3
	disk        string              // the function's /tmp
	environment []string            // of ingest, in addition to that of all functions
	demo        map[string][]string // the lines of the demo federation that drops change
	drops       []*drop

	mu    sync.Mutex
	calls map[string]bool // of functions to S3
}

// drop changes records that no other drop does.
type drop struct {
	folder  string
	files   fstest.MapFS
	records int
	by      *release // has loaded it; nil: it waits
}

func newBucket(t *testing.T) *bucket {
	t.Helper()
	b := &bucket{disk: t.TempDir(), calls: map[string]bool{}}
	fake := gofakes3.New(s3mem.New()).Server()
	serve := func(h http.HandlerFunc) string {
		server := httptest.NewServer(h)
		t.Cleanup(server.Close)
		return server.URL
	}
	b.objects = ingest.NewS3(aws.Config{Region: "eu-central-1", Credentials: credentials.NewStaticCredentialsProvider("test", "test", "")}, serve(fake.ServeHTTP))
	b.environment = []string{
		"TMPDIR=" + b.disk,
		stack.VariableS3Endpoint + "=" + serve(func(w http.ResponseWriter, r *http.Request) {
			b.mu.Lock()
			b.calls[callOfS3(r)] = true
			b.mu.Unlock()
			fake.ServeHTTP(w, r)
		}),
		stack.VariableSQSEndpoint + "=" + serve(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/x-amz-json-1.0")
			_, _ = io.WriteString(w, "{}")
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

// demo reads teams, players and finished matches of the demo federation: first the
// teams and players of the current season, and the matches of the one before.
func demo(t *testing.T) map[string][]string {
	t.Helper()
	dir, lines := t.TempDir(), map[string][]string{}
	if _, err := seed.Write(dir, seed.Options{Demo: true}); err != nil {
		t.Fatal(err)
	}
	for name, without := range map[string]string{"teams.ndjson": `"season":2024`, "players.ndjson": `.last.`, "matches.ndjson.gz": `"season":2025`} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if name, zipped := strings.CutSuffix(name, ".gz"); zipped {
			z, err := gzip.NewReader(bytes.NewReader(text))
			if err == nil {
				text, err = io.ReadAll(z)
			}
			if err != nil {
				t.Fatal(name, err)
			}
		}
		var first, rest []string
		for line := range strings.Lines(string(text)) {
			switch {
			case strings.Contains(line, `"status":"upcoming"`) || strings.Contains(line, `"status":"live"`) || strings.Contains(line, `"status":"postponed"`):
			case strings.Contains(line, without):
				rest = append(rest, line)
			default:
				first = append(first, line)
			}
		}
		lines[strings.TrimSuffix(name, ".gz")] = slices.Concat(first, rest)
	}
	return lines
}

// drop puts another drop into the bucket, with a change of each kind.
func (u *upgrades) drop() *drop {
	u.t.Helper()
	n := len(u.drops)
	d := &drop{folder: fmt.Sprint("drops/", n), files: fstest.MapFS{}}
	u.drops = append(u.drops, d)
	for name, of := range map[string]struct {
		kind  sport.Kind
		group route.Group
	}{
		"teams.ndjson":   {sport.KindTeam, route.GroupTeams},
		"players.ndjson": {sport.KindPlayer, route.GroupPlayers}, "matches.ndjson": {sport.KindMatch, route.GroupMatches},
	} {
		record := map[string]any{}
		if err := json.Unmarshal([]byte(u.demo[name][n]), &record); err != nil {
			u.t.Fatal(err)
		}
		u.targets["/v1/"+string(of.group)+"/"+string(sport.IDFor(of.kind, record["id"].(string)))] = of.group
		if name == "matches.ndjson" {
			record["score"] = map[string]int{"home": 10 + n, "away": 0}
		} else {
			record["name"] = fmt.Sprint(record["name"], " ", n)
		}
		text, err := json.Marshal(record)
		if err != nil {
			u.t.Fatal(err)
		}
		d.records++
		d.files[name] = &fstest.MapFile{Data: text}
		u.put(u.t, d.folder+"/"+name, string(text))
	}
	u.put(u.t, d.folder+"/"+stack.DropReady, "")
	return d
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

// message is that of a drop, as the queue delivers it.
func (d *drop) message(t *testing.T) []byte {
	t.Helper()
	raw := ingestSample(t, "drop.json")
	if !bytes.Contains(raw, []byte(sampleDrop)) {
		t.Fatal("it is not about " + sampleDrop)
	}
	return bytes.ReplaceAll(raw, []byte(sampleDrop), []byte(d.folder))
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

// takes has a release load a drop.
func (u *upgrades) takes(r *release, d *drop) {
	u.t.Helper()
	if d.by != nil {
		u.put(u.t, d.folder+"/"+stack.DropReady, "{}") // again
	}
	if n := goBack(u.t, r.ingest.Call(u.t, d.message(u.t))); n != 0 {
		u.t.Fatalf("%s goes back: %s", d.folder, r.ingest.Output())
	}
	report := u.report(u.t, d.folder)
	if report == nil || report.Status != ingest.Loaded || report.Counts.Teams.Changed+report.Counts.Players.Changed+report.Counts.Matches.Changed != d.records {
		u.t.Fatalf("%s: %+v", d.folder, report)
	}
	if d.by == nil {
		u.loadReference(d)
	}
	d.by = r
}

// refused has a release send a drop back.
func (u *upgrades) refused(r *release, d *drop) {
	u.t.Helper()
	if n := goBack(u.t, r.ingest.Call(u.t, d.message(u.t))); n != 1 {
		u.t.Errorf("the %s build takes a drop: %s", r.name, r.ingest.Output())
	}
}

// load has a release load a new drop, and new workers.
func (u *upgrades) load(r *release) {
	u.t.Helper()
	u.takes(r, u.drop())
	r.restart(u)
}

// takesWaiting has a release load what waits, and new workers.
func (u *upgrades) takesWaiting(r *release) {
	u.t.Helper()
	n := 0
	for _, d := range u.drops {
		if d.by == nil {
			u.takes(r, d)
			n++
		}
	}
	if n == 0 {
		u.t.Error("no drop waits")
	}
	r.restart(u)
}

func (u *upgrades) loadedBy(r *release) []*drop {
	return slices.DeleteFunc(slices.Clone(u.drops), func(d *drop) bool { return d.by != r })
}

// loadReference loads a drop into the table of what is right.
func (u *upgrades) loadReference(d *drop) {
	u.t.Helper()
	clear(u.known)
	l := loader.Loader{
		Table: &store.Table{DB: dynamo.DB{Client: u.client}, Name: reference},
		Lease: &store.Lease{DB: dynamo.DB{Client: u.client}, Table: reference, Key: records.LockKey(), Holder: "test", Label: "a test", Now: time.Now},
	}
	if _, err := l.Load(u.t.Context(), d.files, loader.Options{}); err != nil {
		u.t.Fatal(err)
	}
}
